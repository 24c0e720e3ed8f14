import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { VALUE_DEFINITIONS, callSchema } from "./callSchema.js";
import { backgroundText, earlierTurnsText } from "./conversation.js";
import type { ComposeStepInput, Prompt } from "./stages.js";
import { toolLines } from "./toolLines.js";

/**
 * Asks for the call of one task of an outline, with the one tool that was chosen for it ("AI Agent 007",
 * alternate solution: recomposition).
 *
 * @param problem what was wrong with the model's last reply
 */
export function composeStepPrompt(
  input: ComposeStepInput,
  problem?: string,
): Prompt<"composeStep"> {
  const { tool, background } = input;
  return {
    stage: "composeStep",
    input,
    messages: [
      new SystemMessage(
        [...INSTRUCTIONS, `The tool:\n${toolLines([tool])}`, backgroundText(background)]
          .filter(Boolean)
          .join("\n\n"),
      ),
      new HumanMessage(task(input)),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
    schema: { ...callSchema([tool]), $defs: VALUE_DEFINITIONS },
  };
}

const INSTRUCTIONS = [
  "A request was split into tasks, each of which one call of a tool does. You write the call for one of them; nothing has run yet.",
  [
    'Reply with one JSON object and nothing else: {"tool_name": "name", "arguments": [{"argument_name": "name", "argument_value": value}]}.',
    '- What an earlier task gives is written "$$PREV[i]", i being the number of the task; "$$PREV[i].field" and "$$PREV[i][0]" are parts of it. Only tasks before this one can be used, and calls do not stand inside of calls.',
    "- All other values come from the request and the task as they are. Invent none, and leave optional arguments out unless the task needs them.",
    '- Where an argument is an object, write its fields as a list: {"object_fields": [{"field_name": "name", "field_value": value}]}.',
  ].join("\n"),
  [
    "With another tool, for the task 1. (manager_of) Find the manager of $$PREV[0].id:",
    '{"tool_name": "manager_of", "arguments": [{"argument_name": "user_id", "argument_value": "$$PREV[0].id"}]}',
  ].join("\n"),
];

function task({ request, earlierTurns, position, tasks }: ComposeStepInput): string {
  return [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    ["Tasks, up to the one at hand:", ...tasks.map(taskLine)].join("\n"),
    `Write the call for task ${position}.`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

function taskLine({ thought, tool, task }: ComposeStepInput["tasks"][number], at: number): string {
  return `${at}. (${tool}) ${task}${thought ? ` [${thought}]` : ""}`;
}
