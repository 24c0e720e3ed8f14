import { UnknownName } from "../../common/errors.js";
import { codeNames } from "../codeNames.js";
import type { PlanStep, PlanTool, PlanValue } from "../plan.js";
import { isPlainObject, isReference, isText } from "../references.js";
import { fieldsOf, shapesOf, type Typed } from "../schemaTypes.js";

/** Tools by the names that code may use. */
export type CodeTools = ReadonlyMap<string, PlanTool>;

/** An argument of a call: `add(1)`, or `add(a = 1)`; undefined if missing. */
export interface CodeArgument {
  name?: string;
  value: PlanValue | undefined;
}

/** Tools by their names in code, their names for models, and their ids. */
export function codeTools(tools: readonly PlanTool[]): CodeTools {
  const names = codeNames(tools.map(nameOf));
  return new Map([
    ...tools.map((tool) => [tool.id, tool] as const),
    ...tools.map((tool) => [nameOf(tool), tool] as const),
    ...tools.map((tool) => [names.get(nameOf(tool)) ?? tool.id, tool] as const),
  ]);
}

/**
 * A call in code as a step: arguments by position, by name, in one object, or in an object after positional
 * ones. An unknown tool is left to the check of the plan, which may know what was meant.
 *
 * @returns the problem in words, if it is unclear which argument is which
 */
export function stepOfCall(call: {
  name: string;
  given: CodeArgument[];
  tools: CodeTools;
}): PlanStep | string {
  const { name, given, tools } = call;
  const tool = tools.get(name);
  const parameters = tool ? parametersOf(tool) : [];
  const named = given.map((argument, at) => namedArguments({ argument, at, parameters }));
  if (named.includes(undefined)) {
    if (!tool)
      return new UnknownName({ kind: "tool", wanted: name, available: namesOf(tools) }).message;
    const names = parameters.map((parameter) => parameter.name).join(", ") || "no arguments";
    return `${name} takes ${names}, and ${given.length} arguments were given; give them by name`;
  }
  const entries = named.flatMap((some) => some ?? []);
  const twice = entries.find(([key], at) => entries.findIndex(([one]) => one === key) !== at);
  if (twice) return `${name} is given the argument ${twice[0]} more than once`;
  return { tool: tool?.id ?? name, args: Object.fromEntries(entries) };
}

interface Parameter {
  name: string;
  type: Typed;
}

function parametersOf({ parameters }: PlanTool): Parameter[] {
  const fields = fieldsOf({ schema: parameters, root: parameters }) ?? [];
  return [...fields].map(([name, type]) => ({ name, type }));
}

/** Names and values in one argument of a call; undefined if its position has no name. */
function namedArguments(options: {
  argument: CodeArgument;
  at: number;
  parameters: Parameter[];
}): [string, PlanValue][] | undefined {
  const { argument, at, parameters } = options;
  const { name, value } = argument;
  if (value === undefined) return [];
  if (name !== undefined) return [[name, value]];
  const parameter = parameters[at];
  const fields = fieldsIn(value);
  if (fields && holdsArguments({ fields, parameter, parameters })) return Object.entries(fields);
  return parameter ? [[parameter.name, value]] : undefined;
}

/** Fields of an object literal; undefined for anything else. */
function fieldsIn(value: PlanValue): Record<string, PlanValue> | undefined {
  return isPlainObject(value) && !isReference(value) && !isText(value) ? value : undefined;
}

/** Whether an object holds named arguments, instead of being the argument itself. */
function holdsArguments(options: {
  fields: Record<string, PlanValue>;
  parameter: Parameter | undefined;
  parameters: Parameter[];
}): boolean {
  const { fields, parameter, parameters } = options;
  const isNamed = parameters.some(({ name }) => Object.hasOwn(fields, name));
  return isNamed || !parameter || !takesObject(parameter.type);
}

function takesObject(type: Typed): boolean {
  return shapesOf(type).some(({ base }) => base === "object" || base === "any");
}

function nameOf({ id, name = id }: PlanTool): string {
  return name;
}

function namesOf(tools: CodeTools): string[] {
  return [...new Set([...tools.values()].map(nameOf))];
}
