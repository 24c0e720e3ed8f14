import ts from "typescript";
import { inlineRefs } from "../../../common/schemas/inlineRefs.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema, ParametersSchema } from "../../../tools/tool.js";
import { codeNames } from "../../codeNames.js";
import { parseProgram } from "../read/parseProgram.js";
import { bareExpression } from "../read/reading.js";

/** The value of a literal. */
export type LiteralValue = string | number | boolean | LiteralValue[];

/** A literal in the code of a program. */
export interface CodeLiteral {
  value: LiteralValue;
  line: number;
  /** Its position in the code. */
  start: number;
  end: number;
  /** The tool argument it goes directly into, for people: "update_work.stage". */
  into: string | undefined;
  /** The schema of that argument. */
  schema: JsonSchema | undefined;
  /** A suggested name for a parameter instead of it. */
  suggested: string;
  /** The constant whose value it is. */
  constant: { name: string; start: number; end: number } | undefined;
}

/** A text in quotes or between the values of a template, as in the code. */
export interface CodeText {
  line: number;
  start: number;
  end: number;
  /** Set for a quoted text: its content without quotes. */
  quoted: string | undefined;
}

/** The parts of a program, for replacing literals by parameters. */
export interface CodeParts {
  literals: CodeLiteral[];
  texts: CodeText[];
  /** All names used in it. */
  names: ReadonlySet<string>;
}

/** Parameters of tools, by the names a program uses. */
export type PlanFunctions = ReadonlyMap<string, { parameters: ParametersSchema }>;

interface Walk extends CodeParts {
  names: Set<string>;
  source: ts.SourceFile;
  codeStart: number;
  parents: Map<ts.Node, ts.Node>;
  functions: PlanFunctions;
}

/** The literals of a program, and other places where their values may occur. */
export function partsOf(code: string, functions: PlanFunctions): CodeParts {
  const parsed = parseProgram(code);
  if ("issues" in parsed)
    throw new Error("The code of a program that was followed cannot be read.");
  const { source, statements, start: codeStart } = parsed;
  const parents = parentsOf(statements);
  const walk: Walk = {
    literals: [],
    texts: [],
    names: new Set(),
    source,
    codeStart,
    parents,
    functions,
  };
  for (const statement of statements) visit(statement, walk);
  return walk;
}

function parentsOf(statements: readonly ts.Statement[]): Map<ts.Node, ts.Node> {
  const parents = new Map<ts.Node, ts.Node>();
  const note = (node: ts.Node) =>
    ts.forEachChild(node, (child) => {
      parents.set(child, node);
      note(child);
    });
  for (const statement of statements) note(statement);
  return parents;
}

function visit(node: ts.Node, walk: Walk): void {
  if (ts.isTypeNode(node)) return;
  if (isKey(node, walk)) return;
  if (ts.isIdentifier(node)) noteName(node, walk);
  if (isText(node)) walk.texts.push(textOf(node, walk));
  const value = literalValue(node);
  if (value !== undefined) walk.literals.push(literalOf({ node, value, walk }));
  // "-5" is one value; its 5 is not another.
  if (typeof value === "number") return;
  ts.forEachChild(node, (child) => visit(child, walk));
}

function noteName(node: ts.Identifier, { parents, names }: Walk): void {
  const parent = parents.get(node);
  const isField = parent && ts.isPropertyAccessExpression(parent) && parent.name === node;
  if (!isField) names.add(node.text);
}

function isText(
  node: ts.Node,
): node is ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  );
}

function textOf(
  node: ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail,
  walk: Walk,
): CodeText {
  const { start, end, line } = placeOf(node, walk);
  if (ts.isStringLiteral(node)) return { start, end, line, quoted: node.text };
  // A template's part ends with "${" unless it is the last.
  const closing = ts.isTemplateHead(node) || ts.isTemplateMiddle(node) ? 2 : 1;
  return { start: start + 1, end: end - closing, line, quoted: undefined };
}

/** Whether it is a field name or list position instead of a value. */
function isKey(node: ts.Node, { parents }: Walk): boolean {
  const parent = parents.get(node);
  if (!parent) return false;
  return (
    (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}

function literalValue(node: ts.Node): LiteralValue | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    return ts.isNumericLiteral(node.operand) ? -Number(node.operand.text) : undefined;
  }
  if (!ts.isArrayLiteralExpression(node) || node.elements.length === 0) return undefined;
  const values = node.elements.map((element) => literalValue(bareExpression(element)));
  return values.every((value) => value !== undefined) ? values : undefined;
}

function literalOf(options: { node: ts.Node; value: LiteralValue; walk: Walk }): CodeLiteral {
  const { node, value, walk } = options;
  const goal = goalOf(node, walk);
  const constant = constantOf(node, walk);
  const schema = goal && schemaAt(goal, walk);
  const suggested = goal?.path.findLast((step) => step !== ITEM) ?? constant?.name;
  return {
    value,
    ...placeOf(node, walk),
    into: goal && [goal.name, ...goal.path.filter((step) => step !== ITEM)].join("."),
    schema,
    suggested: asName(
      suggested ?? daysNear(node, walk) ?? (Array.isArray(value) ? "list" : typeof value),
    ),
    constant,
  };
}

