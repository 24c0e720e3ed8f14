import ts from "typescript";
import { oneLine } from "../../common/errors.js";
import {
  callProblem,
  isFitted,
  type CheckedFunction,
  type FoundProblem,
  type OpenedProgram,
  nodeAt,
} from "./check/callProblem.js";
import { TOOLS, type TypeCheckText, typeCheckText } from "./check/typeCheckText.js";
import { givenType, takenType, PRELUDE } from "./check/types.js";
import { METHODS } from "./language.js";
import type { Program, ProgramIssue } from "./program.js";
import { wrappedListIn } from "./run/values.js";

const MOST_ISSUES = 5;

const LONGEST_TYPE = 160;

/**
 * What TypeScript reports about a program, as far as it matters for running it: missing fields of results,
 * unknown arguments, values of the wrong type. Unknown functions accept and return anything.
 *
 * It may take arbitrarily long: see `checkProgramTypes`, which has limits.
 */
export function typeIssues(
  program: Program,
  functions: readonly CheckedFunction[],
): ProgramIssue[] {
  const known = new Map(functions.map((one) => [one.name, one]));
  const written = typeCheckText(program, new Set(known.keys()));
  const opened = openProgram(written.text, toolsText(functions));
  const issues = opened.program
    .getSemanticDiagnostics(opened.source)
    .flatMap((found) => issueOf({ found, known, written, ...opened }) ?? []);
  const first = new Map(issues.map((issue) => [`${issue.line} ${issue.problem}`, issue]));
  return [...first.values()].slice(0, MOST_ISSUES);
}

const OPTIONS: ts.CompilerOptions = {
  // Lists and texts can be iterated without declarations of iterators.
  target: ts.ScriptTarget.ES5,
  noLib: true,
  types: [],
  noEmit: true,
  noErrorTruncation: true,
};

const LANGUAGE = sourceOf("/language.d.ts", PRELUDE);

/** Separate files, so that declarations are only checked as far as the program uses them. */
function openProgram(code: string, tools: string): OpenedProgram {
  const source = sourceOf("/program.ts", code);
  const sources = [LANGUAGE, sourceOf("/tools.d.ts", tools), source];
  const files = new Map(sources.map((file) => [file.fileName, file]));
  const host: ts.CompilerHost = {
    getSourceFile: (name) => files.get(name),
    fileExists: (name) => files.has(name),
    readFile: () => undefined,
    writeFile: () => undefined,
    getDefaultLibFileName: () => "",
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
  };
  const program = ts.createProgram({ rootNames: [...files.keys()], options: OPTIONS, host });
  return { program, checker: program.getTypeChecker(), source };
}

function sourceOf(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.ES5, true);
}

function toolsText(functions: readonly CheckedFunction[]): string {
  const lines = functions.map(({ name, parameters, returns }) => {
    return `  "${name}"(args: ${takenType(parameters)}): ${givenType(returns)};`;
  });
  return [`declare const ${TOOLS}: {`, ...lines, "};"].join("\n");
}

/** TypeScript's codes for errors that matter; the others are style here. */
const TOLD: ReadonlySet<number> = new Set([
  2322, 2339, 2345, 2353, 2361, 2362, 2363, 2365, 2367, 2461, 2488, 2495, 2549, 2551, 2554, 2555,
  2559, 2561, 2638, 2739, 2740, 2741, 2769, 2820,
]);

function issueOf(problem: FoundProblem & { written: TypeCheckText }): ProgramIssue | undefined {
  const { found, written } = problem;
  const messages = messagesOf(found.messageText);
  if (!TOLD.has(found.code) || messages.some(isWidened)) return undefined;
  if (isFitted(problem) || isWrappedList(problem) || isOwnField(problem)) return undefined;
  if (NO_NUMBER.has(found.code) && mayBeNumber(problem)) return undefined;
  const line = written.lineAt(found.start ?? 0);
  const ofCall = callProblem(problem);
  // A variable may hold values of several types, one after the other.
  if (!ofCall && found.code === ASSIGNED_TYPE) return undefined;
  return { line, kind: "type", problem: ofCall ?? generalProblem(problem) };
}

/** TypeScript's code for a value of another type than its variable. */
const ASSIGNED_TYPE = 2322;

