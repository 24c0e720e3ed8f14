import { UnknownName } from "../../../common/errors.js";
import type { Agent, Scene, Thing } from "./state.js";

/** A thing or an agent with its name. */
export type Named<Item> = Item & { name: string };

/** @throws UnknownName with all things */
export function thingNamed(scene: Scene, wanted: string): Named<Thing> {
  const name = requireName({ kind: "object", wanted, names: Object.keys(scene.things) });
  return named(scene.things, name);
}

/** @throws UnknownName with the people at the table */
export function personNamed(scene: Scene, wanted: string): Named<Agent> {
  const name = requireName({ kind: "person", wanted, names: peopleIn(scene) });
  return named(scene.agents, name);
}

/** A person or the robot. @throws UnknownName with all of them */
export function agentNamed(scene: Scene, wanted: string): Named<Agent> {
  const name = requireName({ kind: "person or robot", wanted, names: Object.keys(scene.agents) });
  return named(scene.agents, name);
}

/** The people at the table, in the order of the scene. */
export function peopleIn({ agents }: Scene): string[] {
  return Object.keys(agents).filter((name) => agents[name]?.kind === "person");
}

/**
 * Finds the name that is meant: case, articles and the separator of words do not matter, so "the red glass" is `red_glass`.
 *
 * @throws UnknownName with all names
 */
export function requireName(options: {
  kind: string;
  wanted: string;
  names: readonly string[];
}): string {
  const { kind, wanted, names } = options;
  const found = names.find((name) => plain(name) === plain(wanted));
  if (found !== undefined) return found;
  throw new UnknownName({ kind, wanted, available: names });
}

function plain(name: string): string {
  const words = name.toLowerCase().split(/[\s_-]+/);
  return words.filter((word) => word !== "" && word !== "the").join(" ");
}

/** Returns a copy, since scenes are changed only by name. */
function named<Item extends object>(items: Record<string, Item>, name: string): Named<Item> {
  const item = items[name];
  if (item === undefined) {
    throw new UnknownName({ kind: "name", wanted: name, available: Object.keys(items) });
  }
  return { ...item, name };
}
