import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../../tools/tool.js";
import { nameSchema, strictObject } from "./callSchema.js";
import { backgroundText, earlierTurnsText } from "../shared/conversationText.js";
import { planDemonstrationsText } from "./planDemonstrations.js";
import type { OutlineInput, Prompt } from "../shared/stageInputs.js";
import { toolLines } from "../../models/toolLines.js";

/** What stands in place of a tool for a task that needs none ("AI Agent 007"). */
export const NO_TOOL = "no_tool";

/**
 * Asks for the tasks of a request in their order, each with a thought and the tool that does it ("AI Agent
 * 007", alternate solution: decomposition).
 *
 * @param problem what was wrong with the model's last reply
 */
export function outlinePrompt(input: OutlineInput, problem?: string): Prompt<"outline"> {
  return {
    stage: "outline",
    input,
    messages: [
      new SystemMessage(
        [
          ...INSTRUCTIONS,
          `Tools:\n${toolLines(input.tools)}`,
          planDemonstrationsText(input.demonstrations, { style: "stateAction" }),
          backgroundText(input.background),
        ]
          .filter(Boolean)
          .join("\n\n"),
      ),
      new HumanMessage(
        [earlierTurnsText(input.earlierTurns), `Request: ${input.request}`]
          .filter(Boolean)
          .join("\n\n"),
      ),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
    schema: outlineSchema(input),
  };
}

const INSTRUCTIONS = [
  "You split a request into tasks, each of which one call of one tool does. The calls themselves are written later, one by one, by somebody who sees your tasks and the tool of each.",
  [
    'Reply with one JSON object and nothing else: {"tasks": [{"thought": "...", "tool_name": "...", "task": "..."}]}.',
    "- thought: why this is needed now, in one sentence. task: what the call has to do, with every value that it needs from the request.",
    `- tool_name: one of the tools below, or "${NO_TOOL}" for what needs a thought but no tool. Other tasks cannot refer to such a task.`,
    "- What an earlier task gives is written $$PREV[i], i being its position in the list, counted from 0; $$PREV[i].field is a part of it.",
    "- As few tasks as do it. Plan the part of the request that the tools can do, and leave the rest out; if they can do none of it, the list is empty.",
  ].join("\n"),
  [
    "With other tools:",
    "Request: Send my boss the weather in Lyon",
    '{"tasks": [{"thought": "My boss can only be looked up from me.", "tool_name": "current_user", "task": "Find the current user"}, {"thought": "The message goes to the boss.", "tool_name": "manager_of", "task": "Find the manager of $$PREV[0].id"}, {"thought": "What to send.", "tool_name": "weather", "task": "Get the weather in Lyon"}, {"thought": "All is known now.", "tool_name": "send_message", "task": "Send $$PREV[2] to $$PREV[1]"}]}',
    "Request: Paint the fence",
    '{"tasks": []}',
  ].join("\n"),
];

function outlineSchema({ tools }: OutlineInput): JsonSchema {
  return strictObject({
    tasks: {
      type: "array",
      items: strictObject({
        thought: { type: "string", description: "Why this is needed now" },
        tool_name: nameSchema([...tools.map(({ name }) => name), NO_TOOL]),
        task: { type: "string", description: "What the call has to do" },
      }),
    },
  });
}
