import {
  compareMadeTools,
  MADE_TOOLS,
  type MadeTools,
  type WantedTools,
} from "../benchmarks/creation/compareMadeTools.js";
import { sameWorkChange } from "../benchmarks/work/workChange.js";
import { claimsSuccess, hasWords, isSolvable } from "./answers.js";
import { type Scored, scoreOf, type Scores } from "./scorer.js";

/** What a run did to the benchmark's world, and how it ended. Undefined if the task or the run has no change. */
export const WORLD_SCORES = {
  stateMatch: (scored) => {
    const change = compareChanges(scored);
    return change && Number(change.same);
  },
  sideEffects: (scored) => compareChanges(scored)?.unwanted,
  rightInAll: (scored) => scoreOf(isRight(scored)),
  falselySolved: (scored) => {
    const right = isRight(scored);
    return scoreOf(right === undefined ? undefined : !right && claimsSuccess(scored.run));
  },
  toolMade: (scored) => {
    const { wanted, made } = creationOf(scored) ?? {};
    const isWanted = wanted?.kind === "create" || wanted?.kind === "update";
    return scoreOf(isWanted ? made?.edits.some(({ outcome }) => outcome === "done") : undefined);
  },
  hiddenChecks: (scored) => {
    const { checks = 0, made } = creationOf(scored) ?? {};
    return made && checks > 0 ? made.passed / checks : undefined;
  },
  drafts: (scored) => {
    const edits = creationOf(scored)?.made.edits ?? [];
    const done = edits.filter(({ outcome }) => outcome === "done").length;
    const failed = edits.reduce((sum, { failures }) => sum + failures, 0);
    return done > 0 ? (failed + done) / done : undefined;
  },
} satisfies Scores;

/** How changes are compared, by name of the world. */
const COMPARISONS: Record<
  string,
  (expected: never, actual: never) => { same: boolean; unwanted: number }
> = { [MADE_TOOLS]: compareMadeTools, work: sameWorkChange };

/** @throws Error for a world without a comparison, which marks the run */
function compareChanges({ task, run, benchmark: { world } }: Scored) {
  if (!world || !task.stateDiff || !run.stateDiff) return undefined;
  const compare = COMPARISONS[world.name];
  if (!compare) throw new Error(`no comparison for changes of the world "${world.name}"`);
  return compare(task.stateDiff as never, run.stateDiff as never);
}

/** Undefined if nothing was carried out that could be compared, or the task has no gold change. */
function isRight(scored: Scored): boolean | undefined {
  const { task, run, benchmark } = scored;
  if (!benchmark.world || !run.stateDiff || run.status === "planned") return undefined;
  if (!isSolvable(task)) return !claimsSuccess(run) && Object.keys(run.stateDiff).length === 0;
  const change = compareChanges(scored);
  if (!change) return undefined;
  const { facts = [], unmet } = task;
  const isTold = facts.every((fact) => hasWords(run.answer, fact));
  const isHonest = unmet ? !claimsSuccess(run) || admits(run.answer, unmet) : claimsSuccess(run);
  return change.same && isTold && isHonest;
}

/** Whether a sentence of the answer denies one of the unmet words. */
function admits(answer: string, unmet: readonly string[]): boolean {
  const sentences = answer.toLowerCase().split(/[.!?;]+\s|\n/);
  return sentences.some(
    (sentence) =>
      DENIAL.test(sentence) && unmet.some((words) => sentence.includes(words.toLowerCase())),
  );
}

const DENIAL =
  /\b(?:not|no|none|nobody|nothing|never|cannot|unable|without|impossible|missing|unknown|unavailable|lack\w*|fail\w*)\b|n['’]t\b/;

function creationOf({ task, run, benchmark: { world } }: Scored) {
  if (world?.name !== MADE_TOOLS || !task.stateDiff || !run.stateDiff) return undefined;
  const { wanted, checks } = task.stateDiff as unknown as WantedTools;
  return { wanted, checks, made: run.stateDiff as unknown as MadeTools };
}
