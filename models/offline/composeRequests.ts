import type { WriteQueryInput } from "../../nodes/shared/stageInputs.js";
import type { Reply } from "./message.js";

const CANNOT_INVENT =
  "The offline planner cannot think of requests; use a language model with --model.";

const CANNOT_REWRITE =
  "The offline planner cannot say a request in other words; use a language model with --model.";

/** A request that asks for the calls given in plain sentences; without calls it would have to be thought of. */
export async function replyToWriteQuery({ steps }: WriteQueryInput): Promise<Reply> {
  if (steps.length === 0) return { text: CANNOT_INVENT, refusal: true };
  return { text: JSON.stringify({ request: steps.map(asSentence).join(" ") }) };
}

/** Other words need a language model. */
export async function replyToRewrite(): Promise<Reply> {
  return { text: CANNOT_REWRITE, refusal: true };
}

function asSentence(step: string): string {
  const text = step.trim();
  const end = /[.?!]$/.test(text) ? "" : ".";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}
