import { otherArguments } from "../../common/schemas/otherArguments.js";
import { fitNamed, fitValue, type TypeOfReference } from "./fitValue.js";
import { nameArguments } from "./nameArguments.js";
import type { PlanIssue, PlanStep, PlanTool, PlanValue } from "./plan.js";
import { ANY, fieldsOf, otherFieldsOf, requiredOf, shapesOf, type Typed } from "./schemaTypes.js";

/** Repairs and issues of one step; the plan's check adds the position. */
export interface FittedStep {
  step: PlanStep;
  repairs: string[];
  issues: Omit<PlanIssue, "step">[];
}

/**
 * Fits a call to its tool: unknown arguments are renamed if it is certain which was meant, and are issues
 * otherwise; the others are fitted to their types.
 */
export function fitStep(step: PlanStep, tool: PlanTool, typeOf: TypeOfReference): FittedStep {
  const parameters: Typed = { schema: tool.parameters, root: tool.parameters };
  const types = fieldsOf(parameters) ?? new Map<string, Typed>();
  const required = requiredOf(parameters);
  const isFit = (value: PlanValue, wanted: Typed) =>
    fitValue({ value, wanted, typeOf }).issues.length === 0;
  const named = nameArguments(step.args, parameters, isFit, otherArguments(tool.parameters));
  const isInVain = (name: string, value: PlanValue) =>
    value === null && types.has(name) && !required.includes(name) && !allowsNull(types.get(name));
  const given = Object.entries(named.args);
  const fits = given
    .filter(([name, value]) => !isInVain(name, value))
    .map(([name, value]) => {
      const wanted = types.get(name) ?? otherFieldsOf(parameters) ?? ANY;
      return { name, ...fitNamed(name, { value, wanted, typeOf }) };
    });
  const missing = required.filter((name) => !Object.hasOwn(named.args, name));
  return {
    step: { ...step, args: Object.fromEntries(fits.map(({ name, value }) => [name, value])) },
    repairs: [
      ...named.repairs,
      ...given
        .filter(([name, value]) => isInVain(name, value))
        .map(([name]) => `${name}: null was dropped`),
      ...fits.flatMap(({ name, repairs }) => repairs.map((repair) => `${name}: ${repair}`)),
    ],
    issues: [
      ...named.unknown.map((name) => unknownArgument(name, tool)),
      ...fits.flatMap(({ name, issues }) => issues.map((issue) => ({ ...issue, argument: name }))),
      ...missing.map((name) => ({
        argument: name,
        kind: "missing argument" as const,
        problem: `${tool.id} needs the argument ${name}`,
      })),
    ],
  };
}

/** {@link fitStep} for a call whose arguments are values without references. */
export function fitCall(tool: PlanTool, args: Record<string, unknown>): FittedStep {
  const step = { tool: tool.id, args: args as PlanStep["args"] };
  return fitStep(step, tool, () => ANY);
}

/** The arguments of a call, with names and types adapted to its tool where only the form differs. */
export function fittedArguments(
  tool: PlanTool,
  args: Record<string, unknown>,
): Record<string, unknown> {
  const { step, issues } = fitCall(tool, args);
  return issues.length > 0 ? args : step.args;
}

/** Models write null for omitted arguments. */
function allowsNull(type: Typed | undefined): boolean {
  return !type || shapesOf(type).some(({ base }) => base === "null" || base === "any");
}

function unknownArgument(name: string, tool: PlanTool): Omit<PlanIssue, "step"> {
  const names = Object.keys(tool.parameters.properties);
  const takes = names.length > 0 ? `it takes ${names.join(", ")}` : "it takes none";
  const problem = `${tool.id} has no such argument; ${takes}`;
  return { argument: name, kind: "unknown argument", problem };
}
