import ts from "typescript";
import { clipped } from "../../../common/bounds.js";
import { nearestName, wordsOf } from "../../../common/nearNames.js";
import { inlineRefs } from "../../../common/schemas/inlineRefs.js";
import { otherArguments } from "../../../common/schemas/otherArguments.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import { fieldsOf } from "../../../common/schemas/typeText.js";
import { fitValue } from "../../steps/fitValue.js";
import { ANY } from "../../steps/schemaTypes.js";
import { TOOLS } from "./typeCheckText.js";
import type { PlanValue } from "../../steps/plan.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

/** Most characters shown of a type. */
const LONGEST_TYPE = 160;

/**
 * What is wrong with the arguments of a tool call: which exist, which are missing, and their types. Undefined
 * if the problem is not about a call.
 */
export function callProblem(problem: FoundProblem): string | undefined {
  const { found, source, known, checker } = problem;
  if (!OF_ARGUMENTS.has(found.code)) return undefined;
  const node = nodeAt(source, found.start ?? 0);
  const call = callAround(node);
  const fn = call && known.get(call.name);
  if (!call || !fn) return undefined;
  const given = checker.getTypeAtLocation(call.argument);
  const names = given.getProperties().map(({ name }) => name);
  return (
    unknownArgument(fn, names) ??
    missingArgument(fn, names) ??
    wrongArgument(fn, { ...call, node, checker })
  );
}

/**
 * Whether the mismatch is a literal that will be converted without loss when the call is made: `"2"` for a
 * number, `"Open"` for `"open"`.
 */
export function isFitted({ found, source, known, checker }: FoundProblem): boolean {
  if (!OF_ARGUMENTS.has(found.code)) return false;
  const node = nodeAt(source, found.start ?? 0);
  const call = callAround(node);
  const fn = call && known.get(call.name);
  if (!call || !fn) return false;
  const { key, value } = argumentAround(node, call.argument);
  const written = value && writtenIn(value, checker);
  const { properties } = fn.parameters;
  const schema = isSchema(properties) && key !== undefined ? properties[key] : undefined;
  if (!written || !isSchema(schema)) return false;
  const wanted = { schema, root: fn.parameters };
  return fitValue({ value: written.value, wanted, typeOf: () => ANY }).issues.length === 0;
}

/** TypeScript's error codes for values of the wrong type. */
const OF_ARGUMENTS: ReadonlySet<number> = new Set([
  2322, 2345, 2353, 2559, 2561, 2739, 2740, 2741, 2769, 2820,
]);

interface Call {
  name: string;
  argument: ts.Expression;
}

/** The innermost tool call whose arguments contain this part of the text. */
function callAround(node: ts.Node): Call | undefined {
  for (let part = node; part.parent; part = part.parent) {
    const call = part.parent;
    if (ts.isArrowFunction(call)) return undefined;
    if (!ts.isCallExpression(call)) continue;
    const { expression } = call;
    const [argument] = call.arguments;
    const isTool =
      ts.isElementAccessExpression(expression) && expression.expression.getText() === TOOLS;
    if (!isTool || !argument || part !== argument) return undefined;
    const { argumentExpression: name } = expression;
    return ts.isStringLiteral(name) ? { name: name.text, argument } : undefined;
  }
  return undefined;
}

function unknownArgument(
  { name, parameters }: CheckedFunction,
  given: readonly string[],
): string | undefined {
  if (otherArguments(parameters) === "taken") return undefined;
  const taken = fieldsOf(inlineRefs(parameters)).map((field) => field.name);
  const unknown = given.find((one) => !taken.includes(one));
  if (unknown === undefined) return undefined;
  const meant = nearestName(unknown, taken) ?? holding(unknown, taken);
  const names = taken.map((one) => JSON.stringify(one)).join(", ");
  return [
    `${name} takes no argument ${JSON.stringify(unknown)}.`,
    meant && ` Did you mean ${JSON.stringify(meant)}?`,
    taken.length > 0 ? ` It takes ${names}.` : " It takes none.",
  ]
    .filter(Boolean)
    .join("");
}

/** The only name with all words of another: "stage.name" for "stage". */
function holding(unknown: string, taken: readonly string[]): string | undefined {
  const words = wordsOf(unknown);
  const found = taken.filter((one) => words.every((word) => wordsOf(one).includes(word)));
  return found.length === 1 ? found[0] : undefined;
}

