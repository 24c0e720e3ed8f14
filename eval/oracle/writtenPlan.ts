import { writtenValue } from "../../plans/solutionText.js";
import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import type { GoldTask } from "./goldTask.js";
import { shownPlan } from "./shownPlan.js";

/** A plan as a model writes it. */
interface WrittenPlan {
  steps: { tool: string; args: Record<string, unknown> }[];
  answer: string;
  lacking: string[];
}

/** The gold plan over the tools that are shown, as JSON data. */
export function writtenPlan(gold: GoldTask, shown: readonly OfferedTool[]): WrittenPlan {
  const plan = shownPlan(gold, shown);
  const steps = plan.steps.map(({ tool, args }) => {
    const written = Object.entries(args).map(([name, value]) => [name, writtenValue(value)]);
    return { tool, args: Object.fromEntries(written) };
  });
  return { ...plan, steps };
}
