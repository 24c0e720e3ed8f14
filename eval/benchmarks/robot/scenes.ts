import {
  bottle,
  box,
  BREAKFAST,
  glass,
  person,
  ROBOT_AT_TABLE,
  TABLE,
} from "../../../tools/catalogs/robot/breakfast.js";
import { type Point, ROBOT, type Scene, type Thing } from "../../../tools/catalogs/robot/state.js";

const [FELIX_AT, DANIEL_AT]: [Point, Point] = [
  [-0.1, 0.6],
  [2.5, 0.6],
];

/** What keeps Daniel busy from the fourth situation on. */
export const BUSY_WITH = "mixing the salad";

/** Who sits there when Daniel has something to do. */
const DANIEL_BUSY: Scene["agents"] = { ...BREAKFAST.agents, Daniel: person(DANIEL_AT, BUSY_WITH) };

const BOTH: Scene["agents"] = {
  Felix: person(FELIX_AT),
  Daniel: person(DANIEL_AT),
  [ROBOT]: ROBOT_AT_TABLE,
};

/** Felix has the red glass. */
const GLASS_HANDED: Scene["things"] = {
  ...BREAKFAST.things,
  red_glass: held("Felix", "red_glass"),
};

/** Felix has the bottle of cola, too. */
const BOTTLE_HANDED: Scene["things"] = {
  ...GLASS_HANDED,
  bottle_of_cola: held("Felix", "bottle_of_cola"),
};

/** The blue glass stands before Daniel. */
const GLASS_MOVED: Scene["things"] = { ...BOTTLE_HANDED, blue_glass: glass([2.34, 0.59]) };

/** Small things, each at its own distance from Daniel. */
const SMALL: [name: string, at: Point][] = [
  ["salt", [2.1, 0.5]],
  ["pepper", [1.85, 0.65]],
  ["spoon", [2.3, 0.7]],
  ["fork", [2, 0.9]],
  ["knife", [2.2, 0.3]],
  ["napkin", [1.95, 0.2]],
  ["matches", [2.35, 0.4]],
  ["candle", [1.8, 0.5]],
];

/** Millilitres of water in nine glasses; no few of them have the average of all, which is 120. */
export const UNEVEN = [41, 57, 73, 101, 113, 149, 163, 179, 204];

/** Guests with what they want; Clara is busy. */
export const GUESTS = {
  Felix: { at: [-0.1, 0.3], bottle: "bottle_of_cola", glass: "red_glass" },
  Anna: { at: [-0.1, 0.9], bottle: "bottle_of_water", glass: "blue_glass" },
  Ben: { at: [0.6, 1.3], bottle: "bottle_of_iced_tea", glass: "green_glass" },
  Clara: { at: [1.8, 1.3], bottle: "bottle_of_cola", glass: "white_glass" },
  Daniel: { at: [2.5, 0.9], bottle: "bottle_of_water", glass: "yellow_glass" },
  Emil: { at: [2.5, 0.3], bottle: "bottle_of_iced_tea", glass: "black_glass" },
} as const satisfies Record<string, { at: Point; bottle: string; glass: string }>;

/** What stands in a row before the phone, from Felix on. */
export const BEFORE_PHONE = [
  "rice",
  "cereals",
  "flour",
  "tea",
  "crackers",
  "oatmeal",
  "sugar",
  "noodles",
];

/** What stands in a row before the robot, from the robot on. */
export const BEFORE_ROBOT = [
  "milk",
  "cocoa",
  "juice_pack",
  "cream",
  "yoghurt",
  "broth",
  "soy_drink",
  "oat_drink",
];

/** The scenes with which the tasks of the robot's benchmark begin, by name. */
export const ROBOT_SCENES: Readonly<Record<string, Scene>> = {
  breakfast: BREAKFAST,
  "daniel busy": { table: TABLE, agents: DANIEL_BUSY, things: GLASS_HANDED },
  "cola at felix": { table: TABLE, agents: DANIEL_BUSY, things: BOTTLE_HANDED },
  "glass at daniel": { table: TABLE, agents: DANIEL_BUSY, things: GLASS_MOVED },
  "row before the phone": {
    table: TABLE,
    agents: BOTH,
    things: {
      ...rowOf(BEFORE_PHONE, (index) => box([0.35 + 0.2 * index, 0.6])),
      phone: small("phone", [2, 0.6]),
      // Of no concern, though the small ones are hidden by the row, too: who clears all away moves too much.
      vase: box([1.1, 1.05]),
      notebook: small("notebook", [1.95, 0.72]),
      toy_car: small("toy car", [1.6, 0.73]),
    },
  },
  "row before the robot": {
    table: TABLE,
    agents: BOTH,
    things: {
      ...rowOf(BEFORE_ROBOT, (index) => box([1.2, 0.1 + 0.115 * index], 0.05)),
      blue_glass: glass([1.2, 1.1]),
      bread: box([0.6, 0.9]),
      toaster: box([1.9, 0.9]),
    },
  },
  "row before the bottle": {
    table: TABLE,
    agents: BOTH,
    things: {
      ...rowOf(BEFORE_ROBOT, (index) => box([1.2, 0.1 + 0.115 * index], 0.05)),
      bottle_of_iced_tea: bottle([1.2, 1.1], { "iced tea": 400 }),
      red_glass: glass([0.9, 0.2]),
      bread: box([0.6, 0.9]),
      toaster: box([1.9, 0.9]),
    },
  },
  party: party(),
  "laid for daniel": {
    table: TABLE,
    agents: BOTH,
    things: {
      ...Object.fromEntries(SMALL.map(([name, at]) => [name, small(name, at)])),
      phone: small("phone", [0.4, 0.8]),
    },
  },
  "uneven glasses": {
    table: TABLE,
    agents: BOTH,
    things: Object.fromEntries(
      UNEVEN.map((water, index) => [
        `glass_${index + 1}`,
        glass([0.5 + 0.15 * index, 0.5], { water }),
      ]),
    ),
  },
};

/** A thing of the breakfast in somebody's hand. */
function held(heldBy: string, name: string): Thing {
  const thing = BREAKFAST.things[name];
  if (thing === undefined || !("at" in thing.place)) throw new Error(`no ${name} on the table`);
  return { ...thing, place: { heldBy, takenFrom: thing.place.at } };
}

function small(kind: string, at: Point): Thing {
  return { kind, place: { at }, radius: 0.03 };
}

function rowOf(names: readonly string[], thingAt: (index: number) => Thing): Scene["things"] {
  return Object.fromEntries(names.map((name, index) => [name, thingAt(index)]));
}

function party(): Scene {
  const guests = Object.entries(GUESTS);
  const people = guests.map(([name, { at }]) => [
    name,
    person([...at], name === "Clara" ? "holding the baby" : undefined),
  ]);
  const glasses = guests.map(([, { glass: name }], index) => [
    name,
    glass([0.8 + 0.15 * index, 0.5]),
  ]);
  return {
    table: TABLE,
    agents: { ...Object.fromEntries(people), [ROBOT]: ROBOT_AT_TABLE },
    things: {
      bottle_of_cola: bottle([0.9, 0.2], { cola: 500 }),
      bottle_of_water: bottle([1.2, 0.2], { water: 500 }),
      bottle_of_iced_tea: bottle([1.5, 0.2], { "iced tea": 500 }),
      ...Object.fromEntries(glasses),
    },
  };
}
