import ts from "typescript";
import { clipped } from "../../../common/text.js";
import { nearestName, wordsOf } from "../../../common/nearNames.js";
import { inlineRefs } from "../../../common/schemas/inlineRefs.js";
import { otherArguments } from "../../../common/schemas/otherArguments.js";
import { fieldsOf } from "../../../common/schemas/typeText.js";
import { fitValue } from "../../steps/fitValue.js";
import { ANY, fieldsOf as stepFieldsOf } from "../../steps/schemaTypes.js";
import { TOOLS } from "./typeCheckText.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

const LONGEST_TYPE = 160;

/**
 * What is wrong with the arguments of a tool call: which exist, which are missing, and their types. Undefined
 * if the problem is not about a call.
 */
export function callProblem({ found, source, known, checker }: FoundProblem): string | undefined {
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

/** Whether the mismatch is one text or number that is made to fit without loss: `"2"` for 2, `"Open"` for `"open"`. */
export function isFitted({ found, source, known, checker }: FoundProblem): boolean {
  const node = nodeAt(source, found.start ?? 0);
  const call = OF_ARGUMENTS.has(found.code) ? callAround(node) : undefined;
  const { parameters } = known.get(call?.name ?? "") ?? {};
  if (!call || !parameters) return false;
  const { key = "", value } = argumentAround(node, call.argument);
  const type = value && checker.getTypeAtLocation(value);
  const wanted = stepFieldsOf({ schema: parameters, root: parameters })?.get(key);
  if (!wanted || !(type?.isStringLiteral() || type?.isNumberLiteral())) return false;
  return fitValue({ value: type.value, wanted, typeOf: () => ANY }).issues.length === 0;
}

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
    if (!ts.isCallExpression(call) || call.expression === part) continue;
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
  const [alone] = checker.getTypeAtLocation(argument).getProperties();
  const { key = alone?.name, value = argument } = argumentAround(node, argument);
  const field = fieldsOf(inlineRefs(parameters)).find((one) => one.name === key);
  const given = typeTold(checker.typeToString(checker.getTypeAtLocation(value)));
  if (!field) return `${name} takes no such argument: ${given}.`;
  return `${JSON.stringify(field.name)} of ${name} has to be ${typeTold(field.type)}, and is ${given}.`;
}

function argumentAround(node: ts.Node, argument: ts.Node): { key?: string; value?: ts.Expression } {
  const property = propertyAround(node, argument);
  return {
    ...(property?.name && ts.isStringLiteral(property.name) ? { key: property.name.text } : {}),
    ...(property && ts.isPropertyAssignment(property) ? { value: property.initializer } : {}),
  };
}

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

export interface CheckedFunction {
  name: string;
  parameters: JsonSchema;
  returns?: JsonSchema;
}

export interface OpenedProgram {
  program: ts.Program;
  checker: ts.TypeChecker;
  source: ts.SourceFile;
}

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
