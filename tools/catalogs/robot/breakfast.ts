import { ROBOT, type Agent, type Point, type Scene, type Thing } from "./state.js";

/** The table of all shipped scenes: large enough that nobody reaches everything. */
export const TABLE: Scene["table"] = { length: 2.4, depth: 1.2 };

/** The robot stands at the middle of a long side and reaches all of the table, with one gripper. */
export const ROBOT_AT_TABLE: Agent = { kind: "robot", at: [1.2, -0.2], reach: 2, hands: 1 };

/** A person who sits at the table. */
export function person(at: Point, busyWith?: string): Agent {
  const idle: Agent = { kind: "person", at, reach: 0.8, hands: 2 };
  return busyWith === undefined ? idle : { ...idle, busyWith };
}

/** A bottle of half a litre. */
export function bottle(at: Point, contents: Record<string, number>): Thing {
  return { kind: "bottle", place: { at }, radius: 0.04, capacity: 500, contents };
}

/** A glass of a quarter of a litre. */
export function glass(at: Point, contents: Record<string, number> = {}): Thing {
  return { kind: "glass", place: { at }, radius: 0.04, capacity: 250, contents };
}

/** A box behind which things are hidden. */
export function box(at: Point, radius = 0.08): Thing {
  return { kind: "box", place: { at }, radius, tall: true };
}

/**
 * The table with which a run begins where nobody says otherwise. Felix and Daniel sit at its ends. The
 * red glass is out of Daniel's reach, and the blue glass is hidden from Felix by the cereals.
 */
export const BREAKFAST: Scene = {
  table: TABLE,
  agents: { Felix: person([-0.1, 0.6]), Daniel: person([2.5, 0.6]), [ROBOT]: ROBOT_AT_TABLE },
  things: {
    bottle_of_cola: bottle([1.8, 0.8], { cola: 500 }),
    bottle_of_iced_tea: bottle([2, 0.3], { "iced tea": 400 }),
    red_glass: glass([1.1, 0.9]),
    blue_glass: glass([1.3, 0.6]),
    cereals: box([0.9, 0.6]),
    phone: { kind: "phone", place: { at: [0.4, 0.8] }, radius: 0.05 },
  },
};