function asName(text: string): string {
  return codeNames([text]).get(text) ?? text;
}

function placeOf(node: ts.Node, { source, codeStart }: Walk) {
  const from = node.getStart(source);
  return {
    start: from - codeStart,
    end: node.end - codeStart,
    line: source.getLineAndCharacterOfPosition(from).line + 1,
  };
}

/** In a path: any item of a list. */
const ITEM = "[]";

/** An argument of a tool, or a part of one. */
interface Goal {
  /** Of the function. */
  name: string;
  path: string[];
}

/** The argument a value goes directly into, possibly through a constant. */
function goalOf(node: ts.Node, walk: Walk, seen: readonly string[] = []): Goal | undefined {
  const path: string[] = [];
  let at = node;
  for (let parent = walk.parents.get(at); parent; at = parent, parent = walk.parents.get(at)) {
    if (ts.isPropertyAssignment(parent) && parent.initializer === at) {
      if (!ts.isIdentifier(parent.name) && !ts.isStringLiteral(parent.name)) return undefined;
      path.unshift(parent.name.text);
    } else if (ts.isShorthandPropertyAssignment(parent)) path.unshift(parent.name.text);
    else if (ts.isArrayLiteralExpression(parent)) path.unshift(ITEM);
    else if (ts.isCallExpression(parent)) return argumentOf({ call: parent, at, path, walk });
    else if (ts.isVariableDeclaration(parent)) return goalOfName({ parent, path, walk, seen });
    else if (!isPassedOn(parent, at)) return undefined;
  }
  return undefined;
}

function isPassedOn(parent: ts.Node, at: ts.Node): boolean {
  if (ts.isConditionalExpression(parent)) return parent.condition !== at;
  if (ts.isObjectLiteralExpression(parent)) return true;
  return ts.isExpression(parent) && bareExpression(parent) === bareExpression(at as ts.Expression);
}

function argumentOf(options: {
  call: ts.CallExpression;
  at: ts.Node;
  path: string[];
  walk: Walk;
}): Goal | undefined {
  const { call, at, path, walk } = options;
  const name = ts.isIdentifier(call.expression) ? call.expression.text : "";
  const tool = walk.functions.get(name);
  const position = call.arguments.indexOf(at as ts.Expression);
  if (!tool || position < 0) return undefined;
  if (ts.isObjectLiteralExpression(bareExpression(at as ts.Expression))) return { name, path };
  const parameter = Object.keys(tool.parameters.properties)[position];
  return parameter === undefined ? undefined : { name, path: [parameter, ...path] };
}

function goalOfName(options: {
  parent: ts.VariableDeclaration;
  path: readonly string[];
  walk: Walk;
  seen: readonly string[];
}): Goal | undefined {
  const { parent, path, walk, seen } = options;
  if (!ts.isIdentifier(parent.name) || seen.includes(parent.name.text)) return undefined;
  const { text } = parent.name;
  for (const node of walk.parents.keys()) {
    if (!ts.isIdentifier(node) || node.text !== text || node === parent.name) continue;
    const goal = goalOf(node, walk, [...seen, text]);
    if (goal) return { ...goal, path: [...goal.path, ...path] };
  }
  return undefined;
}

function constantOf(node: ts.Node, walk: Walk): CodeLiteral["constant"] {
  const declaration = walk.parents.get(node);
  if (!declaration || !ts.isVariableDeclaration(declaration)) return undefined;
  const list = walk.parents.get(declaration);
  const statement = list && walk.parents.get(list);
  if (!ts.isIdentifier(declaration.name) || !statement || !ts.isVariableStatement(statement)) {
    return undefined;
  }
  const { declarations, flags } = statement.declarationList;
  if (declarations.length > 1 || (flags & ts.NodeFlags.Const) === 0) return undefined;
  const { start, end } = placeOf(statement, walk);
  return { name: declaration.name.text, start, end };
}

/** A number next to a count of days is a number of days. */
function daysNear(node: ts.Node, { parents, source }: Walk): string | undefined {
  const parent = parents.get(node);
  const isBeside = parent && (ts.isBinaryExpression(parent) || ts.isCallExpression(parent));
  return isBeside && /\b(daysBetween|addDays)\(/.test(parent.getText(source)) ? "days" : undefined;
}

function schemaAt({ name, path }: Goal, { functions }: Walk): JsonSchema | undefined {
  const parameters = functions.get(name)?.parameters;
  let found: JsonSchema | undefined = parameters && inlineRefs(parameters);
  for (const step of path) found = found && partOf(found, step);
  return found;
}

/** The schema of an item or field, from any alternative that has one. */
function partOf(schema: JsonSchema, step: string): JsonSchema | undefined {
  const { items, properties, anyOf, oneOf } = schema;
  const own = step === ITEM ? items : isSchema(properties) ? properties[step] : undefined;
  if (isSchema(own)) return own;
  const alternatives = [anyOf, oneOf].filter(Array.isArray).flat().filter(isSchema);
  for (const alternative of alternatives) {
    const part = partOf(alternative, step);
    if (part) return part;
  }
  return undefined;
}
