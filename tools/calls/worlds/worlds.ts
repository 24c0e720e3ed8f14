import { UnknownName } from "../../../common/errors.js";
import { jsonResult } from "../engine/jsonResult.js";
import type { SavedWorld, WorldKey, WorldStates } from "./worldStates.js";

/**
 * The state that the tools of a catalog act on, such as the work items of a company. Each run has its own copy.
 *
 * @typeParam World what the tools see as `ctx.world`; plain data if they run in a worker
 */
export interface WorldDefinition<World = unknown> {
  name: string;
  /** The world at the start of a run. */
  create(): World;
  /** The world as JSON data, or what a run has changed in it: it is what a run is judged by. */
  save(world: World): unknown;
  /** Restores a world from `save`; shares nothing with `saved`. */
  load(saved: unknown): World;
  /**
   * Answers calls of declared tools that name this world (`ToolSource`). It may change `world`, which is saved
   * together with the call even if the answer is an error.
   */
  answer?(world: World, question: WorldQuestion): WorldAnswer | Promise<WorldAnswer>;
}

/** A world whose definition is loaded when a call first needs it. */
export interface LazyWorld {
  name: string;
  definition: () => Promise<WorldDefinition>;
}

/** A call of a declared tool, with validated arguments and defaults filled in. */
interface WorldQuestion {
  tool: string;
  args: Record<string, unknown>;
}

/** The outcome of a call: its result as JSON data, or an error in one line. */
interface WorldAnswer {
  result?: unknown;
  error?: string;
  /** Simulated duration in milliseconds; nobody waits for it. */
  ms?: number;
}

export function defineWorld<World>(definition: WorldDefinition<World>): WorldDefinition<World> {
  return definition;
}

export type Worlds = ReturnType<typeof openWorlds>;

/** A run's copy of a world for one call. */
export type OpenWorld = Awaited<ReturnType<Worlds["open"]>>;

/** @throws UnknownName from `open`, for an undefined world */
export function openWorlds(
  definitions: readonly (WorldDefinition | LazyWorld)[],
  states: Pick<WorldStates, "world">,
) {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const defined = async (name: string) => {
    const known = byName.get(name);
    if (known !== undefined) return "definition" in known ? await known.definition() : known;
    throw new UnknownName({ kind: "world", wanted: name, available: [...byName.keys()] });
  };
  return {
    has: (name: string) => byName.has(name),
    /** Opens a run's copy as last saved, or as at the start of a run. */
    async open(key: WorldKey) {
      const definition = await defined(key.name);
      const saved = await states.world(key);
      const world =
        saved === undefined ? definition.create() : definition.load(JSON.parse(saved.stateJson));
      const revision = saved?.revision ?? 0;
      return {
        /** Belongs to this call: the run's copy changes only when `saved` is journaled. */
        world,
        /** What to journal once the call has succeeded; `after` defaults to the world as it is now. */
        saved: (after = world): SavedWorld => ({
          ...key,
          revision,
          stateJson: jsonResult(definition.save(after)) ?? "null",
        }),
        change() {
          return JSON.parse(jsonResult(definition.save(world)) ?? "null") as unknown;
        },
        /** @throws UnknownName when the world answers no calls; names those that do */
        answer(question: WorldQuestion): WorldAnswer | Promise<WorldAnswer> {
          if (definition.answer) return definition.answer(world, question);
          const answering = definitions.filter(
            (each) => "answer" in each && typeof each.answer === "function",
          );
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
