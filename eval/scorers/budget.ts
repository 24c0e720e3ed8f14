import { readBudget } from "../../state/budgetSetting.js";
import { parseSettings } from "../../state/settings.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import type { RunRecord } from "../runs/runRecord.js";
import { hasWords } from "./answers.js";
import { scoreOf, type Scored, type Scores } from "./scorer.js";

/** Sums of prices such as 0.1 + 0.2 may exceed a budget by this share. */
const ROUNDING = 1e-9;

/** How runs keep to their budget. R is the setting `budget` of the run, if it is in units. */
export const BUDGET_SCORES = {
  passed: (scored) => scoreOf(hasPassed(scored)),
  passedWithinBudget: (scored) => {
    const isOver = isOverBudget(scored);
    return scoreOf(isOver === undefined ? undefined : hasPassed(scored) && !isOver);
  },
  overBudget: (scored) => scoreOf(isOverBudget(scored)),
  toolCost: ({ run }) => costOf(run),
  toolUse: ({ run }) => paidCalls(run).length,
  plannedCost: ({ run }) => run.ledger?.planned?.cost,
  plannedCalls: ({ run }) => run.ledger?.planned?.calls,
} satisfies Scores;

/** Whether a run cost more than its budget in units; undefined if it has none, or one in dollars. */
function isOverBudget({ run }: Pick<Scored, "run">): boolean | undefined {
  const budget = readBudget(parseSettings({ budget: run.settings["budget"] }));
  return budget?.unit === "units" ? costOf(run) > budget.amount * (1 + ROUNDING) : undefined;
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
