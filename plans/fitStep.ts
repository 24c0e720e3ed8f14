import { fitValue } from "./fitValue.js";
import { meantName } from "./names.js";
import type { TypeOfReference } from "./outputTypes.js";
import type { PlanIssue, PlanStep, PlanTool, PlanValue } from "./plan.js";
import { ANY, fieldsOf, otherFieldsOf, requiredOf, shapesOf, type Typed } from "./schemaTypes.js";

/** What the checking of one step has changed, and what is left; the position is added by the plan's. */
export interface FittedStep {
  step: PlanStep;
  repairs: string[];
  issues: Omit<PlanIssue, "step">[];
}

/**
 * A call made to fit its tool: arguments that the tool does not have are dropped, or renamed where it is
 * certain which one was meant; the others are made to fit their types.
 */
export function fitStep(options: {
  step: PlanStep;
  tool: PlanTool;
  typeOf: TypeOfReference;
}): FittedStep {
  const { step, tool, typeOf } = options;
  const parameters: Typed = { schema: tool.parameters, root: tool.parameters };
  const types = fieldsOf(parameters) ?? new Map<string, Typed>();
  const required = requiredOf(parameters);
  const named = nameArguments({ args: step.args, types, others: otherFieldsOf(parameters) });
  const isInVain = (name: string, value: PlanValue) =>
    value === null && !required.includes(name) && !allowsNull(types.get(name));
  const given = Object.entries(named.args);
  const fits = given
    .filter(([name, value]) => !isInVain(name, value))
    .map(([name, value]) => {
      const wanted = types.get(name) ?? otherFieldsOf(parameters) ?? ANY;
      return { name, ...fitValue({ value, wanted, typeOf }) };
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
      ...fits.flatMap(({ name, issues }) => issues.map((issue) => ({ ...issue, argument: name }))),
      ...missing.map((name) => missingArgument(name, tool)),
    ],
  };
}

function nameArguments(options: {
  args: Record<string, PlanValue>;
  types: ReadonlyMap<string, Typed>;
  others: Typed | undefined;
}): { args: Record<string, PlanValue>; repairs: string[] } {
  const { args, types, others } = options;
  const taken = new Set(Object.keys(args));
  const repairs: string[] = [];
  const entries = Object.entries(args).flatMap(([name, value]): [string, PlanValue][] => {
    if (types.has(name)) return [[name, value]];
    const meant = meantName(name, [...types.keys()]);
    if (meant !== undefined && !taken.has(meant)) {
      taken.add(meant);
      repairs.push(`unknown argument ${name} was taken for ${meant}`);
      return [[meant, value]];
    }
    if (others) return [[name, value]];
    repairs.push(`unknown argument ${name} was dropped`);
    return [];
  });
  return { args: Object.fromEntries(entries), repairs };
}

/** Models write null for what they leave out. */
function allowsNull(type: Typed | undefined): boolean {
  return !type || shapesOf(type).some(({ base }) => base === "null" || base === "any");
}

function missingArgument(name: string, tool: PlanTool): Omit<PlanIssue, "step"> {
  const problem = `${tool.id} needs the argument ${name}`;
  return { argument: name, kind: "missing argument", problem };
}
