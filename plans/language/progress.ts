import { clipped } from "../../common/text.js";
import type { ProgramIssue } from "./program.js";

/*
 * The progress of a program. The interpreter is deterministic: it starts over each time with all outcomes so far
 * and says what to do next. Only the code and the outcomes are kept.
 */

export type Outcome =
  | { result: unknown }
  | { error: string }
  /** Removed by a person. */
  | { skipped: true };

export interface ProgramTool {
  name: string;
  id: string;
  effects: "read" | "write";
}

/** A call to be made, with final arguments. */
export interface PlannedCall {
  /** Where in the program and in which loop iterations: "2", "4:0", "4:17:3". The same in every visit. */
  place: string;
  tool: ProgramTool;
  args: Record<string, unknown>;
  line: number;
  /** For each argument, the places of the calls whose results went into it. */
  origins: Record<string, string[]>;
}

export interface ProgramInputs {
  outcomes: ReadonlyMap<string, Outcome>;
  values?: ReadonlyMap<string, unknown>;
  /** The model's answers to `look`, by place. */
  looks: ReadonlyMap<string, string>;
  /** The day of the run: "2026-03-01". */
  today: string;
  tools: readonly ProgramTool[];
  /**
   * Also makes reads that come after pending writes. Their results may change by then, so they only serve to
   * show which writes will follow.
   */
  ahead?: boolean;
  /** Whether the answer says true and false, not yes and no. */
  asTruth?: boolean;
}

/** What to do next, or how the program ends: either calls, or exactly one of `end`, `look`, `need` and `fault`. */
export interface Progress {
  /** To be made now, together: reads with known arguments, or the next write alone. Empty at the end. */
  calls: PlannedCall[];
  /** All known pending writes, in order, including those in `calls`. */
  writes: PlannedCall[];
  /** Whether `writes` is complete: nothing still unknown can add to it. */
  complete: boolean;
  /** Number of calls by tool id, made or certain. */
  counts: Record<string, number>;
  /** Empty text if it returns nothing; `failed` if the program itself gives up. */
  end?: { text: string; value: unknown; origins: string[]; failed: boolean };
  look?: { place: string; value: unknown; question: string };
  need?: { phrase: string; line: number };
  /** It cannot continue: a value has the wrong shape, a call failed, or a bound is reached. */
  fault?: { line: number; problem: string; value?: unknown };
}

const SHOWN_VALUE = 200;

/** Why a program cannot continue, with its line and the value, if any. */
export function faultText({ line, problem, value }: NonNullable<Progress["fault"]>): string {
  const text = `line ${line}: ${problem}`;
  return value === undefined ? text : withValue(text, value);
}

export function withValue(problem: string, value: unknown): string {
  return `${problem}; the value is ${shownValue(value)}`;
}

export function shownValue(value: unknown): string {
  return clipped(JSON.stringify(value) ?? String(value), SHOWN_VALUE);
}

/** What is wrong with a program, as a compiler says it. */
export function issueLine({ line, problem }: Pick<ProgramIssue, "line" | "problem">): string {
  return line === undefined ? problem : `line ${line}: ${problem}`;
}
