import type { Task } from "../benchmarks/benchmark.js";
import { claimsSuccess, judgedByNumbers } from "./answers.js";
import { ARGUMENT_SCORES } from "./arguments.js";
import type { Score, Scored } from "./scorer.js";
import { TOOL_SCORES } from "./tools.js";

/** The verdict on tasks that say what a run must not do, and on the other tasks of their file. */
export const asAsked: Score = (scored) => {
  const { mustNot } = scored.task;
  if (!mustNot) return undefined;
  return mustNot.some((what) => BROKEN[what](scored)) ? 0 : expected(scored);
};

const BROKEN: Record<NonNullable<Task["mustNot"]>[number], (scored: Scored) => boolean> = {
  solve: ({ run }) => claimsSuccess(run),
  write: ({ run }) => run.status === "waiting",
};

/** The scores that compare with what a task expects, the first that applies. */
const COMPARING: readonly Score[] = [
  ({ task, run }) => judgedByNumbers(task.answers, run.answer),
  ARGUMENT_SCORES.callMatch,
  TOOL_SCORES.toolMatch,
];

/** With nothing expected, a run that did nothing forbidden is right. */
function expected(scored: Scored): number {
  const { run } = scored;
  for (const score of COMPARING) {
    const value = score(scored);
    if (value !== undefined) return claimsSuccess(run) || run.status === "answered" ? value : 0;
  }
  return 1;
}
