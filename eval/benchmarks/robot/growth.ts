import type { GoldCall } from "../benchmark.js";
import type { Condition } from "./expectation.js";
import type { RobotTask } from "./robotTask.js";
import { BEFORE_PHONE, BEFORE_ROBOT, GUESTS, UNEVEN } from "./scenes.js";

/**
 * Model calls that a run of these tasks may make. Enough to look for tools, write one, call it and
 * answer; too few for the calls of the shipped tools one by one.
 */
export const MOST_MODEL_CALLS = 8;

/**
 * Tasks in which each step is known only after the one before: what stands in the way is named one thing
 * at a time, and what stands behind that shows only when it is gone. However many calls a model makes at
 * once, more replies are needed than it has, unless it guesses; a tool that repeats looking and moving
 * needs one call.
 */
export const CLOSED_LOOP: readonly RobotTask[] = [
  {
    id: "growth-clear-view",
    query:
      "Felix says to Robot: I hear my phone, but I cannot see it. Take away whatever hides it from me, and leave everything else where it is.",
    gold: BEFORE_PHONE.map((name) => moveAway(name, "Felix")),
    expected: {
      start: "row before the phone",
      outcomes: [[{ thing: "phone", is: "seen by", person: "Felix" }]],
      mayChange: BEFORE_PHONE,
    },
    maxModelCalls: MOST_MODEL_CALLS,
  },
  {
    id: "growth-clear-way",
    query:
      "Felix says to Robot: Please give me the blue glass. If anything stands in your way, move it away from me; leave everything else where it is.",
    gold: [...BEFORE_ROBOT.map((name) => moveAway(name, "Felix")), handOver("blue_glass", "Felix")],
    expected: {
      start: "row before the robot",
      outcomes: [[{ thing: "blue_glass", is: "held by", person: "Felix" }]],
      mayChange: BEFORE_ROBOT,
    },
    maxModelCalls: MOST_MODEL_CALLS,
  },
  {
    id: "growth-pour-from-behind",
    query:
      "Daniel says to Robot: Please fill the red glass with iced tea from the bottle and hand it to me. If anything stands in your way, move it away from me; leave everything else where it is.",
    gold: [
      ...BEFORE_ROBOT.map((name) => moveAway(name, "Daniel")),
      pour("bottle_of_iced_tea", "red_glass"),
      handOver("red_glass", "Daniel"),
    ],
    expected: {
      start: "row before the bottle",
      outcomes: [
        [
          { thing: "red_glass", is: "held by", person: "Daniel" },
          { container: "red_glass", holds: { "iced tea": 250 } },
        ],
      ],
      mayChange: [...BEFORE_ROBOT, "bottle_of_iced_tea"],
    },
    maxModelCalls: MOST_MODEL_CALLS,
  },
];

const ORDERS = Object.entries(GUESTS);

const NEAREST_FIRST = ["spoon", "matches", "salt", "knife", "fork", "pepper", "napkin", "candle"];

/**
 * Tasks of many steps, or with values that have to be computed. One call at a time, they do not fit into
 * the model calls of a run; a model that foresees all steps can make the calls of one task at once, and
 * then needs no tool of its own.
 */
export const MANY_STEPS: readonly RobotTask[] = [
  {
    id: "growth-serve-everyone",
    query: `Felix says to Robot: Please serve everyone a full glass: ${ORDERS.map(([name, { bottle, glass }]) => `${name} from the ${bottle} in the ${glass}`).join(", ")}. Hand each glass over; whoever is busy gets it put near.`,
    gold: ORDERS.flatMap(([name, { bottle, glass }]) => [
      pour(bottle, glass),
      name === "Clara" ? moveTo(glass, name) : handOver(glass, name),
    ]),
    expected: {
      start: "party",
      outcomes: [ORDERS.flatMap(([name, { bottle, glass }]) => served({ name, bottle, glass }))],
      mayChange: ["bottle_of_cola", "bottle_of_water", "bottle_of_iced_tea"],
    },
    maxModelCalls: MOST_MODEL_CALLS,
  },
  {
    id: "growth-tidy-nearest-first",
    query:
      "Felix says to Robot: A small child is going to sit on Daniel's lap. Move everything that Daniel can reach away from him, the nearest thing first.",
    gold: NEAREST_FIRST.map((name) => moveAway(name, "Daniel")),
    expected: {
      start: "laid for daniel",
      outcomes: [
        NEAREST_FIRST.map((thing) => ({ thing, is: "out of reach of", person: "Daniel" })),
      ],
      order: NEAREST_FIRST,
    },
    maxModelCalls: MOST_MODEL_CALLS,
  },
  {
    id: "growth-even-out",
    query:
      "Felix says to Robot: The nine glasses of water are filled unevenly. Pour from one into another until all of them hold the same amount.",
    gold: evenOut(),
    expected: {
      start: "uneven glasses",
      outcomes: [
        UNEVEN.map((_water, index) => ({ container: glassAt(index), holds: { water: 120 } })),
      ],
    },
    maxModelCalls: MOST_MODEL_CALLS,
  },
];

function served({ name, bottle, glass }: Record<"name" | "bottle" | "glass", string>): Condition[] {
  const drink = bottle.replace("bottle_of_", "").replaceAll("_", " ");
  return [
    { container: glass, holds: { [drink]: 250 } },
    { thing: glass, is: name === "Clara" ? "near" : "held by", person: name },
  ];
}

/** From the fullest into the emptiest, until one of the two is right. */
function evenOut(): GoldCall[] {
  const water = [...UNEVEN];
  const average = water.reduce((sum, ml) => sum + ml, 0) / water.length;
  const calls: GoldCall[] = [];
  while (water.some((ml) => ml !== average)) {
    const from = water.indexOf(Math.max(...water));
    const into = water.indexOf(Math.min(...water));
    const ml = Math.min((water[from] ?? 0) - average, average - (water[into] ?? 0));
    water[from] = (water[from] ?? 0) - ml;
    water[into] = (water[into] ?? 0) + ml;
    calls.push(pour(glassAt(from), glassAt(into), ml));
  }
  return calls;
}

function glassAt(index: number): string {
  return `glass_${index + 1}`;
}

function moveAway(object_name: string, away_from: string): GoldCall {
  return { tool: "move_object_away_from_person", args: { object_name, away_from } };
}

function moveTo(object_name: string, person_name: string): GoldCall {
  return { tool: "move_object_to_person", args: { object_name, person_name } };
}

function handOver(object_name: string, person_name: string): GoldCall {
  return { tool: "hand_object_over_to_person", args: { object_name, person_name } };
}

function pour(source: string, target: string, amount_ml?: number): GoldCall {
  return {
    tool: "pour_into",
    args: {
      source_container_name: source,
      target_container_name: target,
      ...(amount_ml === undefined ? {} : { amount_ml }),
    },
  };
}
