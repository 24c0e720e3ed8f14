import type { PlanValue } from "../../plans/plan.js";
import { partsOf, renumber, writeParts, writeReference } from "../../plans/references.js";
import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { follow, possibleSteps } from "./followSolution.js";
import type { GoldPlan, PartialPlan } from "./goldTask.js";
import { offerOf } from "./offer.js";
import { wordsFor } from "./toolWords.js";

/**
 * The gold plan with only the shown tools, under their shown names. Steps of other tools, and steps that use
 * their results, are left out; `lacking` names the missing tools in words.
 */
export function shownPlan(gold: GoldPlan, shown: readonly OfferedTool[]): PartialPlan {
  const { plan, tools } = gold;
  const { nameOf } = offerOf(gold, shown);
  const kept = possibleSteps({
    gold,
    followed: follow(gold, []),
    isOffered: (tool) => nameOf.has(tool),
  });
  const positionOf = (step: number) => kept.indexOf(step);
  const steps = kept.flatMap((at) => {
    const step = plan.steps[at];
    if (!step) return [];
    const args = Object.entries(step.args).map(([name, value]): [string, PlanValue] => [
      name,
      renumber(value, positionOf),
    ]);
    return [{ tool: nameOf.get(step.tool) ?? step.tool, args: Object.fromEntries(args) }];
  });
  const lacking = plan.steps.flatMap((step) => {
    const tool = tools.get(step.tool);
    return tool && !nameOf.has(tool.id) ? [wordsFor({ step, tool })] : [];
  });
  return { steps, answer: answerOver(gold, kept), lacking: [...new Set(lacking)] };
}

/** The plan's answer, or the last output if the plan has no answer or is incomplete. */
function answerOver({ plan }: GoldPlan, kept: readonly number[]): string {
  if (kept.length === plan.steps.length && plan.answer !== "") {
    return writeParts(partsOf(plan.answer));
  }
  return kept.length > 0 ? writeReference({ $prev: kept.length - 1, path: [] }) : "";
}
