import ts from "typescript";
import { LONGEST_PROGRAM, MOST_PROGRAM_LINES } from "../../../common/bounds.js";
import { counted } from "../../../common/text.js";
import type { ProgramIssue } from "../program.js";
import { trimmed } from "./programBlocks.js";
import { bareExpression } from "./reading.js";

/** Code parsed as a function body, with the code's line numbers. */
export interface ParsedProgram {
  source: ts.SourceFile;
  statements: readonly ts.Statement[];
  start: number;
}

const BEFORE = "async function program() {";

/** Parses code without resolving, checking or running anything. */
export function parseProgram(code: string): ParsedProgram | { issues: ProgramIssue[] } {
  const bound = boundIssue(code);
  if (bound) return { issues: [bound] };
  const text = `${BEFORE}${code}\n}`;
  const source = ts.createSourceFile("program.ts", text, ts.ScriptTarget.Latest);
  const issues = syntaxIssues(source, code);
  if (issues.length > 0) return { issues };
  const [program, ...others] = source.statements;
  if (!program || !ts.isFunctionDeclaration(program) || !program.body || others.length > 0)
    return { issues: [{ kind: "syntax", problem: "a bracket is closed that was not opened" }] };
  return { source, statements: program.body.statements, start: BEFORE.length };
}

function boundIssue(code: string): ProgramIssue | undefined {
  if (code.trim() === "")
    return { kind: "syntax", problem: "there is no code; reply with one ts code block" };
  if ((code.match(ASYNC) ?? []).length > MOST_ASYNC)
    return { kind: "bound", problem: 'leave out "async": it makes no difference here' };
  const { length } = code;
  const lines = length > LONGEST_PROGRAM ? 0 : code.split("\n").length;
  const found =
    length > LONGEST_PROGRAM
      ? `${counted(length)} characters, and ${counted(LONGEST_PROGRAM)} are the most`
      : lines > MOST_PROGRAM_LINES
        ? `${counted(lines)} lines, and ${counted(MOST_PROGRAM_LINES)} are the most`
        : undefined;
  if (found === undefined) return undefined;
  return {
    kind: "bound",
    problem: `the program has ${found}; write a for … of loop for what is repeated`,
  };
}

/**
 * Most uses of `async`: the parser tries each `async (` in two ways, so every nested level doubles the time.
 * Escaped letters count too.
 */
const MOST_ASYNC = 12;
const ASYNC = /async|\\u(?:00|\{0*)(?:61|73|79|6e|63)/gi;

function syntaxIssues(source: ts.SourceFile, code: string): ProgramIssue[] {
  const { parseDiagnostics } = source as ts.SourceFile & {
    parseDiagnostics: readonly ts.DiagnosticWithLocation[];
  };
  const lastLine = code.trimEnd().split("\n").length;
  // What follows the first comes of it as a rule.
  return parseDiagnostics.slice(0, 1).map(({ start, messageText }) => {
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const message = ts.flattenDiagnosticMessageText(messageText, " ").replace(/\.$/, "");
    return {
      line: Math.min(line, lastLine),
      kind: "syntax",
      problem: `this is not TypeScript (${message}); write it anew, complete and without other text`,
    };
  });
}

/**
 * The code inside a function that wraps the whole program and is called at the end: `async function main() { …
 * } main();`. Code before the function is kept before it.
 *
 * @returns undefined if no function wraps the program
 */
export function unwrapProgram({ source, statements }: ParsedProgram): string | undefined {
  const wrapper = statements.flatMap((statement) => wrapperIn(statement) ?? []);
  const [only, ...others] = wrapper;
  if (!only || others.length > 0) return undefined;
  const { statement: declared, name, body } = only;
  const kept = statements.filter((one) => one !== declared && !startsOrShows(one, name));
  const started = statements.findIndex((one) => one === declared && name === undefined);
  const start =
    name === undefined ? started : statements.findIndex((one) => startsOrShows(one, name));
  const isAlone = start < 0 && kept.length === 0;
  const isKeptBefore = kept.every((one) => statements.indexOf(one) < start);
  if (!isAlone && !(start >= 0 && isKeptBefore)) return undefined;
  const { text } = source;
  const inner = text.slice(body.getStart(source) + 1, body.end - 1);
  const before = kept.map((one) => text.slice(one.pos, one.end));
  return trimmed([...before, inner].join("\n"));
}

function wrapperIn(statement: ts.Statement) {
  if (ts.isFunctionDeclaration(statement)) {
    const { name, body } = statement;
    return body && isPlain(statement) ? { statement, name: name?.text ?? "", body } : undefined;
  }
  if (ts.isVariableStatement(statement)) {
    const [only, ...others] = statement.declarationList.declarations;
    const body = others.length === 0 && only?.initializer && bodyOf(only.initializer);
    if (!only || !body || !ts.isIdentifier(only.name)) return undefined;
    return { statement, name: only.name.text, body };
  }
  const started = startedBy(statement);
  const body = started && bodyOf(started);
  return body ? { statement, name: undefined, body } : undefined;
}

function bodyOf(node: ts.Expression): ts.Block | undefined {
  const bare = bareExpression(node);
  const isFunction = ts.isArrowFunction(bare) || ts.isFunctionExpression(bare);
  if (!isFunction || !isPlain(bare)) return undefined;
  return ts.isBlock(bare.body) ? bare.body : undefined;
}

function isPlain(node: ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction): boolean {
  return node.parameters.length === 0 && !node.asteriskToken;
}

/** Whether a statement only calls the function or shows its result. */
function startsOrShows(statement: ts.Statement, name: string | undefined): boolean {
  const started = startedBy(statement);
  return started !== undefined && ts.isIdentifier(started) && started.text === name;
}

/** What a statement calls without arguments; its result may be used further. */
function startedBy(statement: ts.Statement): ts.Expression | undefined {
  const isExpression = ts.isExpressionStatement(statement) || ts.isReturnStatement(statement);
  if (!isExpression || !statement.expression) return undefined;
  let node = bareExpression(statement.expression);
  for (let inner = runBy(node); inner; inner = runBy(node)) node = bareExpression(inner);
  if (!ts.isCallExpression(node) || node.arguments.length > 0) return undefined;
  return bareExpression(node.expression);
}

/** What runs in `void main()`, `main().then(…)` and `console.log(await main())`. */
function runBy(node: ts.Expression): ts.Expression | undefined {
  if (ts.isVoidExpression(node)) return node.expression;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined;
  const { expression: of, name } = node.expression;
  // What is shown may be more than the result.
  const [next] = node.arguments;
  if (name.text === "then" && next) return isShowing(next) ? of : undefined;
  if (["then", "catch", "finally"].includes(name.text)) return of;
  const isLog = ts.isIdentifier(of) && of.text === "console" && node.arguments.length === 1;
  return isLog ? node.arguments[0] : undefined;
}

/** `console.log`, or `(result) => console.log(result)`. */
function isShowing(node: ts.Expression): boolean {
  if (!ts.isArrowFunction(node)) return true;
  const shown = ts.isCallExpression(node.body) ? runBy(node.body) : undefined;
  const names = [shown, node.parameters[0]?.name].map(
    (one) => one && ts.isIdentifier(one) && one.text,
  );
  return Boolean(names[0]) && names[0] === names[1];
}
