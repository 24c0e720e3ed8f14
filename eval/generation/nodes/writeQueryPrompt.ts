import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { JsonSchema } from "../../../tools/tool.js";
import { backgroundText } from "../../../nodes/shared/conversationText.js";
import type { Prompt, WriteQueryInput } from "../../../nodes/shared/stageInputs.js";
import { toolLines } from "../../../models/toolLines.js";

/** The reply of `writeQuery`. */
export const QUERY_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    request: { type: "string", description: "The request, in the person's own words" },
  },
  required: ["request"],
  additionalProperties: false,
};

/**
 * Asks for the request of a person: from steps ("AI Agent 007", flow-based), or freely from a persona and
 * what there is to ask about (persona-based).
 *
 * @param problem what was wrong with the model's last reply
 */
export function writeQueryPrompt(input: WriteQueryInput, problem?: string): Prompt<"writeQuery"> {
  return {
    stage: "writeQuery",
    input,
    messages: [
      new SystemMessage(instructions(input)),
      new HumanMessage(question(input)),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
    schema: QUERY_SCHEMA,
  };
}

function instructions({ steps, background }: WriteQueryInput): string {
  return [
    "You write requests that people send to an assistant. Write one, short and natural, as this person would type it: what is wanted, in everyday words, without naming tools, arguments or steps.",
    steps.length > 0
      ? "It asks for exactly what the steps do, all of them, and nothing more. Results that a later step uses are not asked for by themselves. Every value in the steps stands in the request as it is: numbers in digits, identifiers, names, days and texts in quotes letter for letter."
      : "It can be done with the tools shown, best with two or three of them where one uses what another gives. It names everything that is needed to do it, with values and things that there are; it invents no identifier and no name.",
    'Reply with a JSON object: {"request": "..."}.',
    backgroundText(background),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function question({ persona, steps, tools, facts, taken }: WriteQueryInput): string {
  return [
    `The person: ${persona}`,
    `What the assistant can do:\n${toolLines(tools)}`,
    listed("The steps that the request has to lead to:", steps),
    listed("Things that there are:", facts),
    listed("Requests that were written before, to be unlike:", taken),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function listed(head: string, lines: readonly string[]): string {
  return lines.length > 0 ? [head, ...lines.map((line) => `- ${line}`)].join("\n") : "";
}
