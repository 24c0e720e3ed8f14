import type { SummarizeInput } from "../../prompts/stages.js";
import { answerOf, nameOf, resultText } from "./answer.js";
import type { Reply } from "./message.js";

/** The answer that the search gave; without one, what was found and what could not be done. */
export async function replyToSummarize({ findings, draft }: SummarizeInput): Promise<Reply> {
  const answer = draft.trim() || findingsText(findings);
  return { text: JSON.stringify({ answer }) };
}

function findingsText(findings: SummarizeInput["findings"]): string {
  const calls = findings.flatMap(({ tool, calls: made }) =>
    made.map((call) => ({ ...call, name: nameOf(tool.description) })),
  );
  const results = calls
    .filter(({ error }) => error === undefined)
    .map(({ name, result }) => ({ name, value: resultText(result) }));
  const failed = calls.flatMap(({ name, error }) =>
    error === undefined ? [] : [`${name} could not be done: ${error}`],
  );
  return answerOf({ failed, missed: [], results }).message;
}
