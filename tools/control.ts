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

/** `stop` where it ends one task of a larger plan, and not the run (DfsTulip). */
export const STOP_TASK: ControlTool = {
  name: STOP.name,
  description:
    "Ends this task with its result. Call it alone, once the result is known, or once it is clear that none of the tools fits the task.",
  parameters: {
    type: "object",
    properties: {
      message: {
        type: "string",
        description: "The result of the task, or what is missing to find it",
      },
      solved: {
        type: "boolean",
        description: "true only if the message is the result of the task",
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
      solved: {
        type: "boolean",
        description:
          "For give_answer: true only if no part of the request is missing; if false, the answer says what is",
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
        description: "Searches, each with the number of the subtask that it is for",
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

/** `search_tools` where the model searches when it wants to, with no subtasks to number (AutoTulip). */
export const SEARCH_LIBRARY: ControlTool = {
  name: SEARCH_TOOLS.name,
  description:
    "Finds tools in the tool library by descriptions of what they do. Tools that are found are on offer from the next step on.",
  parameters: {
    type: "object",
    properties: {
      action_descriptions: {
        type: "array",
        description:
          "For each thing to do: what the tool does, in general words and without the values at hand",
        items: { type: "string" },
        minItems: 1,
      },
    },
    required: ["action_descriptions"],
    additionalProperties: false,
  },
};

/** Asks for the ordered parts of a task (AutoTulip). */
export const DECOMPOSE_TASK: ControlTool = {
  name: "decompose_task",
  description:
    "Splits a task into ordered subtasks, each of which one call of one tool can do. For tasks for which no tool was found as they are.",
  parameters: {
    type: "object",
    properties: { task: { type: "string", description: "The task in words, with its values" } },
    required: ["task"],
    additionalProperties: false,
  },
};

/** Asks for a new tool (AutoTulip). */
export const CREATE_TOOL: ControlTool = {
  name: "create_tool",
  description:
    "Has a new tool written, tested and added to the tool library; it is on offer from the next step on. Only for what no tool that a search finds can do.",
  parameters: {
    type: "object",
    properties: {
      task_description: {
        type: "string",
        description:
          "What the tool does, in general words: its inputs, its result, and what it does in special cases",
      },
    },
    required: ["task_description"],
    additionalProperties: false,
  },
};

/** Asks for a change of a tool (AutoTulip). */
export const UPDATE_TOOL: ControlTool = {
  name: "update_tool",
  description:
    "Has a tool that was created before rewritten and tested; it behaves newly from the next step on. Its name stays.",
  parameters: {
    type: "object",
    properties: {
      tool_name: { type: "string", description: "Name of the tool" },
      instruction: { type: "string", description: "What shall change, and what shall stay" },
    },
    required: ["tool_name", "instruction"],
    additionalProperties: false,
  },
};

/** Asks for the removal of a tool (AutoTulip). */
export const DELETE_TOOL: ControlTool = {
  name: "delete_tool",
  description:
    "Removes a tool that was created before from the tool library. Only when the user wants it to be removed.",
  parameters: {
    type: "object",
    properties: { tool_name: { type: "string", description: "Name of the tool" } },
    required: ["tool_name"],
    additionalProperties: false,
  },
};

/** The control tools of a graph whose model keeps the library itself (AutoTulip). */
export const LIBRARY_CONTROLS: readonly ControlTool[] = [
  SEARCH_LIBRARY,
  DECOMPOSE_TASK,
  CREATE_TOOL,
  UPDATE_TOOL,
  DELETE_TOOL,
];

/** Names that no tool of a library may take on the wire. */
export const CONTROL_NAMES: readonly string[] = [STOP, FINISH, ...LIBRARY_CONTROLS].map(
  ({ name }) => name,
);
