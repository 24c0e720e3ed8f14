import { readExpression } from "./expressions.js";
import ts from "typescript";
import { DEEPEST_PROGRAM } from "../../../common/bounds.js";
import { nearestName, wordsOf } from "../../../common/nearNames.js";
import { NAMES, NO_PROPERTIES } from "../language.js";
import type { Expression, Pattern } from "../program.js";
import {
  type ProgramReading,
  bareExpression,
  deeper,
  INSTEAD_OF_MEMBER,
  lineOf,
  quoted,
  refuse,
  notInLanguage,
  repaired,
} from "./reading.js";

export interface Scope {
  locals: Map<string, Local>;
  outer: Scope | undefined;
  /** Whether it is the outermost of a function, which may be called later than it stands. */
  isFunction: boolean;
}

export interface Local {
  kind: "const" | "let" | "parameter";
  line: number;
  /** A block's names are known from its start, but have a value only after their declaration. */
  isDeclared: boolean;
  /** What it holds, if known: an object, a list of objects, or a function. */
  holds?: "record" | "records" | "function";
  keys?: string[];
}

export function localNamed(name: string, { scope }: ProgramReading): Local | undefined {
  for (let around: Scope | undefined = scope; around; around = around.outer) {
    const local = around.locals.get(name);
    if (local) return local;
  }
  return undefined;
}

export function inScope<Read>(
  reading: ProgramReading,
  read: () => Read,
  { isFunction = false }: { isFunction?: boolean } = {},
): Read {
  const { scope } = reading;
  reading.scope = { locals: new Map(), outer: scope, isFunction };
  const found = read();
  reading.scope = scope;
  return found;
}

/** Registers a block's declarations, so that earlier uses are reported. */
export function announce(statements: readonly ts.Statement[], reading: ProgramReading): void {
  for (const statement of statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name) {
      announceName(statement.name, statement, reading);
      const local = reading.scope.locals.get(statement.name.text);
      if (local) Object.assign(local, { isDeclared: true, holds: "function" });
    }
    if (ts.isEnumDeclaration(statement)) announceName(statement.name, statement, reading);
    if (!ts.isVariableStatement(statement) || isVar(statement.declarationList)) continue;
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

function announceName(node: ts.Identifier, statement: ts.Statement, reading: ProgramReading): void {
  const before = reading.scope.locals.get(node.text);
  if (before) {
    const problem = `"${node.text}" is declared on line ${before.line} already; use another name, or assign to it without const or let`;
    refuse(node, "language", problem, reading);
    return;
  }
  const isConstant = ts.isVariableStatement(statement) && isConst(statement.declarationList);
  const kind = isConstant ? "const" : "let";
  const known = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.find(({ name }) => name === node)?.initializer
    : undefined;
  const holds = known && isFunctionNode(bareExpression(known)) ? "function" : undefined;
  const line = lineOf(node, reading);
  reading.scope.locals.set(node.text, { kind, line, isDeclared: false, ...(holds && { holds }) });
}

export function isFunctionNode(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/** `var`, whose names belong to the whole function. */
export function isVar(list: ts.VariableDeclarationList): boolean {
  return (list.flags & ts.NodeFlags.BlockScoped) === 0;
}

/** The names that `var` declares in a function, or in the program. */
export function varsIn(statements: readonly ts.Node[]): string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isVariableDeclarationList(node) && isVar(node)) {
      for (const { name } of node.declarations) {
        for (const one of namesIn(name)) names.add(one.text);
      }
    }
    ts.forEachChild(node, visit);
  };
  for (const statement of statements) visit(statement);
  return [...names];
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
  if (local?.isDeclared || (local && isLater(name, reading))) return { line, kind: "name", name };
  if (local) {
    const problem = `"${name}" is used before line ${local.line} declares it; declare it first, or use another name`;
    return refuse(node, "unknown", problem, reading);
  }
  if (LITERALS.has(name)) return { line, kind: "literal", value: LITERALS.get(name) };
  if ((NAMES as readonly string[]).includes(name)) return { line, kind: "name", name };
  return unknownName(node, reading);
}

/** Whether a function may be called once the name has its value. */
function isLater(name: string, { scope }: ProgramReading): boolean {
  for (let around: Scope | undefined = scope; around; around = around.outer) {
    if (around.locals.has(name)) return false;
    if (around.isFunction) return true;
  }
  return false;
}

const LITERALS = new Map([
  ["undefined", undefined],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
]);

function unknownName(node: ts.Identifier, reading: ProgramReading): Expression {
  const { text: name } = node;
  const respelt = respeltName(name, reading);
  if (respelt !== undefined) {
    repaired(node, `"${name}" is read as "${respelt}"`, reading);
    return { line: lineOf(node, reading), kind: "name", name: respelt };
  }
  const parameters = reading.functions?.get(name);
  const meant = nearestName(name, declaredNames(reading));
  const instead = parameters
    ? `it is a function; call it: ${name}(${parameters.length > 0 ? `{ ${parameters.join(", ")} }` : ""})`
    : meant
      ? `did you mean "${meant}"?`
      : (INSTEAD_OF_MEMBER.get(name) ?? "use what the request says, or what a function gives");
  const problem = `"${name}" is not defined; ${instead}`;
  return refuse(node, "unknown", problem, reading);
}

