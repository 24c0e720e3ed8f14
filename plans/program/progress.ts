/*
 * How far a program has come. The interpreter is deterministic: it begins anew each time with all outcomes that
 * are there, and says what is to be done next. Nothing but the code and the outcomes has to be kept.
 */

/** What came of a call. */
export type Outcome =
  | { result: unknown }
  | { error: string }
  /** A person has taken it out of the list. */
  | { skipped: true };

/** What the interpreter has to know of a tool. */
export interface ProgramTool {
  /** As the program names it. */
  name: string;
  id: string;
  effects: "read" | "write";
}

/** A call as it is to be made: its arguments are values. */
export interface PlannedCall {
  /** Where in the program, and in which turns of its loops: "2", "4:0", "4:17:3". The same in every visit. */
  place: string;
  tool: ProgramTool;
  args: Record<string, unknown>;
  line: number;
  /** For each argument the places of the calls whose results went into it. */
  origins: Record<string, string[]>;
}

/** What is there when the interpreter begins. */
export interface ProgramInputs {
  /** By place. */
  outcomes: ReadonlyMap<string, Outcome>;
  /** What is given to the program under names, where it is a tool with parameters. */
  values?: ReadonlyMap<string, unknown>;
  /** What the model has said where it was to look, by place. */
  looks: ReadonlyMap<string, string>;
  /** The day of the run: "2026-03-01". */
  today: string;
  tools: readonly ProgramTool[];
  /**
   * Reads behind a write that is not made yet are to be made, too: what they give may be other by then, and is
   * good for showing which writes there will be, and for nothing else.
   */
  ahead?: boolean;
}

/** What is to be done, and how the program ends. Exactly one of `end`, `look`, `need` and `fault` is there, or calls are. */
export interface Progress {
  /** To be made now, at once: reads whose arguments are there, or the next write alone. Empty at the end. */
  calls: PlannedCall[];
  /** All writes that are known by now and not made yet, in their order, those in `calls` among them. */
  writes: PlannedCall[];
  /** Whether what `writes` says is all: nothing that depends on what is not there can add to it. */
  complete: boolean;
  /** Calls of each tool by its id, made and known to come. */
  counts: Record<string, number>;
  /** An empty text for a program that returns nothing; `failed` where it says itself that it is not solved. */
  end?: { text: string; value: unknown; origins: string[]; failed: boolean };
  look?: { place: string; value: unknown; question: string };
  need?: { phrase: string; line: number };
  /** It cannot go on: a value has not the shape that the code wants, a call has failed, a bound is met. */
  fault?: { line: number; problem: string; value?: unknown };
}
