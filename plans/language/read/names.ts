import { readExpression } from "./expressions.js";
import ts from "typescript";
import { DEEPEST_PROGRAM } from "../../../common/bounds.js";
import { nearestName } from "../../../common/nearNames.js";
import { NAMES, NO_PROPERTIES } from "../language.js";
import type { Expression, Pattern } from "../program.js";
import {
  type ProgramReading,
  bareExpression,
  deeper,
  lineOf,
  quoted,
  refuse,
  notInLanguage,
} from "./reading.js";

export interface Scope {
  locals: Map<string, Local>;
  outer: Scope | undefined;
}

export interface Local {
  kind: "const" | "let";
  line: number;
  /** A block's names are known from its start, but have a value only after their declaration. */
  isDeclared: boolean;
  /** What it holds, if known: an object, a list of objects, or a caught error. */
  holds?: "record" | "records" | "error";
  keys?: string[];
}

export function localNamed(name: string, { scope }: ProgramReading): Local | undefined {
  for (let around: Scope | undefined = scope; around; around = around.outer) {
    const local = around.locals.get(name);
    if (local) return local;
  }
  return undefined;
}

export function inScope<Read>(reading: ProgramReading, read: () => Read): Read {
  const { scope } = reading;
  reading.scope = { locals: new Map(), outer: scope };
  const found = read();
  reading.scope = scope;
  return found;
}

/** Registers a block's declarations, so that earlier uses are reported. */
export function announce(statements: readonly ts.Statement[], reading: ProgramReading): void {
  for (const statement of statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name } of statement.declarationList.declarations) {
      for (const one of namesIn(name)) announceName(one, statement, reading);
    }
  }
}

/** An ambient declaration: `declare function …`. */
export function isAmbient(node: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) ?? false;
}

function announceName(
  node: ts.Identifier,
  statement: ts.VariableStatement,
  reading: ProgramReading,
): void {
  const before = reading.scope.locals.get(node.text);
  if (before) {
    const problem = `"${node.text}" is declared on line ${before.line} already; use another name, or assign to it without const or let`;
    refuse(node, "language", problem, reading);
    return;
  }
  const kind = isConst(statement.declarationList) ? "const" : "let";
  reading.scope.locals.set(node.text, { kind, line: lineOf(node, reading), isDeclared: false });
}

export function isConst(list: ts.VariableDeclarationList): boolean {
  return (list.flags & ts.NodeFlags.Const) !== 0;
}

/** Too deep patterns are refused when they are read. */
function namesIn(name: ts.BindingName, depth = 0): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  if (depth > DEEPEST_PROGRAM) return [];
  return name.elements.flatMap((element) =>
    ts.isOmittedExpression(element) ? [] : namesIn(element.name, depth + 1),
  );
}

/** Reads a name that is not called. */
export function readName(node: ts.Identifier, reading: ProgramReading): Expression {
  const { text: name } = node;
  const line = lineOf(node, reading);
  const local = localNamed(name, reading);
  if (local?.isDeclared) return { line, kind: "name", name };
  if (local) {
    const problem = `"${name}" is used before line ${local.line} declares it; declare it first, or use another name`;
    return refuse(node, "unknown", problem, reading);
  }
  if (LITERALS.has(name)) return { line, kind: "literal", value: LITERALS.get(name) };
  if ((NAMES as readonly string[]).includes(name)) return { line, kind: "name", name };
  return unknownName(node, reading);
}

const LITERALS = new Map([
  ["undefined", undefined],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
]);

function unknownName(node: ts.Identifier, reading: ProgramReading): Expression {
  const { text: name } = node;
  const parameters = reading.functions?.get(name);
  const meant = nearestName(name, declaredNames(reading));
  const instead = parameters
    ? `it is a function; call it: ${name}(${parameters.length > 0 ? `{ ${parameters.join(", ")} }` : ""})`
    : meant
      ? `did you mean "${meant}"?`
      : "use what the request says, or what a function gives";
  const problem = `"${name}" is not defined; ${instead}`;
  return refuse(node, "unknown", problem, reading);
}

function declaredNames({ scope }: ProgramReading): string[] {
  const names: string[] = [];
  for (let around: Scope | undefined = scope; around; around = around.outer) {
    names.push(...around.locals.keys());
  }
  return names;
}

