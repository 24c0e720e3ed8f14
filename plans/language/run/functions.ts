import { bind, runBody } from "./statements.js";
import { evaluate } from "./evaluateExpression.js";
import { passOver, reachOf } from "./reach.js";
import { caught, Fault, Thrown, Undecided } from "./signals.js";
import { type Callback, list, PENDING, type Scope, UNDEFINED, type Value } from "./values.js";
import { inTurn, type Visit } from "./visit.js";

export interface Given {
  args: readonly Value[];
  /** The same, all of them known. */
  known: () => Value[];
}

export interface MethodCall extends Given {
  /** Tells the calls of functions apart. */
  turn: number;
  visit: Visit;
}

/** What a method does for each item, in its turn. */
export type Work = (turn: number, ...args: Value[]) => Value;

/** The function among the arguments, called for each item. A named one may be called from several places. */
export function workOf({ args, turn: site, visit }: MethodCall): Work | undefined {
  const fn = args.find((value) => value.kind === "function");
  if (!fn) return undefined;
  return (turn, ...given) =>
    inTurn(turn, visit, () =>
      fn.written.isInline ? call(fn, given, visit) : callNamed(fn, given, { turn: site, visit }),
    );
}

/** A call has the places of its calls to itself. */
export function callNamed(
  fn: Callback,
  args: readonly Value[],
  { turn, visit }: Pick<MethodCall, "turn" | "visit">,
): Value {
  return inTurn(`f${turn}`, visit, () => call(fn, args, visit));
}

/** Other calls do not wait for one that cannot be followed yet. */
function call(fn: Callback, args: readonly Value[], visit: Visit): Value {
  const { written, scope } = fn;
  const inner: Scope = { names: new Map(), outer: scope };
  if (written.name !== undefined) inner.names.set(written.name, fn);
  try {
    for (const [at, { pattern, otherwise, isRest }] of written.parameters.entries()) {
      const value = isRest ? list(args.slice(at)) : (args[at] ?? UNDEFINED);
      bind({ pattern, otherwise }, value, inner, visit);
    }
    const { body } = written;
    return "kind" in body ? evaluate(body, inner, visit) : runBody(body, inner, visit);
  } catch (error) {
    if (error instanceof Undecided) return unknown(written, scope, visit);
    if (!written.isAsync) throw error;
    return failed(error, visit);
  }
}

function unknown(written: Callback["written"], scope: Scope, visit: Visit): Value {
  passOver(written, scope, visit);
  // An asynchronous function that throws ends nothing before something waits for it.
  if (reachOf(written, visit).throws && !written.isAsync) throw new Undecided({ mayEnd: true });
  return PENDING;
}

/** An asynchronous function that has thrown: who waits for it gets the error. */
function failed(error: unknown, visit: Visit): Value {
  const value = caught(error);
  if (!value) throw error;
  const thrown =
    error instanceof Thrown
      ? error
      : new Thrown(value, { line: error instanceof Fault ? (error.line ?? 1) : 1 });
  thrown.isUsed = false;
  const made = { kind: "failed", error: thrown, origins: value.origins } as const;
  visit.failures.push(made);
  return made;
}