function missingArgument(
  { name, parameters }: CheckedFunction,
  given: readonly string[],
): string | undefined {
  const missing = fieldsOf(inlineRefs(parameters)).filter(
    (field) => field.mark === "" && !given.includes(field.name),
  );
  if (missing.length === 0) return undefined;
  const told = missing.map((field) => `${JSON.stringify(field.name)} (${typeTold(field.type)})`);
  return `${name} lacks ${told.join(" and ")}.`;
}

function wrongArgument(
  { name, parameters }: CheckedFunction,
  { argument, node, checker }: Call & { node: ts.Node; checker: ts.TypeChecker },
): string {
  const { key, value = argument } = argumentAround(node, argument);
  const field = fieldsOf(inlineRefs(parameters)).find((one) => one.name === key);
  const given = typeTold(checker.typeToString(checker.getTypeAtLocation(value)));
  if (!field) return `${name} takes no such argument: ${given}.`;
  return `${JSON.stringify(field.name)} of ${name} has to be ${typeTold(field.type)}, and is ${given}.`;
}

/** Name and value of the argument that a part of the code belongs to. */
function argumentAround(node: ts.Node, argument: ts.Node): { key?: string; value?: ts.Expression } {
  const property = propertyAround(node, argument);
  return {
    ...(property?.name && ts.isStringLiteral(property.name) ? { key: property.name.text } : {}),
    ...(property && ts.isPropertyAssignment(property) ? { value: property.initializer } : {}),
  };
}

/** The argument's top-level field that contains this node. */
function propertyAround(node: ts.Node, argument: ts.Node): ts.ObjectLiteralElementLike | undefined {
  let found: ts.ObjectLiteralElementLike | undefined;
  for (let part = node; part !== argument && part.parent; part = part.parent) {
    if (ts.isObjectLiteralElementLike(part)) found = part;
  }
  return found;
}

function typeTold(type: string): string {
  return clipped(type, LONGEST_TYPE);
}

/** The fixed value of an expression: a literal or a named constant. Undefined for anything else. */
function writtenIn(node: ts.Expression, checker: ts.TypeChecker): { value: PlanValue } | undefined {
  const bare = ts.isParenthesizedExpression(node) ? node.expression : node;
  if (bare !== node) return writtenIn(bare, checker);
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map((item) => writtenIn(item, checker));
    const known = items.filter((item) => item !== undefined);
    return known.length === items.length ? { value: known.map(({ value }) => value) } : undefined;
  }
  if (ts.isObjectLiteralExpression(node)) return writtenFields(node, checker);
  const type = checker.getTypeAtLocation(node);
  return type.isStringLiteral() || type.isNumberLiteral() ? { value: type.value } : undefined;
}

function writtenFields(
  { properties }: ts.ObjectLiteralExpression,
  checker: ts.TypeChecker,
): { value: PlanValue } | undefined {
  const fields = properties.map((property): [string, PlanValue] | undefined => {
    if (!ts.isPropertyAssignment(property) || ts.isComputedPropertyName(property.name)) {
      return undefined;
    }
    const written = writtenIn(property.initializer, checker);
    return written && [property.name.text, written.value];
  });
  const known = fields.filter((field) => field !== undefined);
  return known.length === fields.length ? { value: Object.fromEntries(known) } : undefined;
}

/** What the type check needs to know about a tool. */
export interface CheckedFunction {
  /** Its name in the program. */
  name: string;
  parameters: JsonSchema;
  returns?: JsonSchema;
}

/** A program opened by TypeScript. */
export interface OpenedProgram {
  program: ts.Program;
  checker: ts.TypeChecker;
  source: ts.SourceFile;
}

/** A problem found by TypeScript, with its context. */
export interface FoundProblem extends OpenedProgram {
  found: ts.Diagnostic;
  known: ReadonlyMap<string, CheckedFunction>;
}

/** The innermost node at a position. */
export function nodeAt(source: ts.SourceFile, position: number): ts.Node {
  let node: ts.Node = source;
  for (let inner: ts.Node | undefined = node; inner; inner = within(node, source, position)) {
    node = inner;
  }
  return node;
}

function within(node: ts.Node, source: ts.SourceFile, position: number): ts.Node | undefined {
  return ts.forEachChild(node, (child) =>
    child.getStart(source) <= position && position < child.end ? child : undefined,
  );
}
