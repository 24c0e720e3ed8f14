import ts from "typescript";
import { LONGEST_MESSAGE } from "../../common/bounds.js";
import { counted } from "../../common/text.js";
import type { Program, ProgramIssue, Statement } from "./program.js";
import { type ParsedProgram, parseProgram, unwrapProgram } from "./read/parseProgram.js";
import { restored, widestCode, writtenCode } from "./read/programBlocks.js";
import { type Local, isFunctionNode } from "./read/names.js";
import { type ProgramReading, bareExpression, refuse } from "./read/reading.js";
import { readVars } from "./read/functions.js";
import { readBlock } from "./read/statements.js";
import { memberOf } from "../../common/codeNames.js";
import { isSameName } from "../../common/nearNames.js";

export type ReadProgram = { program: Program; repairs: string[] } | { issues: ProgramIssue[] };

/**
 * The program in a model's reply, parsed but never run. What is not in the language is refused with its line
 * and an alternative; clear deviations are read as meant.
 *
 * @param options.functions parameters of the offered functions by name, in order, to name positional arguments
 * @param options.groups names of all groups of functions, also of those that are not offered
 * @param options.names names of values passed to the program
 * @param options.isPart the code need not end with an answer
 * @param options.isCode the text is the code of a program, as it was read or written by hand, and not a reply that has it
 *   somewhere: what looks like a block in one of its texts is none
 */
export function readProgram(
  text: string,
  { functions, groups = [], names = [], isPart = false, isCode = false }: ReadingOptions = {},
): ReadProgram {
  if (text.length > LONGEST_MESSAGE) {
    const problem = `the reply has ${counted(text.length)} characters, and ${counted(LONGEST_MESSAGE)} are the most`;
    return { issues: [{ kind: "bound", problem }] };
  }
  // The same code may be meant in several ways.
  const known = new Map<string, ReadProgram>();
  const readAs = (code: string) => {
    const found = known.get(code) ?? readCode({ code, functions, groups, names, isPart });
    known.set(code, found);
    return found;
  };
  const read = (code: string) => {
    const asIs = readAs(code);
    const mended = "program" in asIs ? asIs : readAs(restored(code));
    return "program" in mended ? mended : asIs;
  };
  if (isCode) {
    const whole = read(text);
    if ("program" in whole) return whole;
  }
  const written = writtenCode(text);
  if ("problem" in written) return { issues: [{ kind: "language", problem: written.problem }] };
  if ("blocks" in written) {
    const inBlocks = readBlocks(written.blocks, read);
    const whole = "program" in inBlocks ? inBlocks : read(widestCode(text));
    return "program" in whole ? whole : inBlocks;
  }
  const reads = written.texts.map(read);
  return reads.find((one) => "program" in one) ?? reads[0] ?? { issues: [] };
}

/**
 * The program in blocks of code: the last one, since those before it may be drafts; or all of them together, if the last
 * one needs what others declare and none of them is whole.
 */
function readBlocks(blocks: readonly string[], read: (code: string) => ReadProgram): ReadProgram {
  const last = read(blocks.at(-1) ?? "");
  if ("program" in last || blocks.length === 1) return last;
  const all = read(blocks.join("\n"));
  const isSplit = "program" in all && !all.program.body.slice(0, -1).some((one) => ends([one]));
  return isSplit ? all : last;
}

/** What a reader knows besides the text. */
export type ReadingOptions = Partial<Omit<ProgramText, "code">> & { isCode?: boolean };

interface ProgramText {
  code: string;
  functions: ReadonlyMap<string, readonly string[]> | undefined;
  groups: readonly string[];
  names: readonly string[];
  isPart: boolean;
}

function readCode(text: ProgramText): ReadProgram {
  try {
    return readWrapped(text, 0);
  } catch (error) {
    // Endlessly nested brackets exhaust the parser's stack.
    if (!(error instanceof RangeError)) throw error;
    const problem = "the code is nested too deeply; give parts of it to constants";
    return { issues: [{ kind: "bound", problem }] };
  }
}

