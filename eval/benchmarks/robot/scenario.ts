import type { RobotTask } from "./robotTask.js";

/** Reasons as people put them: at least one of the words has to be said. */
const NOT_REACHED = ["reach", "reached", "too far", "far away"];
const NOT_SEEN = ["see", "seen", "hidden", "sight", "view", "behind"];
const IS_BUSY = ["busy", "salad", "hands full", "occupied"];

/**
 * The published sequence of six situations at one table (Tulip Agent, Ocker et al. 2024,
 * arXiv:2407.21778), with words and places of our own. Each begins with what the ones before it leave
 * when they go right, so that a mistake costs one situation and not all that follow.
 */
export const SCENARIO: readonly RobotTask[] = [
  {
    id: "situation-1",
    query: "Felix says to Daniel: Which drinks do we have on the table?",
    gold: [],
    expected: { start: "breakfast", outcomes: [[]], speech: "silence" },
  },
  {
    id: "situation-2",
    query:
      'Felix has just asked Daniel which drinks are on the table. Daniel says to Felix: "We have cola and orange juice."',
    gold: [
      {
        tool: "speak",
        args: {
          person_name: "Felix",
          text: "There is no orange juice, but there are cola and iced tea.",
        },
      },
    ],
    expected: {
      start: "breakfast",
      outcomes: [[]],
      // The one who has heard it wrong, or the one who has said it.
      speech: { to: ["Felix", "Daniel", "All"], says: [["iced tea", "ice tea"]] },
    },
  },
  {
    id: "situation-3",
    query: "Felix says to Daniel: Could you hand me the red glass, please?",
    gold: [
      {
        tool: "speak",
        args: {
          person_name: "Felix",
          text: "Daniel cannot reach the red glass, so I will give it to you.",
        },
      },
      {
        tool: "hand_object_over_to_person",
        args: { object_name: "red_glass", person_name: "Felix" },
      },
    ],
    expected: {
      start: "breakfast",
      outcomes: [[{ thing: "red_glass", is: "held by", person: "Felix" }]],
      speech: { to: ["Felix", "All"], says: [NOT_REACHED] },
    },
  },
  {
    id: "situation-4",
    query: "Felix says to Daniel: Could you pass me the bottle of cola?",
    gold: [
      {
        tool: "speak",
        args: {
          person_name: "Felix",
          text: "Daniel is busy mixing the salad, so I will hand you the bottle of cola.",
        },
      },
      {
        tool: "hand_object_over_to_person",
        args: { object_name: "bottle_of_cola", person_name: "Felix" },
      },
    ],
    expected: {
      start: "daniel busy",
      outcomes: [[{ thing: "bottle_of_cola", is: "held by", person: "Felix" }]],
      // Who prepares as much as possible may fill the glass that Felix has, too.
      mayChange: ["red_glass"],
      speech: { to: ["Felix", "All"], says: [IS_BUSY] },
    },
  },
  {
    id: "situation-5",
    query: "Daniel says to Felix: Could you give me the blue glass, please?",
    gold: [
      {
        tool: "speak",
        args: {
          person_name: "Daniel",
          text: "Felix can neither see nor reach the blue glass, so I will put it near you.",
        },
      },
      {
        tool: "move_object_to_person",
        args: { object_name: "blue_glass", person_name: "Daniel" },
      },
    ],
    expected: {
      start: "cola at felix",
      // Daniel has no hand free.
      outcomes: [[{ thing: "blue_glass", is: "near", person: "Daniel" }]],
      speech: { to: ["Daniel", "All"], says: [[...NOT_SEEN, ...NOT_REACHED]] },
    },
  },
  {
    id: "situation-6",
    query: "Felix says to Robot: What is Daniel busy with?",
    gold: [{ tool: "speak", args: { person_name: "Felix", text: "Daniel is mixing the salad." } }],
    expected: {
      start: "glass at daniel",
      outcomes: [[]],
      speech: { to: ["Felix", "All"], says: [["salad"]] },
    },
  },
];
