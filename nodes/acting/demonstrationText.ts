import { observationLine } from "../../state/observation.js";
import type { ShownDemonstration } from "../shared/stageInputs.js";

/**
 * Shows how tasks were done before, for the model to do as much with the values at hand (TPTU-v2,
 * arXiv:2311.11315); empty where there is nothing to show. Long results are cut.
 */
export function demonstrationsText(demonstrations: readonly ShownDemonstration[]): string {
  if (demonstrations.length === 0) return "";
  return [
    "Examples of how tasks were done with these tools. They show which tools serve, in which order and with what arguments; their values belong to other requests, so take none of them over:",
    ...demonstrations.map(demonstrationText),
  ].join("\n\n");
}

function demonstrationText({ task, calls, answer }: ShownDemonstration, at: number): string {
  return [
    `Example ${at + 1}: ${task}`,
    ...calls.map(({ name, args, result }) =>
      [
        `Call: ${name}(${JSON.stringify(args)})`,
        ...(result === undefined ? [] : [`Result: ${resultText(result)}`]),
      ].join("\n"),
    ),
    ...(answer ? [`Answer: ${observationLine(answer)}`] : []),
  ].join("\n");
}

function resultText(result: unknown): string {
  return observationLine(typeof result === "string" ? result : JSON.stringify(result));
}
