import { clipped } from "../../common/text.js";
import { writtenValue } from "../../plans/steps/references.js";
import type { PlanState, GraphState } from "../../state/state.js";
import { type Line, type LinePart, needed, type StageChange, stage } from "../kit/stage.js";
import { oneLine } from "../../common/errors.js";
import { verifyPlan } from "../../plans/steps/verifyPlan.js";
import type { PlanIssue } from "../../plans/steps/plan.js";
import { readSettings } from "../../state/settings.js";
import { leftOf } from "../../state/ledger.js";
import { offeredTools } from "../policy/offeredTools.js";
import { type ToolOffer } from "../policy/toolOffer.js";
import { planTools } from "../policy/modelView.js";

/**
 * Checks the plan against the tools on offer: types, schemas, order, and whether the budget pays for all of it.
 * Fixes what it can without a model; the rest becomes the plan's issues.
 *
 * @param options.mergeReads whether equal reads become one; not if the plan is compared as written
 */
export function checkPlan({ mergeReads = true }: { mergeReads?: boolean } = {}) {
  return stage({ lines }, async (state, config) => {
    const plan = needed(state.plan, { stage: "checkPlan", what: "a plan" });
    const offer = await offeredTools(state, readSettings(config));
    const checked = verifyPlan({ plan, tools: planTools(offer.offered), mergeReads });
    return {
      plan: {
        ...plan,
        ...checked.plan,
        repairs: [...plan.repairs, ...checked.repairs],
        issues: [...checked.issues, ...budgetIssues(state, checked.plan, offer)],
      },
    };
  });
}

/** A plan the budget cannot pay for in full would stop halfway. */
function budgetIssues(
  state: GraphState,
  { steps }: { steps: readonly { tool: string }[] },
  { prices }: ToolOffer,
): PlanIssue[] {
  if (!state.ledger?.enforced) return [];
  const cost = steps.reduce((sum, { tool }) => sum + (prices[tool] ?? 0), 0);
  const left = leftOf(state);
  if (cost <= left) return [];
  const problem = `its calls cost ${cost} in all, but only ${left} of the budget is left`;
  return [{ kind: "budget", problem }];
}

function lines({ change: { plan }, before }: StageChange): Line[] {
  if (!plan) return [];
  return [
    ...repairLines(plan.repairs.slice(before.plan?.repairs.length)),
    ...plan.issues.map(({ problem }) => `to fix: ${oneLine(problem)}`),
  ];
}

/** Most characters of a step's arguments shown during a run. */
const LONGEST = 200;

/** A planned call, with bare references and quoted texts. */
export function plannedCall(
  { tool, args }: { tool: string; args: object },
  { longest = Infinity }: { longest?: number } = {},
): LinePart[] {
  const given = Object.entries(args).map(([name, value]) => `${name}=${writtenText(value)}`);
  return [{ strong: tool }, `(${clipped(given.join(", "), longest)})`];
}

/** JSON, except for references, which would look like strings. */
function writtenText(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"(\$\$PREV\[[^"\s]*)"/g, "$1");
}

export function planLines({ steps }: Pick<PlanState, "steps">): Line[] {
  if (steps.length === 0) return ["plans no call"];
  return steps.map(({ tool, args }, at) => [
    `${at}. `,
    ...plannedCall({ tool, args: Object(writtenValue(args)) }, { longest: LONGEST }),
  ]);
}

export function repairLines(repairs: readonly string[]): Line[] {
  return repairs.map((repair) => `fixed: ${oneLine(repair)}`);
}
