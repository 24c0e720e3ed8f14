import type { SummarizeInput } from "../../nodes/searching-steps/summarize.js";
import type { AggregateInput } from "../../nodes/shared/askResult.js";
import type { TaskResult } from "../../nodes/shared/stageInputs.js";
import { answerOf, nameOf, resultText, sentence } from "./answer.js";
import { splitSubtask, withoutLabel } from "./splitting.js";
import type { Reply } from "../prompt.js";

/** The answer of the search; without one, what was found and what could not be done. */
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

/** The result of a task: those of its parts that no other part used. */
export async function replyToAggregate(input: AggregateInput): Promise<Reply> {
  const { request, task, results } = input;
  const lacking = results.filter(({ result }) => result.trim() === "");
  if (results.length === 0 || lacking.length > 0) {
    const without = lacking.map((one) => one.task).join("; ") || task;
    return aggregated(`There is no result for: ${without}.`, false);
  }
  const finals = await finalResults(task, results);
  const [only, ...others] = finals;
  // Other tasks use the bare result; the answer to the request is a sentence.
  const isBare = only !== undefined && others.length === 0 && task !== request;
  const named = finals.map((one) => ({ name: nameOf(withoutLabel(one.task)), value: one.result }));
  return aggregated(isBare ? only.result : sentence(named), true);
}

/** Results that no part of the task uses; the last one if the planner would split the task otherwise. */
async function finalResults(
  task: string,
  results: readonly TaskResult[],
): Promise<readonly TaskResult[]> {
  const parts = await splitSubtask(withoutLabel(task));
  if (parts.length !== results.length) return results.slice(-1);
  const used = new Set(
    parts.flatMap((part) =>
      [...part.matchAll(/\bresults? of part (\d+)\b/gi)].map(([, number]) => Number(number)),
    ),
  );
  return results.filter((_, at) => !used.has(at + 1));
}

function aggregated(result: string, solved: boolean): Reply {
  return { text: JSON.stringify({ result, solved }) };
}
