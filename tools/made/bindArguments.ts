import { isSchema as isObject } from "../../common/schemas/referredSchema.js";
import { canonicalJson, sha256 } from "../library/records/hash.js";
import { validateArguments } from "../runtime/calls/validateArguments.js";
import type { ExampleCheck, ParametersSchema } from "../tool.js";

/** What reading the calls of a function requires. */
export interface CalledFunction {
  name: string;
  parameters: ParametersSchema;
  parameterNames: readonly string[];
  callStyle: "positional" | "object";
  /** The last parameter takes all remaining values. */
  rest: boolean;
}

/** The values of a call by parameter name, or why they do not fit the function. */
export function bindArguments({
  values,
  called,
}: {
  values: readonly unknown[];
  called: CalledFunction;
}): { args: Record<string, unknown> } | { problem: string } {
  const named = namedValues(values, called);
  if (named === undefined) {
    const { name, parameterNames } = called;
    const wanted = `${name}(${parameterNames.join(", ")})`;
    return { problem: `${values.length} arguments for ${wanted}` };
  }
  if (hasNoJson(named)) return { problem: "JSON, in which calls come, has no NaN or Infinity" };
  const problem = argumentsProblem({ args: named, called });
  return problem === undefined ? { args: named } : { problem };
}

/** Why a function cannot be called with these arguments; undefined if it can. */
export function argumentsProblem({
  args,
  called: { name, parameters },
}: {
  args: Record<string, unknown>;
  called: Pick<CalledFunction, "name" | "parameters">;
}): string | undefined {
  const hash = `draft ${sha256(canonicalJson(parameters))}`;
  const check = validateArguments({ record: { name, hash, parameters }, args });
  return check.ok ? undefined : check.problem;
}

/** Whether two examples call the function with the same arguments. */
export function sameCall(left: ExampleCheck, right: ExampleCheck): boolean {
  return canonicalJson(left.args) === canonicalJson(right.args);
}

/** Whether two examples expect the same; a missing result equals undefined. */
export function sameResult(left: ExampleCheck, right: ExampleCheck): boolean {
  return canonicalJson(left.expects) === canonicalJson(right.expects);
}

function namedValues(
  values: readonly unknown[],
  { callStyle, parameterNames, rest }: CalledFunction,
): Record<string, unknown> | undefined {
  const [first] = values;
  if (callStyle === "object" && values.length === 1 && isObject(first)) return first;
  const last = parameterNames.length - 1;
  const given = rest ? [...values.slice(0, last), values.slice(last)] : values;
  if (given.length > parameterNames.length) return undefined;
  const entries = parameterNames.map((name, index): [string, unknown] => [name, given[index]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function hasNoJson(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return isObject(value) || Array.isArray(value) ? Object.values(value).some(hasNoJson) : false;
}
