import { isDeepStrictEqual } from "node:util";
import ts from "typescript";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { codeNames } from "../../../common/codeNames.js";
import { expressionsIn } from "../expressionsIn.js";
import { NAMES } from "../language.js";
import type { Program } from "../program.js";
import { parseProgram } from "../read/parseProgram.js";
import { bareExpression } from "../read/reading.js";

type LiteralValue = string | number | boolean | LiteralValue[];

export interface WantedParameter {
  name: string;
  value: unknown;
}

type PlanFunctions = ReadonlyMap<
  string,
  { parameters: { properties: Record<string, JsonSchema> } }
>;

/**
 * Replaces literals by parameters wherever they occur, also within texts, so that an answer does not state an
 * old value.
 */
export function withParameters(
  program: Program,
  functions: PlanFunctions,
  wanted: readonly WantedParameter[],
):
  | { code: string; properties: Record<string, JsonSchema>; values: Record<string, unknown> }
  | { problem: string } {
  for (const [at, { name, value }] of wanted.entries()) {
    const before = wanted.slice(0, at);
    const problem = nameProblem(name, before);
    if (problem) return { problem };
    if (before.some((one) => isDeepStrictEqual(one.value, value)))
      return { problem: `two parameters stand for ${JSON.stringify(value)}: name one` };
  }
  const { edits, replaced, names } = editsFor(program.code, wanted);
  for (const { name, value } of wanted) {
    if (!replaced.has(name))
      return { problem: `no literal of the program is ${JSON.stringify(value)}` };
    if (names.has(name)) return { problem: `the program has a name "${name}" of its own` };
  }
  const schemas = wanted.map(({ name, value }) => [name, schemaOf(value, { program, functions })]);
  return {
    code: edits
      .toReversed()
      .reduce(
        (code, { start, end, text }) => code.slice(0, start) + text + code.slice(end),
        program.code,
      ),
    properties: Object.fromEntries(schemas) as Record<string, JsonSchema>,
    values: Object.fromEntries(wanted.map(({ name, value }) => [name, value])),
  };
}

const NAME = /^[A-Za-z]\w{0,63}$/;

function nameProblem(name: string, before: readonly WantedParameter[]): string | undefined {
  const isName = NAME.test(name) && codeNames([name]).get(name) === name;
  if (!isName)
    return `"${name}" is not a name for a parameter: write letters, digits and underscores`;
  if ((NAMES as readonly string[]).includes(name)) return `"${name}" is a name of the language`;
  return before.some((one) => one.name === name) ? `two parameters are called ${name}` : undefined;
}

/** The edits in the order of the code, and what else stands in it. */
function editsFor(code: string, wanted: readonly WantedParameter[]) {
  const parsed = parseProgram(code);
  if ("issues" in parsed)
    throw new Error("The code of a program that was followed cannot be read.");
  const { source, statements, start } = parsed;
  const found = {
    edits: [] as { start: number; end: number; text: string }[],
    replaced: new Set<string>(),
    names: new Set<string>(),
  };
  const replace = (node: ts.Node, text: string) =>
    found.edits.push({ start: node.getStart(source) - start, end: node.end - start, text });
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    const value = literalValue(node);
    const parameter =
      value === undefined
        ? undefined
        : wanted.find((one) => isDeepStrictEqual(one.value, value))?.name;
    if (parameter !== undefined) {
      found.replaced.add(parameter);
      replace(node, parameter);
    } else if (isText(node)) {
      const text = textWith(node, { source, wanted });
      if (text !== undefined) replace(node, text);
    } else if (ts.isIdentifier(node)) found.names.add(node.text);
    // "-5" is one value; its 5 is not another.
    else if (typeof value !== "number") visitValues(node, visit);
  };
  for (const statement of statements) visit(statement);
  return found;
}

/** Names of fields and positions in lists are not values. */
function visitValues(node: ts.Node, visit: (node: ts.Node) => void): void {
  if (ts.isPropertyAccessExpression(node)) visit(node.expression);
  else if (ts.isPropertyAssignment(node)) visit(node.initializer);
  else if (ts.isElementAccessExpression(node)) {
    visit(node.expression);
    if (literalValue(node.argumentExpression) === undefined) visit(node.argumentExpression);
  } else ts.forEachChild(node, visit);
}

function literalValue(node: ts.Node): LiteralValue | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken)
    return ts.isNumericLiteral(node.operand) ? -Number(node.operand.text) : undefined;
  if (!ts.isArrayLiteralExpression(node) || node.elements.length === 0) return undefined;
  const values = node.elements.map((element) => literalValue(bareExpression(element)));
  return values.every((value) => value !== undefined) ? values : undefined;
}

type Text = ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail;

function isText(node: ts.Node): node is Text {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  );
}

/** A text in which the values are replaced by what is passed for them; undefined if it holds none. */
function textWith(
  node: Text,
  { source, wanted }: { source: ts.SourceFile; wanted: readonly WantedParameter[] },
): string | undefined {
  const isQuoted = ts.isStringLiteral(node);
  const before = isQuoted ? `\`${inTemplate(node.text)}\`` : node.getText(source);
  const after = wanted.reduce((text, { name, value }) => {
    const word = wordOf(value);
    return word ? text.replaceAll(word, () => `\${${name}}`) : text;
  }, before);
  return after === before ? undefined : after;
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

function inTemplate(text: string): string {
  return text
    .replaceAll(/[\\`]|\$(?=\{)/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
}

/** The schema of the first argument that the value is given as, else the type of the value. */
function schemaOf(
  value: unknown,
  { program, functions }: { program: Program; functions: PlanFunctions },
): JsonSchema {
  const example = `For example ${JSON.stringify(value)}`;
  for (const part of expressionsIn(program)) {
    if (part.kind !== "tool" || part.args?.kind !== "record") continue;
    const field = part.args.fields.find(
      (one) => "key" in one && one.value.kind === "literal" && one.value.value === value,
    );
    const key = field && "key" in field ? field.key : undefined;
    const declared =
      typeof key === "string" && functions.get(part.name)?.parameters.properties[key];
    if (!declared) continue;
    const { default: _, ...schema } = declared;
    return { ...schema, description: schema["description"] ?? example };
  }
  return { ...typeOfValue(value), description: example };
}

function typeOfValue(value: unknown): JsonSchema {
  if (!Array.isArray(value)) return { type: typeof value };
  const [first] = value as unknown[];
  const isUniform = value.every((item) => typeof item === typeof first);
  return { type: "array", items: isUniform ? typeOfValue(first) : {} };
}