/** The program inside its wrapping functions, of which sensible programs have few. */
function readWrapped(text: ProgramText, wrappers: number): ReadProgram {
  const parsed = parseProgram(text.code);
  if ("issues" in parsed) return parsed;
  const inner = wrappers < MOST_WRAPPERS ? unwrapProgram(parsed) : undefined;
  if (inner === undefined) return readParsed({ ...parsed, ...text });
  return readWrapped({ ...text, code: inner }, wrappers + 1);
}

const MOST_WRAPPERS = 3;

/** A name not declared in the code. */
const GIVEN: Local = { kind: "const", line: 0, isDeclared: true };

const MOST_ISSUES = 10;

function readParsed(text: ParsedProgram & ProgramText): ReadProgram {
  const { source, statements, code, functions, groups, names, isPart } = text;
  const reading: ProgramReading = {
    source,
    functions,
    groups: new Set(groups),
    calls: [],
    sites: 0,
    turns: 0,
    ownKeys: ownKeysIn(source),
    issues: [],
    repairs: [],
    isLogging: /\bconsole\s*\.\s*\w+\s*\(/.test(code),
    scope: {
      locals: new Map(names.map((name) => [name, GIVEN])),
      outer: undefined,
      isFunction: false,
    },
    depth: 0,
    within: { body: "program", isLoop: false, isSwitch: false, labels: [] },
  };
  refuseListed(source, reading);
  const vars = readVars(statements, reading);
  const read = [...vars, ...readBlock(statements, reading)];
  // The end is only checked if everything else is right, because refused code is often the end.
  const body = reading.issues.length === 0 && !isPart ? readEnd(read, reading) : read;
  const { calls, issues, repairs } = reading;
  if (issues.length > 0) return { issues: issues.slice(0, MOST_ISSUES) };
  return { program: { body, code, calls }, repairs };
}

/** The keys under which objects may get functions. */
function ownKeysIn(source: ts.SourceFile): ReadonlySet<string> {
  const keys = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isKey =
      ts.isPropertyAssignment(node) ||
      ts.isShorthandPropertyAssignment(node) ||
      ts.isMethodDeclaration(node);
    if (isKey && "text" in node.name) keys.add(node.name.text);
    const isAssigned =
      ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
    if (isAssigned && ts.isPropertyAccessExpression(node.left)) keys.add(node.left.name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return keys;
}

/**
 * An expression without calls at the end counts as the answer. A program that makes calls may end without an answer: the
 * model then words it from their results.
 */
function readEnd(body: Statement[], reading: ProgramReading): Statement[] {
  const answered = withAnswer(body, reading);
  if (reading.calls.length === 0 && !reading.isLogging && !ends(answered)) {
    reading.issues.push({
      line: answered.at(-1)?.line ?? 1,
      kind: "language",
      problem:
        "the program can end without an answer; end with return and a template string that answers the request",
    });
  }
  return answered;
}

function withAnswer(body: Statement[], { repairs }: ProgramReading): Statement[] {
  const last = body.at(-1);
  if (last?.kind !== "do" || doesSomething(last.value)) return body;
  // `true` alone is a guess at the answer, not a program.
  if (last.value.kind === "literal" && typeof last.value.value !== "string") return body;
  repairs.push(`line ${last.line}: the last value is read as what is returned`);
  return [...body.slice(0, -1), { line: last.line, kind: "return", value: last.value }];
}

/** Whether every path returns, throws, or says what it needs. */
function ends(body: Statement[]): boolean {
  return body.some((one) => {
    if (one.kind === "return" || one.kind === "throw") return true;
    if (one.kind === "do" || one.kind === "declare")
      return one.value.kind === "need" || one.value.kind === "stop";
    if (one.kind === "block") return ends(one.body);
    if (one.kind === "if") return ends(one.then) && ends(one.otherwise);
    // Only the program's run shows how they end.
    if (one.kind === "loop" || one.kind === "switch") return returnsIn(one);
    if (one.kind !== "try") return false;
    return (one.after && ends(one.after)) || (ends(one.body) && (!one.rescue || ends(one.rescue)));
  });
}

/** Whether it returns or throws somewhere. */
function returnsIn(part: object): boolean {
  if ("kind" in part && part.kind === "function") return false;
  if ("kind" in part && (part.kind === "return" || part.kind === "throw")) return true;
  return Object.values(part).some(
    (inner: unknown) => typeof inner === "object" && inner !== null && returnsIn(inner),
  );
}

/** What may do more than state something. */
const ACTING: ReadonlySet<string> = new Set("assign count delete call stop method log".split(" "));

/** Whether an expression calls a tool instead of just stating something. */
function doesSomething(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ("site" in value) return true;
  if ("kind" in value && ACTING.has(String(value.kind))) return true;
  return Object.values(value).some(doesSomething);
}

/**
 * Refuses functions on offer that a program writes itself, in any spelling and as a function, a value or a method: such a
 * program would call nothing.
 */
function refuseListed(source: ts.SourceFile, reading: ProgramReading): void {
  const listed = [...(reading.functions?.keys() ?? [])];
  const visit = (node: ts.Node): void => {
    for (const own of ownFunctions(node)) {
      const name = listed.find((one) => isWritten(own, one, reading));
      if (name !== undefined) refuseOne(name, own.node, reading);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function refuseOne(name: string, node: ts.Node, reading: ProgramReading): void {
  const parameters = reading.functions?.get(name) ?? [];
  const given = parameters.length > 0 ? `{ ${parameters.join(", ")} }` : "";
  const problem = `${name} is a function that is there already; call it, do not write it: await ${name}(${given})`;
  refuse(node, "language", problem, reading);
}

/** A function that a program writes, by the name that it has there: `commit`, or `git.commit` in an object. */
interface OwnFunction {
  name: string;
  node: ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration;
}

/** The functions that a declaration or an assignment gives names to. */
function ownFunctions(node: ts.Node): OwnFunction[] {
  const named = namedBy(node);
  return named ? functionsIn(...named) : [];
}

function namedBy(node: ts.Node): [name: string, value: ts.Node] | undefined {
  if (ts.isFunctionDeclaration(node) && node.name && node.body) return [node.name.text, node];
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
    return [node.name.text, bareExpression(node.initializer)];
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken)
    return undefined;
  const { left, right } = node;
  if (ts.isIdentifier(left)) return [left.text, bareExpression(right)];
  if (!ts.isPropertyAccessExpression(left) || !ts.isIdentifier(left.expression)) return undefined;
  return [`${left.expression.text}.${left.name.text}`, bareExpression(right)];
}

function functionsIn(name: string, value: ts.Node): OwnFunction[] {
  if (ts.isFunctionDeclaration(value) || (ts.isExpression(value) && isFunctionNode(value)))
    return [{ name, node: value }];
  if (!ts.isObjectLiteralExpression(value)) return [];
  return value.properties.flatMap((property) => {
    const { name: key } = property;
    if (!key || !(ts.isIdentifier(key) || ts.isStringLiteralLike(key))) return [];
    const full = `${name}.${key.text}`;
    if (ts.isMethodDeclaration(property)) return [{ name: full, node: property }];
    if (!ts.isPropertyAssignment(property)) return [];
    return functionsIn(full, bareExpression(property.initializer));
  });
}

/**
 * Whether a program's own function stands for one on offer: by the same name, or by one in another spelling or with
 * another group, or none, if it takes the same arguments and does not call it.
 */
function isWritten({ name, node }: OwnFunction, listed: string, reading: ProgramReading): boolean {
  if (name === listed) return true;
  if (!isSameName(name, listed) && !isSameName(memberOf(name), memberOf(listed))) return false;
  const known = reading.functions?.get(listed) ?? [];
  const taken = node.parameters.flatMap(namesTaken);
  const isSame =
    taken.length > 0 && taken.every((one) => known.some((key) => isSameName(key, one)));
  return isSame && !node.body?.getText(reading.source).includes(`${listed}(`);
}

/** `a` of `(a)`, of `({ a })` and of `(args: { a: number })`. */
function namesTaken({ name, type }: ts.ParameterDeclaration): string[] {
  const members = type && ts.isTypeLiteralNode(type) ? type.members : [];
  const parts = ts.isObjectBindingPattern(name) ? name.elements : members;
  const names =
    parts.length > 0
      ? parts.map((part) => ("propertyName" in part && part.propertyName) || part.name)
      : [name];
  return names.flatMap((one) => (one && ts.isIdentifier(one) ? one.text : []));
}
