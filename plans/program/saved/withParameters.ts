import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "../../../tools/tool.js";
import { codeNames } from "../../codeNames.js";
import { NAMES } from "../language.js";
import {
  type CodeLiteral,
  type CodeParts,
  type CodeText,
  type LiteralValue,
  partsOf,
  type PlanFunctions,
} from "./codeLiterals.js";

/** A literal to become a parameter, as specified by a person: `days=30`, `days=30@2`. */
export interface WantedParameter {
  name: string;
  value: string;
}

/** A program with parameters instead of literals. */
export interface ParametrizedCode {
  code: string;
  /** Schemas of the parameters by name. */
  properties: Record<string, JsonSchema>;
  /** The literals' values. */
  values: Record<string, unknown>;
}

/** A parameter and the literals it replaces. */
interface Parameter {
  name: string;
  value: LiteralValue;
  /** The only line it applies to, if given. */
  line: number | undefined;
  literals: CodeLiteral[];
}

/** Replaces literals by parameters, also within texts, so that an answer does not state an old value. */
export function withParameters(options: {
  code: string;
  functions: PlanFunctions;
  wanted: readonly WantedParameter[];
}): ParametrizedCode | { problem: string } {
  const { code, functions, wanted } = options;
  const parts = partsOf(code, functions);
  const parameters: Parameter[] = [];
  for (const each of wanted) {
    const problem = nameProblem({ name: each.name, before: parameters });
    if (problem) return { problem };
    const found = parameterOf(each, parts);
    if ("problem" in found) return found;
    parameters.push(found);
  }
  const taken = parameters.find((parameter) => isTaken(parameter, parts));
  if (taken) return { problem: `the program has a name "${taken.name}" of its own` };
  const edits = editsFor({ code, parts, parameters });
  if ("problem" in edits) return edits;
  const properties: Record<string, JsonSchema> = {};
  for (const parameter of parameters) {
    const schema = schemaOf(parameter);
    if ("problem" in schema) return { problem: String(schema.problem) };
    properties[parameter.name] = schema;
  }
  return {
    code: edited(code, edits),
    properties,
    values: Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
  };
}

const NAME = /^[A-Za-z]\w{0,63}$/;

function nameProblem(options: { name: string; before: readonly Parameter[] }): string | undefined {
  const { name, before } = options;
  const isName = NAME.test(name) && codeNames([name]).get(name) === name;
  if (!isName) return `"${name}" is no name for a parameter: write letters, digits and underscores`;
  if ((NAMES as readonly string[]).includes(name)) return `"${name}" is a name of the language`;
  return before.some((one) => one.name === name) ? `two parameters are called ${name}` : undefined;
}

/** Whether the name is taken. Its own constant does not count, because the parameter replaces it. */
function isTaken({ name, literals }: Parameter, { names }: CodeParts): boolean {
  return names.has(name) && !literals.some(({ constant }) => constant?.name === name);
}

function parameterOf(
  { name, value: text }: WantedParameter,
  { literals }: CodeParts,
): Parameter | { problem: string } {
  const [, before, line] = /^(.*)@(\d+)$/s.exec(text) ?? [];
  const whole = literals.filter(({ value }) => isMeant(value, text));
  const onLine = literals.filter(
    (literal) => literal.line === Number(line) && isMeant(literal.value, before ?? ""),
  );
  const found = whole.length > 0 ? whole : onLine;
  const [first, ...others] = found;
  if (!first) return { problem: notFound(text, literals) };
  const other = others.find(({ value }) => !isDeepStrictEqual(value, first.value));
  if (other) {
    return {
      problem: `${text} is ${JSON.stringify(first.value)} on line ${first.line} and ${JSON.stringify(other.value)} on line ${other.line}: say which with ${name}=${text}@${first.line}`,
    };
  }
  const isConfined = whole.length === 0;
  return { name, value: first.value, line: isConfined ? first.line : undefined, literals: found };
}

/** Compares as in the code, or without quotes for texts. */
function isMeant(value: LiteralValue, text: string): boolean {
  if (value === text) return true;
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}

/** Most values listed if one is not found. */
const SHOWN = 12;

