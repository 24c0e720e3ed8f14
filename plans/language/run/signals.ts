import { type Value, errorOf, kindOf } from "./values.js";
import type { Expression } from "../program.js";

/** The program cannot go on: JavaScript would throw too, which the program may catch, or go on with a wrong value. */
export class Fault extends Error {
  /** Set by the caller that knows the statement or expression. */
  line: number | undefined;
  readonly value: Value | undefined;
  /** The class of the error that JavaScript would throw; nothing in the program catches others. */
  readonly thrownAs: string | undefined;

  constructor(
    problem: string,
    { line, value, thrownAs }: { line?: number; value?: Value; thrownAs?: string } = {},
  ) {
    super(problem);
    this.line = line;
    this.value = value;
    this.thrownAs = thrownAs;
  }
}

export function typeError(problem: string, value?: Value): Fault {
  return new Fault(problem, { ...(value && { value }), thrownAs: "TypeError" });
}

/** What comes next depends on a call without an outcome. */
export class Undecided extends Error {
  /** Whether the statements after it may never be reached. */
  readonly mayEnd: boolean;

  constructor({ mayEnd = false }: { mayEnd?: boolean } = {}) {
    super();
    this.mayEnd = mayEnd;
  }
}

/** A failed call, or `throw`: the program may catch it. */
export class Thrown extends Error {
  readonly line: number;
  readonly value: Value;
  /** The failed call; absent if the program itself threw. */
  readonly tool: string | undefined;
  /** Whether the program has waited for the failed call, or looked at its error. */
  isUsed = false;

  constructor(value: Value, { line, tool }: { line: number; tool?: string }) {
    super();
    this.value = value;
    this.line = line;
    this.tool = tool;
  }

  used(): this {
    this.isUsed = true;
    return this;
  }
}

/** What `catch` is given; undefined for what no program catches. */
export function caught(error: unknown): Value | undefined {
  if (error instanceof Thrown) return error.used().value;
  if (!(error instanceof Fault) || error.thrownAs === undefined) return undefined;
  return errorOf(error.message, error.value?.origins, error.thrownAs);
}

/** A fault that says which part of the code lacks what. */
export function without(expression: Expression, value: Value, lack: string): Fault {
  const where = said(expression);
  const problem =
    value.kind === "nothing"
      ? `${where} is ${String(value.value)} here, so it has ${lack}. Test for it first.`
      : `${where} is ${kindOf(value)} here, and it has ${lack}.`;
  return typeError(problem, value);
}

/** A name for a part of the code, for messages. */
export function said(expression: Expression): string {
  const words = chain(expression);
  return words ? `\`${words}\`` : "This value";
}

export function chain(expression: Expression): string | undefined {
  if (expression.kind === "name") return expression.name;
  if (expression.kind === "tool") return `${expression.name}(…)`;
  if (expression.kind === "await") return chain(expression.value);
  const rest = restOf(expression);
  const of = rest && "of" in expression ? chain(expression.of as Expression) : undefined;
  return of === undefined ? undefined : `${of}${rest}`;
}

function restOf(expression: Expression): string | undefined {
  if (expression.kind === "field") return `.${expression.key}`;
  if (expression.kind === "item") return "[…]";
  if (expression.kind === "method") return `.${expression.name}(…)`;
  return expression.kind === "call" ? "(…)" : undefined;
}
