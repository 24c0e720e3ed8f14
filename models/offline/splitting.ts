import { isDeepStrictEqual } from "node:util";
import type { DecomposeInput } from "../../nodes/finding/decompose.js";
import { splitRequest } from "./clauses.js";
import { labelled, withoutLabel } from "./labels.js";
import type { Reply } from "./message.js";
import { splitSubtask, splitTask } from "./numbering.js";

/** The subtasks of a task; none where it has no parts and was missed as a whole. */
export async function replyToDecompose(input: DecomposeInput): Promise<Reply> {
  return { text: JSON.stringify({ subtasks: await subtasksOf(input) }) };
}

async function subtasksOf(input: DecomposeInput): Promise<string[]> {
  const { style, task, depth } = input;
  if (style === "tree") return await planOfTree(input);
  if (depth === 0) return await splitRequest(task);
  const parts = await splitSubtask(task);
  // A missed subtask that stays whole has no parts: saying it again would only miss again.
  return parts.length <= 1 ? [] : parts;
}

/** The parts of a task; none when it is whole, or when these are the parts that have failed before. */
async function planOfTree(input: DecomposeInput): Promise<string[]> {
  const { task, earlierResults = [], failedPlans = [] } = input;
  const split = await splitTask(withoutLabel(task), earlierResults.length);
  const parts = split.map((part) => labelled(part));
  const isKnown = failedPlans.some(({ subtasks }) => isDeepStrictEqual(subtasks, parts));
  return parts.length <= 1 || isKnown ? [] : parts;
}
