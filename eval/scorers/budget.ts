import { readBudget } from "../../state/budgetSetting.js";
import { parseSettings } from "../../state/settings.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import type { RunRecord } from "../runs/runRecord.js";
import { hasWords } from "./answers.js";
import { SHARE, scoreOf, type Score, type Scored, type Scorer } from "./scorer.js";

const BTP =
  "Zheng et al. 2024, Budget-Constrained Tool Learning with Planning (arXiv:2402.15960): ";

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
export const BUDGET_SCORERS: Scorer[] = [
  {
    id: "passed",
    label: "Passed (PR)",
    definition:
      "1 if the run ended with an answer of its own and all facts that the task asks for stand in it; a run that ended in any other way fails. The origin asks a language model whether the answer solves the task.",
    source: `${BTP}PR`,
    ...SHARE,
    score: (scored) => scoreOf(hasPassed(scored)),
  },
  {
    id: "passedWithinBudget",
    label: "Passed within budget (PBC)",
    definition: "1 if the run passed and its calls cost no more than R.",
    source: `${BTP}PBC`,
    ...SHARE,
    score: atOwnBudget(({ passedWithinBudget }) => scoreOf(passedWithinBudget)),
  },
  {
    id: "overBudget",
    label: "Over budget (RFBC)",
    definition: "1 if the calls of the run cost more than R, solved or not.",
    source: `${BTP}RFBC`,
    unit: "share",
    better: "lower",
    score: atOwnBudget(({ overBudget }) => Number(overBudget)),
  },
  {
    id: "toolCost",
    label: "Cost of calls (AC)",
    definition:
      "Units of the budget spent on executed calls, failed ones among them; refused calls cost nothing.",
    source: `${BTP}AC`,
    unit: "count",
    better: "lower",
    score: ({ run }) => costOf(run),
  },
  {
    id: "toolUse",
    label: "Executed calls (#Use)",
    definition: "Calls of tools that were executed, failed ones among them and refused ones not.",
    source: `${BTP}#Use`,
    unit: "count",
    better: "none",
    score: ({ run }) => paidCalls(run).length,
  },
  {
    id: "plannedCost",
    label: "Granted cost",
    definition:
      "What all calls that the run was first granted would have cost, in the unit of its budget.",
    source: `${BTP}table 4`,
    unit: "count",
    better: "none",
    score: ({ run }) => run.ledger?.planned?.cost,
  },
  {
    id: "plannedCalls",
    label: "Granted calls",
    definition: "Calls that the run was first granted.",
    source: `${BTP}table 4`,
    unit: "count",
    better: "none",
    score: ({ run }) => run.ledger?.planned?.calls,
  },
];

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