function notFound(text: string, literals: readonly CodeLiteral[]): string {
  const all = [...new Set(literals.map(({ value }) => JSON.stringify(value)))];
  const shown = all.slice(0, SHOWN).join(", ");
  const more = all.length > SHOWN ? ` and ${all.length - SHOWN} more` : "";
  return `no literal of the program is ${text}; there are ${shown || "none"}${more}`;
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

function editsFor(options: {
  code: string;
  parts: CodeParts;
  parameters: readonly Parameter[];
}): Edit[] | { problem: string } {
  const { code, parts, parameters } = options;
  const whole = parameters.flatMap((parameter) =>
    parameter.literals.map((literal) => ({ parameter, ...editOf(parameter, literal) })),
  );
  for (const [at, edit] of whole.entries()) {
    const other = whole.slice(at + 1).find((one) => one.start < edit.end && edit.start < one.end);
    if (other) {
      const names = `${edit.parameter.name} and ${other.parameter.name}`;
      return { problem: `${names} stand for the same place: name one of them` };
    }
  }
  const texts = parts.texts
    .filter((text) => !whole.some(({ start, end }) => start <= text.start && text.end <= end))
    .flatMap((text) => textEdit({ text, code, parameters }) ?? []);
  return [...whole, ...texts];
}

function editOf({ name }: Parameter, { start, end, constant }: CodeLiteral): Edit {
  return constant?.name === name
    ? { start: constant.start, end: constant.end, text: "" }
    : { start, end, text: name };
}

/** Replaces a parameter's value in a text by what is passed for it. */
function textEdit(options: {
  text: CodeText;
  code: string;
  parameters: readonly Parameter[];
}): Edit | undefined {
  const { text, code, parameters } = options;
  const { start, end, quoted } = text;
  const before = quoted === undefined ? code.slice(start, end) : inTemplate(quoted);
  const after = parameters
    .filter(({ line }) => line === undefined || line === text.line)
    .reduce((said, { name, value }) => {
      const word = wordOf(value);
      return word ? said.replaceAll(word, () => `\${${name}}`) : said;
    }, before);
  if (after === before) return undefined;
  return { start, end, text: quoted === undefined ? after : `\`${after}\`` };
}

/** Matches a value as a separate word in a text; undefined for values that are not words. */
export function wordOf(value: unknown): RegExp | undefined {
  if (typeof value === "number") {
    return new RegExp(
      `(?<![\\p{L}\\p{N}_]|\\d[.,:/-])${escaped(String(value))}(?![\\p{L}\\p{N}_]|[.,:/-]\\d)`,
      "gu",
    );
  }
  if (typeof value !== "string" || value.trim().length < 2) return undefined;
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(inTemplate(value))}(?![\\p{L}\\p{N}_])`, "gu");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** A text escaped for a template. */
function inTemplate(text: string): string {
  return text
    .replaceAll(/[\\`]|\$(?=\{)/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
}

function edited(code: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((one, other) => other.start - one.start)
    .reduce(
      (text, { start, end, text: part }) => text.slice(0, start) + part + text.slice(end),
      code,
    );
}

/** The schema of the argument the literal goes into, else of the literal. */
function schemaOf(parameter: Parameter): JsonSchema | { problem: string } {
  const { name, value, literals } = parameter;
  const declared = literals.flatMap(({ schema, line, into }) =>
    schema ? [{ schema, line, into }] : [],
  );
  const [first] = declared;
  if (!first) return { ...typeOfValue(value), description: example(value) };
  const other = declared.find(({ schema }) => !isSameType(schema, first.schema));
  if (other) {
    const places = [first, other].map(({ into, line }) => `${into} on line ${line}`).join(" and ");
    return {
      problem: `${JSON.stringify(value)} goes into ${places}, which are of different types: name one with ${name}=${JSON.stringify(value)}@${first.line}`,
    };
  }
  const { default: _default, ...schema } = first.schema;
  return { ...schema, description: schema.description ?? example(value) };
}

function isSameType(one: JsonSchema, other: JsonSchema): boolean {
  return isDeepStrictEqual(typed(one), typed(other));
}

/** Without descriptive keywords. */
function typed({ description: _1, title: _2, examples: _3, default: _4, ...schema }: JsonSchema) {
  return schema;
}

function typeOfValue(value: LiteralValue): JsonSchema {
  if (!Array.isArray(value)) return { type: typeof value };
  const [first] = value;
  const isUniform = value.every((item) => typeof item === typeof first);
  const items = first !== undefined && isUniform ? typeOfValue(first) : {};
  return { type: "array", items };
}

function example(value: LiteralValue): string {
  return `For example ${JSON.stringify(value)}`;
}
