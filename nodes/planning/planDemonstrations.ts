import type { ShownDemonstration } from "../shared/stageInputs.js";
import { demonstratedPlan } from "./demonstratedPlan.js";
import { type ComposeStyle, PLAN_FORMS } from "./planForm.js";

/**
 * Shows how tasks were planned before, in the form in which a plan is wanted ("AI Agent 007" retrieves
 * examples, TPTU-v2 demonstrations); empty where there is nothing to show.
 */
export function planDemonstrationsText(
  demonstrations: readonly ShownDemonstration[],
  { style }: { style: ComposeStyle },
): string {
  if (demonstrations.length === 0) return "";
  return [
    "Earlier plans show which tools serve, in which order, and what refers to earlier outputs. Their values belong to other requests; reuse none:",
    ...demonstrations.map((demonstration, at) =>
      [
        `Example ${at + 1}: ${demonstration.task}`,
        `Plan: ${broken(PLAN_FORMS[style].written(demonstratedPlan(demonstration)))}`,
      ].join("\n"),
    ),
  ].join("\n\n");
}

/** What has several lines begins on one of its own. */
function broken(plan: string): string {
  return plan.includes("\n") ? `\n${plan}` : plan;
}
