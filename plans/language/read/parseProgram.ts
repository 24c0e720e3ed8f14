import ts from "typescript";
import { LONGEST_PROGRAM, MOST_PROGRAM_LINES, counted } from "../../../common/bounds.js";
import type { ProgramIssue } from "../program.js";

/** Code parsed as a function body, with the code's line numbers. */
export interface ParsedProgram {
  source: ts.SourceFile;
  statements: readonly ts.Statement[];
  /** Where the code starts in the source. */
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
  if (!program || !ts.isFunctionDeclaration(program) || !program.body || others.length > 0) {
    return { issues: [{ kind: "syntax", problem: "a bracket is closed that was not opened" }] };
  }
  return { source, statements: program.body.statements, start: BEFORE.length };
}

function boundIssue(code: string): ProgramIssue | undefined {
  if (code.trim() === "") {
    return { kind: "syntax", problem: "there is no code; reply with one ts code block" };
  }
  if ((code.match(ASYNC) ?? []).length > MOST_ASYNC) {
    return { kind: "bound", problem: 'leave out "async": it makes no difference here' };
  }
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
  return parseDiagnostics.map(({ start, messageText }) => {
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const message = ts.flattenDiagnosticMessageText(messageText, " ").replace(/\.$/, "");
    return {
      line: Math.min(line, lastLine),
      kind: "syntax",
      problem: `this is not TypeScript (${message}); write it anew, complete and without other text`,
    };
  });
}
