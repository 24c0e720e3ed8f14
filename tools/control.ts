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
export const CONTROL_NAMES: readonly string[] = [STOP.name, SEARCH_TOOLS.name];
