import { memberOf } from "../../common/codeNames.js";
import type { OfferedTool } from "../../nodes/kit/stageInputs.js";
import type { PlanStep } from "../../plans/steps/plan.js";
import type { Gold } from "./goldSteps.js";
import { drawsIn } from "./policyParameters.js";

/**
 * How often a step is done with another of the tools shown, without noticing. It was chosen before any graph was run with
 * it, and must not change. The same steps of a task err in every graph, so that graphs differ by what they show.
 */
export const ERRS = 0.05;

/** What may be called: tools with their parameters, and a text that names others. */
export interface Shown {
  tools: readonly OfferedTool[];
  listed?: string;
}

/** The gold steps with the names by which their tools are shown, or of others by mistake; undefined if not shown. */
export function shownSteps(
  { tools, listed = "" }: Shown,
  { gold, seed, request }: { gold: Gold; seed: number; request: string },
): (PlanStep | undefined)[] {
  const draws = drawsIn([seed, request]);
  const names = [...tools, ...(listed.match(/[\w.-]+/g) ?? []).map((name) => ({ name }))];
  return gold.steps.map((step, at) => {
    const tool = namesIn(names, step.tool);
    if (tool === undefined) return undefined;
    const others = tools.filter(({ name }) => name !== tool);
    const other = others[Math.floor(draws(`which ${at}`) * others.length)];
    if (!other || draws(`errs ${at}`) >= ERRS) return { tool, args: step.args };
    return { tool: other.name, args: argumentsOf(other, step) };
  });
}

/** The name under which a tool is shown, whatever a provider or code makes of it. */
export function namesIn(shown: readonly { name: string }[], id: string): string | undefined {
  const wanted = letters(id);
  const found =
    shown.find(({ name }) => name === id) ??
    shown.find(({ name }) => letters(name) === wanted) ??
    shown.find(({ name }) => name === memberOf(id));
  return found?.name;
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, "");
}

/** The values of a step for the required parameters of another tool, in order. */
function argumentsOf({ parameters }: OfferedTool, { args }: PlanStep): PlanStep["args"] {
  const required = Array.isArray(parameters["required"]) ? parameters["required"].map(String) : [];
  const values = Object.values(args);
  return Object.fromEntries(
    required.flatMap((name, at) => {
      const value = values[at % values.length];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
