import { type Origins, type Value, kindOf } from "./values.js";
import type { Expression } from "../program.js";

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

  constructor(
    problem: string,
    { line, origins, tool }: Pick<Thrown, "line" | "origins"> & { tool?: string },
  ) {
    super(problem);
    this.line = line;
    this.origins = origins;
    this.tool = tool;
  }
}

/** A fault that says which part of the code lacks what. */
export function without(expression: Expression, value: Value, lack: string): Fault {
  const where = said(expression);
  const problem =
    value.kind === "nothing"
      ? `${where} is ${String(value.value)} here, so it has ${lack}. Test for it first.`
      : `${where} is ${kindOf(value)} here, and it has ${lack}.`;
  return new Fault(problem, { value });
}

/** A name for a part of the code, for messages. */
export function said(expression: Expression): string {
  const words = chain(expression);
  return words ? `\`${words}\`` : "This value";
}

export function chain(expression: Expression): string | undefined {
  if (expression.kind === "name") return expression.name;
  if (expression.kind === "tool") return `${expression.name}(…)`;
  if (expression.kind !== "field" && expression.kind !== "item" && expression.kind !== "method") {
    return undefined;
  }
  const of = chain(expression.of);
  if (of === undefined) return undefined;
  if (expression.kind === "field") return `${of}.${expression.key}`;
  return expression.kind === "item" ? `${of}[…]` : `${of}.${expression.name}(…)`;
}
