import type { ProgramIssue } from "./program.js";

/** What is wrong with a program, as a compiler says it. */
export function issueLine({ line, problem }: Pick<ProgramIssue, "line" | "problem">): string {
  return line === undefined ? problem : `line ${line}: ${problem}`;
}
