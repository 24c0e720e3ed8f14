import { demonstratedPlan } from "./demonstratedPlan.js";
import type { ComposeStyle, ShownDemonstration } from "../shared/stageInputs.js";
import { writtenPlan } from "./writtenPlan.js";

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
    "Examples of plans with such tools. They show which tools serve, in which order, and what refers to earlier outputs; their values belong to other requests, so take none of them over:",
    ...demonstrations.map((demonstration, at) =>
      [
        `Example ${at + 1}: ${demonstration.task}`,
        `Plan: ${broken(writtenPlan(demonstratedPlan(demonstration), { style }))}`,
      ].join("\n"),
    ),
  ].join("\n\n");
}

/** What has several lines begins on one of its own. */
function broken(plan: string): string {
  return plan.includes("\n") ? `\n${plan}` : plan;
}
