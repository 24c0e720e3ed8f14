import { readBudget } from "../../state/budgetSetting.js";
import { parseSettings } from "../../state/settings.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import type { RunRecord } from "../runs/runRecord.js";
import { hasWords } from "./answers.js";
import { scoreOf, type Score, type Scored, type Scores } from "./scorer.js";

/**
 * Judges a run against a budget of `amount` units. A graph that ignores budgets makes the same run under each, so that
 * one run can be judged against all of them.
 */
export function judgeAt(scored: Pick<Scored, "task" | "run">, amount: number) {
  const { run } = scored;
  const passed = hasPassed(scored);
  const cost = costOf(run);
  const overBudget = cost > amount + ROUNDING * amount;
  return {
    /** The run ended with an answer that contains all facts; undefined for tasks without any. */
    passed,
    cost,
    /** Executed calls. */
    uses: paidCalls(run).length,
    overBudget,
    /** Undefined for tasks without facts. */
    passedWithinBudget: passed && !overBudget,
  };
}

/** Sums of prices such as 0.1 + 0.2 may exceed a budget by this share. */
const ROUNDING = 1e-9;

/** How runs keep to their budget. R is the setting `budget` of the run, if it is in units. */
export const BUDGET_SCORES = {
  passed: (scored) => scoreOf(hasPassed(scored)),
  passedWithinBudget: atOwnBudget(({ passedWithinBudget }) => scoreOf(passedWithinBudget)),
  overBudget: atOwnBudget(({ overBudget }) => Number(overBudget)),
  toolCost: ({ run }) => costOf(run),
  toolUse: ({ run }) => paidCalls(run).length,
  plannedCost: ({ run }) => run.ledger?.planned?.cost,
  plannedCalls: ({ run }) => run.ledger?.planned?.calls,
} satisfies Scores;

function atOwnBudget(read: (verdict: ReturnType<typeof judgeAt>) => number | undefined): Score {
  return (scored) => {
    const amount = budgetOf(scored.run);
    return amount === undefined ? undefined : read(judgeAt(scored, amount));
  };
}

/** The budget of a run in units; undefined if it has none, or one in dollars. */
export function budgetOf({ settings }: Pick<RunRecord, "settings">): number | undefined {
  const budget = readBudget(parseSettings({ budget: settings["budget"] }));
  return budget?.unit === "units" ? budget.amount : undefined;
}

function hasPassed({ task: { facts = [] }, run }: Pick<Scored, "task" | "run">) {
  if (facts.length === 0) return undefined;
  return run.status === "solved" && facts.every((fact) => hasWords(run.answer, fact));
}

function costOf(run: Pick<RunRecord, "calls">): number {
  return paidCalls(run).reduce((sum, { cost }) => sum + cost, 0);
}

/** Calls that were executed, including failed ones: those that a budget pays for. */
function paidCalls({ calls }: Pick<RunRecord, "calls">): RunRecord["calls"] {
  return calls.filter(({ tool, refused }) => !refused && !CONTROL_NAMES.includes(tool));
}
