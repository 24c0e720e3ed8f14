import type { ParametersSchema } from "./tool.js";

/** A tool that steers the run. It is never part of a library and never counts as a hit. */
export interface ControlTool {
  name: string;
  description: string;
  parameters: ParametersSchema;
}

/** Ends the run with its answer (Tulip Agent). */
export const STOP: ControlTool = {
  name: "stop",
  description:
    "Ends the work and gives the user the final answer. Call it alone, once the results that the answer needs are known, or once it is clear that the request cannot be fulfilled.",
  parameters: {
    type: "object",
    properties: {
      message: {
        type: "string",
        description: "The complete final answer for the user, with the values that were asked for",
      },
      solved: {
        type: "boolean",
        description:
          "true only if no part of the request is missing; if false, the message says what is",
      },
    },
    required: ["message", "solved"],
    additionalProperties: false,
  },
};

/** Ends a branch of a search over steps: with the answer, or to try another way (ToolBench, BTP). */
export const FINISH: ControlTool = {
  name: "finish",
  description:
    "Ends the work: give_answer once the results allow an answer, give_up_and_restart when this way leads nowhere and another one should be tried. Call it alone.",
  parameters: {
    type: "object",
    properties: {
      return_type: {
        type: "string",
        enum: ["give_answer", "give_up_and_restart"],
        description: "give_answer, or give_up_and_restart to try another way from the start",
      },
      final_answer: {
        type: "string",
        description:
          "The complete final answer for the user, with the values that were asked for; needed for give_answer. For give_up_and_restart, why.",
      },
    },
    required: ["return_type"],
    additionalProperties: false,
  },
};

/** Asks the library for tools. */
export const SEARCH_TOOLS: ControlTool = {
  name: "search_tools",
  description: "Finds tools in the tool library by descriptions of what they do.",
  parameters: {
    type: "object",
    properties: {
      searches: {
        type: "array",
        description: "At least one search for each numbered subtask",
        items: {
          type: "object",
          properties: {
            subtask: { type: "integer", description: "Number of the subtask" },
            phrase: {
              type: "string",
              description: "What the tool does, in general words and without the values at hand",
            },
          },
          required: ["subtask", "phrase"],
          additionalProperties: false,
        },
      },
    },
    required: ["searches"],
    additionalProperties: false,
  },
};

/** Names that no tool of a library may take on the wire. */
export const CONTROL_NAMES: readonly string[] = [STOP.name, FINISH.name, SEARCH_TOOLS.name];
