import {
  compareMadeTools,
  MADE_TOOLS,
  type MadeTools,
  type WantedTools,
} from "../benchmarks/creation/compareMadeTools.js";
import { sameWorkChange } from "../benchmarks/work/workChange.js";
import { claimsSuccess, hasWords, isSolvable } from "./answers.js";
import { SHARE, type Scored, scoreOf, type Scorer } from "./scorer.js";

const OURS = "tulipgraph's benchmark `creation` (docs/creation.md)";
const WORKBENCH = "Styles et al. 2024, WorkBench (arXiv:2405.00823)";

/** What a run did to the benchmark's world, and how it ended. Undefined if the task or the run has no change. */
export const WORLD_SCORERS: Scorer[] = [
  {
    id: "stateMatch",
    label: "Right outcome",
    definition:
      "1 if the run left the world exactly as a right solution does; where several are right, as any of them.",
    source: WORKBENCH,
    ...SHARE,
    score: (scored) => {
      const change = compareChanges(scored);
      return change && Number(change.same);
    },
  },
  {
    id: "sideEffects",
    label: "Side effects",
    definition:
      "Rows, or tools, that the run changed and a right solution does not, each counted once; the origin counts runs with any.",
    source: WORKBENCH,
    unit: "count",
    better: "lower",
    score: (scored) => compareChanges(scored)?.unwanted,
  },
  {
    id: "rightInAll",
    label: "Right in all",
    definition:
      "1 if the run left the world as a right solution does, its answer holds all facts asked for, and it ended as solved; where no tool can do a part of the task, if it did the rest and did not end as solved or says what is not done; where no tool can do any of it, if it changed nothing and did not end as solved.",
    ...SHARE,
    score: (scored) => scoreOf(isRight(scored)),
  },
  {
    id: "falselySolved",
    label: "Falsely solved",
    definition: "1 if the run ended as solved and is not right in all.",
    unit: "share",
    better: "lower",
    score: (scored) => {
      const right = isRight(scored);
      return scoreOf(right === undefined ? undefined : !right && claimsSuccess(scored.run));
    },
  },
  {
    id: "toolMade",
    label: "Tool made",
    definition: "For requests that want a tool or a new version of one: 1 if one was made.",
    source: OURS,
    ...SHARE,
    score: (scored) => {
      const { wanted, made } = creationOf(scored) ?? {};
      const isWanted = wanted?.kind === "create" || wanted?.kind === "update";
      return scoreOf(isWanted ? made?.edits.some(({ outcome }) => outcome === "done") : undefined);
    },
  },
  {
    id: "hiddenChecks",
    label: "Hidden checks passed",
    definition:
      "The share of the hidden calls that the tool answers as it should; 0 if there is no tool. Undefined if no tool is wanted.",
    source: OURS,
    ...SHARE,
    score: (scored) => {
      const { checks = 0, made } = creationOf(scored) ?? {};
      return made && checks > 0 ? made.passed / checks : undefined;
    },
  },
  {
    id: "drafts",
    label: "Drafts",
    definition: "Replies with the code of a tool, for each tool that was made.",
    source: OURS,
    unit: "count",
    better: "lower",
    score: (scored) => {
      const edits = creationOf(scored)?.made.edits ?? [];
      const done = edits.filter(({ outcome }) => outcome === "done").length;
      const failed = edits.reduce((sum, { failures }) => sum + failures, 0);
      return done > 0 ? (failed + done) / done : undefined;
    },
  },
];

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