/** A field that the program itself gives to some value, one of some types of it, or one of what TypeScript takes for impossible. */
function isOwnField(options: FoundProblem & { written: TypeCheckText }): boolean {
  const { found, source, written, checker } = options;
  const node = nodeAt(source, found.start ?? 0);
  const access = node.parent;
  if (![2339, 2551].includes(found.code) || !ts.isPropertyAccessExpression(access)) return false;
  const type = checker.getTypeAtLocation(access.expression);
  const name = node.getText(source);
  // The run shows which of several types a value has: the program may have tested it, in a function of its own.
  const isOfSome =
    type.isUnion() &&
    type.types.some((one) => checker.getPropertyOfType(checker.getApparentType(one), name));
  return written.ownFields.has(name) || isOfSome || (type.flags & ts.TypeFlags.Never) !== 0;
}

/** TypeScript's codes for an operand that is not a number. */
const NO_NUMBER: ReadonlySet<number> = new Set([2362, 2363]);

/** Whether an operand has several types, of which one is a number: casts are not read. */
function mayBeNumber({ found, source, checker }: FoundProblem): boolean {
  const start = found.start ?? 0;
  const operand = upTo(start + (found.length ?? 0), nodeAt(source, start));
  const type = checker.getTypeAtLocation(operand);
  return type.isUnion() && type.types.some(({ flags }) => (flags & ts.TypeFlags.NumberLike) !== 0);
}

/** TypeScript's codes for a missing list, which may be wrapped in an object. */
const NO_LIST: ReadonlySet<number> = new Set([2461, 2488, 2495, 2549]);

/** An object that wraps a list counts as the list, as when the program runs. */
function isWrappedList({ found, source, checker }: FoundProblem): boolean {
  const node = nodeAt(source, found.start ?? 0);
  const access = node.parent;
  const isMember =
    found.code === 2339 &&
    ts.isPropertyAccessExpression(access) &&
    (access.name.text === "length" || Object.hasOwn(METHODS.list, access.name.text));
  if (!isMember && !NO_LIST.has(found.code)) return false;
  const end = (found.start ?? 0) + (found.length ?? 0);
  const type = checker.getTypeAtLocation(isMember ? access.expression : upTo(end, node));
  // The characters of a text can be spread.
  if (!isMember && (type.flags & ts.TypeFlags.StringLike) !== 0) return true;
  const fields = type.getProperties().map((field) => ({
    name: field.name,
    isList: checker.isArrayType(checker.getTypeOfSymbol(field)),
  }));
  return wrappedListIn(fields) !== undefined;
}

/** The outermost node that starts with this one and ends no later than `end`. */
function upTo(end: number, node: ts.Node): ts.Node {
  const { parent } = node;
  const isOuter = parent.end > end || parent.getStart() < node.getStart();
  return ts.isSourceFile(parent) || isOuter ? node : upTo(end, parent);
}

function messagesOf(text: string | ts.DiagnosticMessageChain): string[] {
  if (typeof text === "string") return [text];
  return [text.messageText, ...(text.next ?? []).flatMap(messagesOf)];
}

/** Whether a text may or may not be an allowed one, which only the call shows. */
function isWidened(message: string): boolean {
  const [, given = "", wanted = ""] = ASSIGNED.exec(message) ?? [];
  const isAny = /^\(?string( \| Date\)?)?(\[\])?$/.test(given);
  return wanted.includes('"') && (isAny || /^\(?"[^"]*"( \| "[^"]*")+\)?(\[\])?$/.test(given));
}

const ASSIGNED = /'(.*)' is not assignable to (?:type|parameter of type) '(.*)'/;

function generalProblem({ found, source, checker }: FoundProblem): string {
  const [first = ""] = messagesOf(found.messageText);
  const text = oneLine(first).replaceAll(/'([^']*)'/g, (_whole, inner: string) => {
    return inner.length > LONGEST_TYPE ? `'${inner.slice(0, LONGEST_TYPE)} …'` : `'${inner}'`;
  });
  return `${text.replace(/\.?$/, ".")}${adviceOn({ found, source, checker })}`;
}

/** The likely cause of a missing field: a list used like an item, an id used like what it names. */
function adviceOn({ found, source, checker }: Omit<FoundProblem, "program" | "known">): string {
  const name = nodeAt(source, found.start ?? 0);
  const access = name.parent;
  if (found.code !== 2339 || !ts.isPropertyAccessExpression(access)) return "";
  const type = checker.getTypeAtLocation(access.expression);
  if (checker.isArrayType(type)) return " It is a list: take one item of it, or go through them.";
  const isText = (type.flags & ts.TypeFlags.StringLike) !== 0;
  return isText ? " It is a text, such as an id: a function may give what it stands for." : "";
}
