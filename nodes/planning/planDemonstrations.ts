import type { ShownDemonstration } from "../shared/stageInputs.js";
import { demonstratedPlan } from "./demonstratedPlan.js";
import { type ComposeStyle, PLAN_FORMS } from "./planForm.js";

/**
 * Shows how tasks were planned before, in the wanted plan form ("AI Agent 007" retrieves examples, TPTU-v2
 * demonstrations); empty if there is nothing to show.
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

/** A plan of several lines starts on a new one. */
function broken(plan: string): string {
  return plan.includes("\n") ? `\n${plan}` : plan;
}