/** Reads an assignment target. Its names have values from here on. */
export function readPattern(
  node: ts.BindingName,
  kind: Local["kind"],
  reading: ProgramReading,
): Pattern {
  if (ts.isIdentifier(node)) return declareName(node, kind, reading);
  const inner = (name: ts.BindingName): Pattern =>
    deeper(
      name,
      reading,
      () => readPattern(name, kind, reading),
      () => ({ kind: "name", name: "" }),
    );
  const otherwise = ({ initializer }: ts.BindingElement): Expression | undefined =>
    initializer && readExpression(initializer, reading);
  const rest = readRest(node, kind, reading);
  if (ts.isObjectBindingPattern(node)) {
    const fields = node.elements
      .filter(({ dotDotDotToken }) => !dotDotDotToken)
      .map((element) => ({
        key: keyOf(element, reading),
        pattern: inner(element.name),
        otherwise: otherwise(element),
      }));
    return { kind: "fields", fields, rest };
  }
  const items = node.elements
    .filter((element) => ts.isOmittedExpression(element) || !element.dotDotDotToken)
    .map((element) =>
      ts.isOmittedExpression(element)
        ? undefined
        : { pattern: inner(element.name), otherwise: otherwise(element) },
    );
  return { kind: "items", items, rest };
}

function declareName(node: ts.Identifier, kind: Local["kind"], reading: ProgramReading): Pattern {
  const { text: name } = node;
  if (NO_PROPERTIES.has(name)) refuseProperty(node, reading);
  const known = reading.scope.locals.get(name) ?? { kind, line: lineOf(node, reading) };
  reading.scope.locals.set(name, { ...known, isDeclared: true });
  return { kind: "name", name };
}

function readRest(
  { elements }: ts.BindingPattern,
  kind: Local["kind"],
  reading: ProgramReading,
): string | undefined {
  const spread = elements.find(
    (element) => ts.isBindingElement(element) && element.dotDotDotToken !== undefined,
  );
  if (!spread || ts.isOmittedExpression(spread)) return undefined;
  if (!ts.isIdentifier(spread.name) || spread !== elements.at(-1)) {
    notInLanguage(spread, reading, "write ...rest with one name at the end");
    return undefined;
  }
  declareName(spread.name, kind, reading);
  return spread.name.text;
}

function keyOf({ propertyName, name }: ts.BindingElement, reading: ProgramReading): string {
  const node = propertyName ?? name;
  if (ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) {
    if (NO_PROPERTIES.has(node.text)) refuseProperty(node, reading);
    return node.text;
  }
  notInLanguage(node, reading, "write the name of the field, or value[key] on a line of its own");
  return "";
}

/** Reports a property that would reach a value's prototype. */
export function refuseProperty(node: ts.Node, reading: ProgramReading): Expression {
  const problem = `${quoted(node, reading)} is not in the language; values have only the fields that the functions give`;
  return refuse(node, "language", problem, reading);
}

/** What an expression holds, as far as visible without following calls. */
export function seenIn(
  node: ts.Expression,
  reading: ProgramReading,
): Pick<Local, "holds" | "keys"> {
  const bare = bareExpression(node);
  if (ts.isObjectLiteralExpression(bare)) {
    return { holds: "record", keys: bare.properties.flatMap(writtenKey) };
  }
  if (ts.isArrayLiteralExpression(bare)) {
    const { elements } = bare;
    const isRecords = elements.length > 0 && elements.every((item) => isRecord(item, reading));
    return isRecords ? { holds: "records" } : {};
  }
  if (!ts.isIdentifier(bare)) return {};
  const { holds, keys } = localNamed(bare.text, reading) ?? {};
  return { holds, keys };
}

function isRecord(node: ts.Expression, reading: ProgramReading): boolean {
  const bare = bareExpression(node);
  if (!ts.isIdentifier(bare)) return ts.isObjectLiteralExpression(bare);
  return localNamed(bare.text, reading)?.holds === "record";
}

function writtenKey({ name }: ts.ObjectLiteralElementLike): string[] {
  if (!name || ts.isComputedPropertyName(name) || ts.isPrivateIdentifier(name)) return [];
  return [name.text];
}

/** Notes what a name holds, for calls that receive it. */
export function noteHeld(
  pattern: Pattern,
  held: Pick<Local, "holds" | "keys">,
  reading: ProgramReading,
): void {
  if (pattern.kind !== "name") return;
  const local = reading.scope.locals.get(pattern.name);
  if (local) Object.assign(local, held);
}
