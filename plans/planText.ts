import type { Plan } from "./plan.js";
import { writtenValue } from "./solutionText.js";

/** A plan as its model would write it: steps with references as texts, the answer, and what is lacking. */
export function planText(
  { steps, answer, lacking }: Plan,
  { nameOf = (tool) => tool }: { nameOf?: (tool: string) => string } = {},
): string {
  return JSON.stringify({
    steps: steps.map(({ tool, args, lookAtResult }) => ({
      tool: nameOf(tool),
      args: writtenValue(args),
      ...(lookAtResult ? { look_at_result: true } : {}),
    })),
    answer,
    ...(lacking.length > 0 ? { lacking } : {}),
  });
}
