import { clipped } from "../../common/bounds.js";
import type { Progress } from "./progress.js";
import type { ProgramIssue } from "./program.js";

/** Most characters shown of a faulty value. */
const SHOWN_VALUE = 200;

/** Why a program cannot continue, with its line and the value, if any. */
export function faultText({ line, problem, value }: NonNullable<Progress["fault"]>): string {
  const text = `line ${line}: ${problem}`;
  return value === undefined ? text : withValue(text, value);
}

/** What is wrong with a value, and the value. */
export function withValue(problem: string, value: unknown): string {
  return `${problem}; the value is ${shownValue(value)}`;
}

/** A value in a message. */
export function shownValue(value: unknown): string {
  return clipped(JSON.stringify(value) ?? String(value), SHOWN_VALUE);
}

/** What is wrong with a program, as a compiler says it. */
export function issueLine({ line, problem }: Pick<ProgramIssue, "line" | "problem">): string {
  return line === undefined ? problem : `line ${line}: ${problem}`;
}
