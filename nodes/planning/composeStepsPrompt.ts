import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { VALUE_DEFINITIONS, callSchema, strictObject } from "./callSchema.js";
import { backgroundText, earlierTurnsText } from "../shared/conversationText.js";
import type { ComposeStepsInput, Prompt } from "../shared/stageInputs.js";
import { toolLines } from "../../models/toolLines.js";

/**
 * Asks for the calls of all tasks of an outline, with no other tools than those that were chosen for them ("AI
 * Agent 007", alternate solution: recomposition).
 *
 * @param problem what was wrong with the model's last reply
 */
export function composeStepsPrompt(
  input: ComposeStepsInput,
  problem?: string,
): Prompt<"composeSteps"> {
  const { tools, background } = input;
  return {
    stage: "composeSteps",
    input,
    messages: [
      new SystemMessage(
        [...INSTRUCTIONS, `The tools:\n${toolLines(tools)}`, backgroundText(background)]
          .filter(Boolean)
          .join("\n\n"),
      ),
      new HumanMessage(task(input)),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
    schema: {
      ...strictObject({ calls: { type: "array", items: callSchema(tools) } }),
      $defs: VALUE_DEFINITIONS,
    },
  };
}

const INSTRUCTIONS = [
  "A request was split into tasks, each of which one call of a tool does. You write these calls, one for each task and in the order of the tasks; nothing has run yet.",
  [
    'Reply with one JSON object and nothing else: {"calls": [{"tool_name": "name", "arguments": [{"argument_name": "name", "argument_value": value}]}]}.',
    '- What an earlier task gives is written "$$PREV[i]", i being the number of the task, counted from 0; "$$PREV[i].field" and "$$PREV[i][0]" are parts of it. Only tasks before the one at hand can be used, and calls do not stand inside of calls.',
    "- All other values come from the request and the tasks as they are. Invent none, and leave optional arguments out unless the task needs them.",
    '- Where an argument is an object, write its fields as a list: {"object_fields": [{"field_name": "name", "field_value": value}]}.',
  ].join("\n"),
  [
    "With other tools, for the tasks 0. (current_user) Find the current user and 1. (manager_of) Find the manager of $$PREV[0].id:",
    '{"calls": [{"tool_name": "current_user", "arguments": []}, {"tool_name": "manager_of", "arguments": [{"argument_name": "user_id", "argument_value": "$$PREV[0].id"}]}]}',
  ].join("\n"),
];

function task({ request, earlierTurns, tasks }: ComposeStepsInput): string {
  return [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    ["Tasks:", ...tasks.map(taskLine)].join("\n"),
    "Write the calls.",
  ]
    .filter(Boolean)
    .join("\n\n");
}

function taskLine({ thought, tool, task }: ComposeStepsInput["tasks"][number], at: number): string {
  return `${at}. (${tool}) ${task}${thought ? ` [${thought}]` : ""}`;
}
