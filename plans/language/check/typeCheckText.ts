import { assignedIn } from "../expressionsIn.js";
import { type Writing, mark, write, writeAll, writePattern } from "./expressions.js";
import type { Pattern, Program, Statement } from "../program.js";

/** A program as text for TypeScript's type check, with the code line of each part. */
export interface TypeCheckText {
  text: string;
  /** Line of the code for a position in the text. */
  lineAt: (position: number) => number;
}

/**
 * Writes a parsed program for the type check: without its own type annotations, which could claim anything, and
 * with names for tools and helpers that the program cannot use.
 *
 * @param declared names of tools with a known type; others accept and return anything
 */
export function typeCheckText(program: Program, declared: ReadonlySet<string>): TypeCheckText {
  const assigned = assignedIn(program.body);
  const writing: Writing = { text: "", marks: [], declared, assigned, block: writeBlock };
  write(writing, "function $_program() {\n");
  writeBlock(program.body, writing);
  write(writing, "}\n");
  const { text, marks } = writing;
  const lineAt = (position: number) =>
    marks.findLast(({ from }) => from <= position)?.line ?? marks[0]?.line ?? 1;
  return { text, lineAt };
}

function writeBlock(body: readonly Statement[], writing: Writing): void {
  for (const statement of body) {
    mark(writing, statement.line);
    writeStatement(statement, writing);
    write(writing, "\n");
  }
}

function writeStatement(statement: Statement, writing: Writing): void {
  switch (statement.kind) {
    case "declare": {
      const isAssigned = namesIn(statement.pattern).some((name) => writing.assigned.has(name));
      write(writing, isAssigned ? "let " : "const ");
      writePattern(statement.pattern, writing);
      return writeAll([" = ", statement.value, ";"], writing);
    }
    case "assign":
      return writeAll([`${statement.name} = `, statement.value, ";"], writing);
    case "do":
      return writeAll([statement.value, ";"], writing);
    case "if":
      writeAll(["if (", statement.test, ") {\n"], writing);
      writeBlock(statement.then, writing);
      write(writing, "} else {\n");
      writeBlock(statement.otherwise, writing);
      return write(writing, "}");
    case "each":
      write(writing, "for (let ");
      writePattern(statement.pattern, writing);
      writeAll([" of ", statement.list, ") {\n"], writing);
      writeBlock(statement.body, writing);
      return write(writing, "}");
    case "try":
      write(writing, "try {\n");
      writeBlock(statement.body, writing);
      write(writing, `} catch${statement.error === undefined ? "" : ` (${statement.error})`} {\n`);
      writeBlock(statement.rescue, writing);
      return write(writing, "}");
    case "block":
      write(writing, "{\n");
      writeBlock(statement.body, writing);
      return write(writing, "}");
    case "return":
      return writeAll(["return ", ...(statement.value ? [statement.value] : []), ";"], writing);
    case "throw":
      return writeAll(["throw ", statement.reason, ";"], writing);
    case "continue":
    case "break":
      return write(writing, `${statement.kind};`);
  }
}

function namesIn(pattern: Pattern): string[] {
  if (pattern.kind === "name") return [pattern.name];
  const rest = pattern.rest === undefined ? [] : [pattern.rest];
  const inner =
    pattern.kind === "fields" ? pattern.fields : pattern.items.filter((item) => item !== undefined);
  return [...inner.flatMap((part) => namesIn(part.pattern)), ...rest];
}
