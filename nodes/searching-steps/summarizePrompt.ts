import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../../tools/tool.js";
import { backgroundText, earlierTurnsText } from "../shared/conversationText.js";
import { cutObservation } from "../../state/observation.js";
import type { Prompt, SummarizeInput } from "../shared/stageInputs.js";

/** The reply of `summarize`. */
export const ANSWER_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    answer: { type: "string", description: "The complete final answer for the user" },
  },
  required: ["answer"],
  additionalProperties: false,
};

/**
 * Asks for the final answer from all that the calls of a run gave, those of abandoned branches among
 * them (BTP), where no branch came to an answer.
 *
 * @param problem what was wrong with the model's last reply
 */
export function summarizePrompt(input: SummarizeInput, problem?: string): Prompt<"summarize"> {
  return {
    stage: "summarize",
    once: true,
    input,
    messages: [
      new SystemMessage(instructions(input)),
      new HumanMessage(material(input)),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
    schema: ANSWER_SCHEMA,
  };
}

function instructions({ background }: SummarizeInput): string {
  return [
    "An agent has worked on a request with tools. You are shown the request and all calls that were made, and write the final answer for the user.",
    "Use only facts that the results give, with their values as they stand there; add nothing that you know yourself or suppose. Answer every part of the request in detail. Leave out results that it does not ask for, and do not speak of tools, calls or their names. Where a part could not be resolved, say which one, and explain why as far as the results show it.",
    'Reply with a JSON object: {"answer": "..."}',
    backgroundText(background),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function material({ request, earlierTurns, findings }: SummarizeInput): string {
  return [earlierTurnsText(earlierTurns), `Request: ${request}`, ...findings.map(findingText)]
    .filter(Boolean)
    .join("\n\n");
}

function findingText({ tool, calls }: SummarizeInput["findings"][number]): string {
  return [
    `Tool: ${[tool.name, tool.description].filter(Boolean).join(": ")}`,
    ...calls.map(
      ({ args, result, error }) =>
        `Arguments: ${JSON.stringify(args)}\n${error === undefined ? `Result: ${resultText(result)}` : `Error: ${cutObservation(error)}`}`,
    ),
  ].join("\n");
}

function resultText(result: unknown): string {
  const text = typeof result === "string" ? result : JSON.stringify(result);
  return text ? cutObservation(text) : "(none)";
}
