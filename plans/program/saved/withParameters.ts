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

/** A literal that is to become a parameter, as a person names it: `days=30`, `days=30@2`. */
export interface WantedParameter {
  name: string;
  value: string;
}

/** A program in which parameters stand in the place of literals. */
export interface ParametrizedCode {
  code: string;
  /** Schemas of the parameters by name. */
  properties: Record<string, JsonSchema>;
  /** What stood in their place. */
  values: Record<string, unknown>;
}

/** A parameter with the literals that it takes the place of. */
interface Parameter {
  name: string;
  value: LiteralValue;
  /** The line that it was confined to. */
  line: number | undefined;
  literals: CodeLiteral[];
}

/**
 * Puts parameters in the place of literals, wherever these stand: in the texts between, too, so that an answer
 * does not tell the value of another call.
 */
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

/** Its own constant goes, and the parameter takes its place. */
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

/** As the code has it, or a text without its quotes. */
function isMeant(value: LiteralValue, text: string): boolean {
  if (value === text) return true;
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}

/** Values that are shown where one was not found. */
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

/** A text that says the value of a parameter says what is given for it. */
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

/** Where a value stands in a text as a word of its own; undefined for one that words are not told by. */
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

/** A text as it stands in a template. */
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

/** What the argument has to be that the literal goes into, else what the literal is. */
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

/** Without what is only said of it. */
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
