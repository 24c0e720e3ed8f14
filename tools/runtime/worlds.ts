import { UnknownName } from "../../errors.js";
import { jsonResult } from "./jsonResult.js";
import type { SavedWorld, WorldKey, WorldStates } from "./worldStates.js";

/**
 * The state that the tools of a catalogue act on: an office with mail and calendar, a kitchen with a
 * robot. Each run has a copy of its own.
 *
 * @typeParam World what the tools see as `ctx.world`; plain data where they run in a worker
 */
export interface WorldDefinition<World = unknown> {
  /** The catalogue's name. */
  name: string;
  /** The world at the start of a run. */
  create(): World;
  /** The world as JSON data. */
  save(world: World): unknown;
  /** The world that `save` has saved; shares nothing with `saved`. */
  load(saved: unknown): World;
  /**
   * Answers calls of tools that are only declared and name this world (`ToolSource`). It may change
   * `world`; what has become of it is saved together with the call, whatever the answer is.
   */
  answer?(world: World, question: WorldQuestion): WorldAnswer;
}

/** A call of a declared tool, its arguments valid and with defaults filled in. */
export interface WorldQuestion {
  /** Id of the tool. */
  tool: string;
  args: Record<string, unknown>;
}

/** What comes of a call: its result as JSON data, or an error in one line. */
export interface WorldAnswer {
  result?: unknown;
  error?: string;
  /** How long the call has taken in the world, in milliseconds; nobody waits for it. */
  ms?: number;
}

/** Defines a world; gives the definition back with its type. */
export function defineWorld<World>(definition: WorldDefinition<World>): WorldDefinition<World> {
  return definition;
}

/** A run's copy of a world, for the length of one call. */
export interface OpenWorld {
  /** Belongs to the call alone: unless `saved` is journaled, nothing has happened to the run's copy. */
  world: unknown;
  /** What to journal once the call has succeeded; `after` defaults to the world as it is now. */
  saved(after?: unknown): SavedWorld;
  /** @throws UnknownName when the world answers no calls, with those that do */
  answer(question: WorldQuestion): WorldAnswer;
}

/** The worlds that are known, by name. */
export interface Worlds {
  has(name: string): boolean;
  /** Opens a run's copy, as it was last saved or as it is at the start of a run. */
  open(key: WorldKey): OpenWorld;
}

/** @throws UnknownName by `open`, for a world that is not defined */
export function openWorlds({
  definitions,
  states,
}: {
  definitions: readonly WorldDefinition[];
  states: WorldStates;
}): Worlds {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  return {
    has: (name) => byName.has(name),
    open(key) {
      const definition = byName.get(key.name);
      if (definition === undefined) {
        throw new UnknownName({ kind: "world", wanted: key.name, available: [...byName.keys()] });
      }
      const saved = states.world(key);
      const world =
        saved === undefined ? definition.create() : definition.load(JSON.parse(saved.stateJson));
      const revision = saved?.revision ?? 0;
      return {
        world,
        saved: (after = world) => ({
          ...key,
          revision,
          stateJson: jsonResult(definition.save(after)) ?? "null",
        }),
        answer(question) {
          if (definition.answer) return definition.answer(world, question);
          const answering = definitions.filter((each) => typeof each.answer === "function");
          throw new UnknownName({
            kind: "world that answers calls",
            wanted: key.name,
            available: answering.map(({ name }) => name),
          });
        },
      };
    },
  };
}
