import type { ParametersSchema } from "./tool.js";

/** A tool that steers the run. It is never part of a library and never counts as a search hit. */
export interface ControlTool {
  name: string;
  description: string;
  parameters: ParametersSchema;
}

/** The parameters of a control tool; without a list, all are required. */
function takes(
  properties: ParametersSchema["properties"],
  required: string[] = Object.keys(properties),
): ParametersSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

const text = (description: string) => ({ type: "string", description });
const truth = (description: string) => ({ type: "boolean", description });

/** How a model says that it did nothing because nothing was to be done; only then does a run end as `answered`. */
const NO_TOOL_NEEDED = {
  no_tool_needed: truth(
    "true only if the request asks for nothing that a tool does, such as a greeting or thanks",
  ),
};

/** Ends the run with its answer (Tulip Agent). */
export const STOP: ControlTool = {
  name: "stop",
  description:
    "Give the final answer. Call alone, once you have the needed results, the request cannot be fulfilled, or you have to ask the user.",
  parameters: takes(
    {
      message: text("The complete answer, with every value asked for"),
      solved: truth("true only if nothing requested is missing; if false, say in message what is"),
      ...NO_TOOL_NEEDED,
    },
    ["message", "solved"],
  ),
};

/** `stop` when it ends one task of a larger plan rather than the run (DfsTulip). */
export const STOP_TASK: ControlTool = {
  name: STOP.name,
  description: "End this task. Call alone, once you know its result or no tool fits.",
  parameters: takes(
    {
      message: text("The result of the task, or what is missing"),
      solved: truth("true only if message is the result"),
      ...NO_TOOL_NEEDED,
    },
    ["message", "solved"],
  ),
};

/** Ends a branch of a step search, with the answer or to try another way (ToolBench, BTP). */
export const FINISH: ControlTool = {
  name: "finish",
  description: "Finish, once the results allow an answer or this way leads nowhere. Call alone.",
  parameters: takes(
    {
      return_type: {
        type: "string",
        enum: ["give_answer", "give_up_and_restart"],
        description: "give_up_and_restart: try another way from the start",
      },
      final_answer: text(
        "The complete answer, with every value asked for (required for give_answer). Otherwise: why",
      ),
      solved: truth(
        "true only if nothing requested is missing; if false, say in final_answer what is",
      ),
      ...NO_TOOL_NEEDED,
    },
    ["return_type"],
  ),
};

/** Searches the library for tools. */
export const SEARCH_TOOLS: ControlTool = {
  name: "search_tools",
  description: "Search the tool library by what tools do.",
  parameters: takes({
    searches: {
      type: "array",
      description: "Each search serves one subtask",
      items: takes({
        subtask: { type: "integer", description: "Its number" },
        phrase: text("What the tool does, in general words without specific values"),
      }),
    },
  }),
};

/** `search_tools` for a model that searches in the middle of its work and has no numbered subtasks. */
export const SEARCH_LIBRARY: ControlTool = {
  name: SEARCH_TOOLS.name,
  description:
    "If no tool on offer fits, search for others. You can call what is found from the next step.",
  parameters: takes({
    action_descriptions: {
      type: "array",
      description:
        "Per thing to do: what the tool does, in general words without values; or the name of a tool or a group",
      items: { type: "string" },
      minItems: 1,
    },
  }),
};

/** Splits a task into ordered parts (AutoTulip). */
export const DECOMPOSE_TASK: ControlTool = {
  name: "decompose_task",
  description:
    "Split a task for which no tool was found into ordered subtasks, each doable with one tool call.",
  parameters: takes({ task: text("The task, with its values") }),
};

/** Asks for a new tool (AutoTulip). */
export const CREATE_TOOL: ControlTool = {
  name: "create_tool",
  description:
    "Have a tool written and tested; callable from the next step. Only if no search finds one that can.",
  parameters: takes({
    task_description: text("What the tool does, in general words: inputs, result, special cases"),
  }),
};

/** Changes a tool (AutoTulip). */
export const UPDATE_TOOL: ControlTool = {
  name: "update_tool",
  description:
    "Have a created tool rewritten and tested, under the same name. Effective from the next step.",
  parameters: takes({
    tool_name: text("Its name"),
    instruction: text("What to change and what to keep"),
  }),
};

/** Deletes a tool (AutoTulip). */
export const DELETE_TOOL: ControlTool = {
  name: "delete_tool",
  description: "Delete a previously created tool. Only if the user wants it.",
  parameters: takes({ tool_name: text("Its name") }),
};

/** The control tools of a graph whose model maintains the library itself (AutoTulip). */
export const LIBRARY_CONTROLS: readonly ControlTool[] = [
  SEARCH_LIBRARY,
  DECOMPOSE_TASK,
  CREATE_TOOL,
  UPDATE_TOOL,
  DELETE_TOOL,
];

/** Names that library tools may not use when offered to a model. */
export const CONTROL_NAMES: readonly string[] = [STOP, FINISH, ...LIBRARY_CONTROLS].map(
  ({ name }) => name,
);
