import type { Origins, Value } from "./values.js";

/** The program cannot go on; nothing in it catches this. */
export class Fault extends Error {
  /** Set by the caller that knows the statement or expression. */
  line: number | undefined;
  readonly value: Value | undefined;

  constructor(problem: string, { line, value }: { line?: number; value?: Value } = {}) {
    super(problem);
    this.line = line;
    this.value = value;
  }
}

/** What comes next depends on a call without an outcome. */
export class Undecided extends Error {}

/** A failed call, or `throw`: the program may catch it. */
export class Thrown extends Error {
  readonly line: number;
  readonly origins: Origins;
  /** The failed call; absent if the program itself threw. */
  readonly tool: string | undefined;

  constructor(problem: string, { line, origins, tool }: ThrownAt) {
    super(problem);
    this.line = line;
    this.origins = origins;
    this.tool = tool;
  }
}

interface ThrownAt {
  line: number;
  origins: Origins;
  tool?: string;
}