/** The only name of the same words that has a value: `repoPath` for `repo_path`, as an argument is called. */
function respeltName(name: string, reading: ProgramReading): string | undefined {
  const words = wordsOf(name).join(" ");
  const same = declaredNames(reading).filter(
    (other) => localNamed(other, reading)?.isDeclared && wordsOf(other).join(" ") === words,
  );
  return same.length === 1 ? same[0] : undefined;
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
  return readWhole(node, (to) => inner(to as ts.BindingName), reading);
}

/** A part of a pattern: of which field it is, what it is given to, and its default. */
interface WrittenPart {
  key?: ts.PropertyName | ts.BindingName;
  to: ts.BindingName | ts.Expression;
  initial?: ts.Expression;
  isRest?: boolean;
}

/** A pattern of several parts, with new names or in an assignment. */
export function readWhole(
  node: ts.BindingPattern | ts.ObjectLiteralExpression | ts.ArrayLiteralExpression,
  read: (to: WrittenPart["to"]) => Pattern,
  reading: ProgramReading,
): Pattern {
  const elements = ts.isObjectLiteralExpression(node) ? node.properties : node.elements;
  const parts = elements.map((element) => partOf(element, reading));
  const rest = parts.find((part) => part?.isRest);
  if (rest && rest !== parts.at(-1)) notInLanguage(rest.to, reading, "write ...rest at the end");
  const inner = ({ to, initial }: WrittenPart) => ({
    pattern: read(to),
    otherwise: initial && readExpression(initial, reading),
  });
  const others = parts.filter((part) => !part?.isRest);
  if (ts.isArrayBindingPattern(node) || ts.isArrayLiteralExpression(node)) {
    const items = others.map((part) => part && inner(part));
    return { kind: "items", items, rest: rest && read(rest.to) };
  }
  const fields = others.flatMap((part) =>
    part?.key ? [{ key: keyOf(part.key, reading), ...inner(part) }] : [],
  );
  return { kind: "fields", fields, rest: rest && read(rest.to) };
}

/** Undefined for an item that is passed over. */
function partOf(
  node: ts.ArrayBindingElement | ts.ObjectLiteralElementLike | ts.Expression,
  reading: ProgramReading,
): WrittenPart | undefined {
  if (ts.isOmittedExpression(node)) return undefined;
  if (ts.isBindingElement(node)) {
    const { propertyName: key = node.name, name: to, initializer: initial } = node;
    return { key, to, initial, isRest: node.dotDotDotToken !== undefined };
  }
  if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node))
    return { to: node.expression, isRest: true };
  if (ts.isShorthandPropertyAssignment(node))
    return { key: node.name, to: node.name, initial: node.objectAssignmentInitializer };
  if (ts.isPropertyAssignment(node)) return { key: node.name, ...withDefault(node.initializer) };
  if (ts.isExpression(node)) return withDefault(node);
  notInLanguage(node, reading);
  return undefined;
}

function withDefault(node: ts.Expression): WrittenPart {
  const isDefault =
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isDefault ? { to: node.left, initial: node.right } : { to: node };
}

function declareName(node: ts.Identifier, kind: Local["kind"], reading: ProgramReading): Pattern {
  const { text: name } = node;
  if (NO_PROPERTIES.has(name)) refuseProperty(node, reading);
  const known = reading.scope.locals.get(name) ?? { kind, line: lineOf(node, reading) };
  reading.scope.locals.set(name, { ...known, isDeclared: true });
  return { kind: "name", name };
}

function keyOf(
  node: ts.PropertyName | ts.BindingName,
  reading: ProgramReading,
): string | Expression {
  if (ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) {
    if (NO_PROPERTIES.has(node.text)) refuseProperty(node, reading);
    return node.text;
  }
  if (ts.isComputedPropertyName(node)) return readExpression(node.expression, reading);
  notInLanguage(node, reading, "write the name of the field");
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
  if (isFunctionNode(bare)) return { holds: "function" };
  if (ts.isObjectLiteralExpression(bare))
    return { holds: "record", keys: bare.properties.flatMap(writtenKey) };
  if (ts.isArrayLiteralExpression(bare)) {
    const { elements } = bare;
    const isRecords = elements.length > 0 && elements.every((item) => isRecord(item, reading));
    return isRecords ? { holds: "records" } : {};
  }
  if (!ts.isIdentifier(bare)) return {};
  const { holds, keys } = localNamed(bare.text, reading) ?? {};
  return { ...(holds && { holds }), ...(keys && { keys }) };
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
