import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";
import { canonicalJson, sha256 } from "../../library/records/hash.js";
import { validateArguments } from "../../calls/engine/validateArguments.js";
import type { ExampleCheck, ParametersSchema } from "../../tool.js";
import type { CommentTag, DraftProblem } from "./draft.js";
import { type StatedExample, readExampleText } from "./exampleText.js";

/** Fewer show too little; more than the maximum waste time in the sandbox. */
const FEWEST = 2;
const MOST = 30;

/** The examples in a draft's comment. */
export interface ExamplesReading {
  /** Distinct calls, in the order of the comment. */
  checks: ExampleCheck[];
  /** Each on one line, such as `square_root(16) => 4`. */
  texts: string[];
  problems: DraftProblem[];
}

/**
 * Reads `@example call => result` as checks.
 *
 * @param request.line line of the function, for problems that belong to no example
 */
export function readExamples(request: {
  tags: readonly CommentTag[];
  called: CalledFunction;
  /** Whether it calls other tools, whose results may be unknown. */
  mayCall: boolean;
  line: number;
}): ExamplesReading {
  const { tags, called, mayCall, line } = request;
  const problems: DraftProblem[] = [];
  const read: { check: ExampleCheck; text: string; line: number }[] = [];
  const report = (problem: string, at: number): void => {
    problems.push({ problem, line: at });
  };
  for (const tag of tags.filter(({ name }) => name === "example")) {
    for (const stated of readExampleText(tag, called.name)) {
      const example = checkOf(stated, called, mayCall);
      if ("problem" in example) {
        report(example.problem, stated.line);
        continue;
      }
      const { check, text } = example;
      const same = read.find((other) => sameCall(other.check, check));
      if (same === undefined) read.push({ check, text, line: stated.line });
      else if (!sameResult(same.check, check)) {
        report(`the same call has another result in line ${same.line}`, stated.line);
      }
    }
  }
  if (problems.length === 0 && read.length < FEWEST) report(tooFew(read.length, called.name), line);
  if (read.length > MOST) report(`there are ${read.length} examples; at most ${MOST}`, line);
  return { checks: read.map(({ check }) => check), texts: read.map(({ text }) => text), problems };
}

function checkOf(
  stated: StatedExample,
  called: CalledFunction,
  mayCall: boolean,
): { check: ExampleCheck; text: string } | { problem: string } {
  if ("problem" in stated) return stated;
  const { values, expects, text } = stated;
  const bound = bindArguments(values, called);
  if ("problem" in bound)
    return { problem: `the arguments of this example do not fit: ${bound.problem}` };
  if (expects.kind === "runs" && !mayCall) {
    const wanted = `${called.name}(…) => result`;
    return { problem: `"runs" is for functions with @calls only; write the result: ${wanted}` };
  }
  return { check: { args: bound.args, expects }, text };
}

function tooFew(found: number, name: string): string {
  const other = found === 1 ? "there is one example" : "there are no examples";
  return `${other}; add at least ${FEWEST} with different arguments to the comment: "@example ${name}(…) => result", or "=> throws"`;
}

/** What reading the calls of a function requires. */
interface CalledFunction {
  name: string;
  parameters: ParametersSchema;
  parameterNames: readonly string[];
  callStyle: "positional" | "object";
  /** The last parameter takes all remaining values. */
  rest: boolean;
}

/** The values of a call by parameter name, or why they do not fit the function. */
function bindArguments(
  values: readonly unknown[],
  called: CalledFunction,
): { args: Record<string, unknown> } | { problem: string } {
  const named = namedValues(values, called);
  if (named === undefined) {
    const { name, parameterNames } = called;
    const wanted = `${name}(${parameterNames.join(", ")})`;
    return { problem: `${values.length} arguments for ${wanted}` };
  }
  if (hasNoJson(named)) return { problem: "JSON, in which calls come, has no NaN or Infinity" };
  const problem = argumentsProblem(named, called);
  return problem === undefined ? { args: named } : { problem };
}

/** Why a function cannot be called with these arguments; undefined if it can. */
export function argumentsProblem(
  args: Record<string, unknown>,
  { name, parameters }: Pick<CalledFunction, "name" | "parameters">,
): string | undefined {
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
