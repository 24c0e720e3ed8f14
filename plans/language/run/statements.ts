import type { Case, Statement, Expression, Pattern } from "../program.js";
import { evaluate, knownField } from "./evaluateExpression.js";
import { isSame, isTrue } from "./operators.js";
import { goPast, mayThrow, passOver, reachOf, unsettle } from "./reach.js";
import { caught, Fault, Thrown, Undecided, without } from "./signals.js";
import { ready, type Scope, UNDEFINED, type Value, isUndefined, list, object } from "./values.js";
import { inTurn, iterate, step, type Visit } from "./visit.js";
import { store } from "./assign.js";
import { entriesOf } from "./helpers.js";
import { wordsOf } from "./textMethods.js";

export type Exit =
  | { kind: "return"; value: Value; line: number }
  | { kind: "break"; label?: string }
  | { kind: "continue"; label?: string };

type At<Kind extends Statement["kind"]> = Extract<Statement, { kind: Kind }>;

export function runBody(body: readonly Statement[], scope: Scope, visit: Visit): Value {
  const exit = runAll(body, scope, visit);
  return exit?.kind === "return" ? exit.value : UNDEFINED;
}

export function runAll(
  statements: readonly Statement[],
  scope: Scope,
  visit: Visit,
): Exit | undefined {
  for (const [at, statement] of statements.entries()) {
    try {
      const exit = run(statement, scope, visit);
      if (exit) return exit;
    } catch (error) {
      // Nothing after it is known.
      if (error instanceof Undecided) passOver(statements.slice(at), scope, visit);
      if (error instanceof Fault) error.line ??= statement.line;
      throw error;
    }
  }
  return undefined;
}

function run(statement: Statement, scope: Scope, visit: Visit): Exit | undefined {
  step(visit);
  switch (statement.kind) {
    case "declare": {
      const { pattern } = statement;
      bind(
        { pattern, otherwise: undefined },
        evaluate(statement.value, scope, visit),
        scope,
        visit,
      );
      return undefined;
    }
    case "do": {
      const value = evaluate(statement.value, scope, visit);
      // Nothing can wait for it any more.
      if (value.kind === "failed") ready(value);
      return undefined;
    }
    case "if":
      return branch(statement, scope, visit);
    case "each":
      return each(statement, scope, visit);
    case "loop":
      return loop(statement, scope, visit);
    case "switch":
      return choice(statement, scope, visit);
    case "try":
      return attempt(statement, scope, visit);
    case "block": {
      const exit = runAll(statement.body, within(scope), visit);
      const isOver = exit?.kind === "break" && exit.label !== undefined;
      return isOver && exit.label === statement.label ? undefined : exit;
    }
    case "return": {
      const value = statement.value ? evaluate(statement.value, scope, visit) : UNDEFINED;
      return { kind: "return", value, line: statement.line };
    }
    case "throw": {
      const reason = evaluate(statement.reason, scope, visit);
      // That it ends here is certain, whatever the reason is.
      if (reason.kind === "pending") throw new Undecided({ mayEnd: true });
      throw new Thrown(ready(reason), { line: statement.line });
    }
    default:
      return statement;
  }
}

function branch(statement: At<"if">, scope: Scope, visit: Visit): Exit | undefined {
  const test = evaluate(statement.test, scope, visit);
  if (test.kind === "pending") return goPast(statement, scope, visit);
  return runAll(isTrue(test) ? statement.then : statement.otherwise, within(scope), visit);
}

function each(statement: At<"each">, scope: Scope, visit: Visit): Exit | undefined {
  const { pattern, list, body, label } = statement;
  const value = evaluate(list, scope, visit);
  if (value.kind === "pending") return goPast(statement, scope, visit);
  let turn = 0;
  for (const item of iterate(ready(value), visit)) {
    const exit = inTurn(turn, visit, () => {
      const inner = within(scope);
      bind({ pattern, otherwise: undefined }, item, inner, visit);
      return oneTurn(body, inner, visit);
    });
    turn += 1;
    if (exit && !goesOn(exit, label)) return left(exit, label);
  }
  return undefined;
}

const OVER = { kind: "break" } as const;

function loop(statement: At<"loop">, scope: Scope, visit: Visit): Exit | undefined {
  const { first, test, update, body, isDo, label } = statement;
  let inner = within(scope);
  runAll(first, inner, visit);
  for (let turn = 0; ; turn += 1) {
    const exit = inTurn(turn, visit, () => {
      // What a turn declares is its own: functions made in it keep its value.
      inner = { names: new Map(inner.names), outer: scope };
      if (turn > 0 && update) evaluate(update, inner, visit);
      const goes = test && (turn > 0 || !isDo) ? evaluate(test, inner, visit) : undefined;
      if (goes?.kind === "pending") {
        goPast(statement, inner, visit);
        return OVER;
      }
      return goes && !isTrue(goes) ? OVER : oneTurn(body, within(inner), visit);
    });
    if (exit && !goesOn(exit, label)) return left(exit, label);
  }
}

/** Whether the next turn of a loop follows. */
function goesOn(exit: Exit, label: string | undefined): boolean {
  return exit.kind === "continue" && (exit.label === undefined || exit.label === label);
}

/** What is left to do outside of a loop or `switch`. */
function left(exit: Exit | undefined, label: string | undefined): Exit | undefined {
  const isOver = exit?.kind === "break" && (exit.label === undefined || exit.label === label);
  return isOver ? undefined : exit;
}

/** The next iteration is certain if this one may be cut short but not be the last. */
function oneTurn(body: Statement[], scope: Scope, visit: Visit): Exit | undefined {
  try {
    return runAll(body, scope, visit);
  } catch (error) {
    const { returns, breaks } = reachOf(body, visit);
    if (!(error instanceof Undecided) || returns || breaks) throw error;
    if (mayThrow(body, scope, visit)) throw error;
    passOver(body, scope, visit);
    return undefined;
  }
}

function choice(statement: At<"switch">, scope: Scope, visit: Visit): Exit | undefined {
  const { value, cases, label } = statement;
  const wanted = evaluate(value, scope, visit);
  const inner = within(scope);
  const at = wanted.kind === "pending" ? undefined : chosen(cases, wanted, inner, visit);
  if (at === undefined) return goPast(statement, scope, visit);
  const body = at < 0 ? [] : cases.slice(at).flatMap((one) => one.body);
  return left(runAll(body, inner, visit), label);
}

/** The position of the case that a value means, or -1; undefined if that is not known yet. */
function chosen(
  cases: readonly Case[],
  wanted: Value,
  scope: Scope,
  visit: Visit,
): number | undefined {
  for (const [at, { test }] of cases.entries()) {
    const value = test && evaluate(test, scope, visit);
    if (value?.kind === "pending") return undefined;
    if (value && isSame(wanted, value)) return at;
  }
  return cases.findIndex(({ test }) => test === undefined);
}

function attempt(statement: At<"try">, scope: Scope, visit: Visit): Exit | undefined {
  const { after } = statement;
  const { open } = visit;
  let exit: Exit | undefined;
  try {
    exit = rescued(statement, scope, visit);
  } catch (error) {
    // `finally` is in what is passed over, if it is not known how this ends.
    if (!after || caught(error) === undefined) throw error;
    const last = runAll(after, within(scope), visit);
    if (last) return last;
    throw error;
  }
  if (!after) return exit;
  // A call without an outcome may fail, and leave undone what follows it.
  if (visit.open > open) unsettle(statement.body, scope, visit);
  return runAll(after, within(scope), visit) ?? exit;
}

/**
 * While a call in the body has no outcome, it is unknown whether `catch` runs: the body continues as if all
 * calls succeed, but nothing that depends on it counts as known.
 */
function rescued(statement: At<"try">, scope: Scope, visit: Visit): Exit | undefined {
  const { body, error: pattern, rescue } = statement;
  const { open } = visit;
  let exit: Exit | undefined;
  if (!rescue) return runAll(body, within(scope), visit);
  try {
    exit = runAll(body, within(scope), visit);
  } catch (error) {
    const value = caught(error);
    if (error instanceof Fault && !value) throw error;
    if (visit.open > open) return goPast(statement, scope, visit);
    if (!value) throw error;
    const inner = within(scope);
    if (pattern) bind({ pattern, otherwise: undefined }, value, inner, visit);
    return runAll(rescue, inner, visit);
  }
  if (visit.open === open) return exit;
  if (exit) return goPast(statement, scope, visit);
  passOver(rescue, scope, visit);
  unsettle(body, scope, visit);
  return undefined;
}

function within(outer: Scope): Scope {
  return { names: new Map(), outer };
}

interface Bound {
  pattern: Pattern;
  otherwise: Expression | undefined;
}

/** Gives a new name its value, or several names the parts of it. */
export function bind(bound: Bound, given: Value, scope: Scope, visit: Visit): void {
  const give = (name: string, value: Value) => void scope.names.set(name, value);
  spread(bound, given, { scope, visit, give });
}

/** Takes a value apart, for names and other targets. */
export function spread({ pattern, otherwise }: Bound, given: Value, to: Giving): void {
  const { scope, visit, give } = to;
  const value = otherwise && isUndefined(given) ? evaluate(otherwise, scope, visit) : given;
  if (pattern.kind === "name") give(pattern.name, value);
  else if (pattern.kind === "target") store(pattern.target, value, scope, visit);
  else {
    // A key may use a name that the part before it gives a value.
    const parts =
      value.kind === "pending"
        ? innerOf(pattern).map((part): [Bound, Value] => [{ ...part, otherwise: undefined }, value])
        : partsOf(pattern, value, to);
    for (const [bound, part] of parts) spread(bound, part, to);
  }
}

interface Giving {
  scope: Scope;
  visit: Visit;
  give: (name: string, value: Value) => void;
}

type Whole = Exclude<Pattern, { kind: "name" | "target" }>;

function innerOf(pattern: Whole): Bound[] {
  const { rest } = pattern;
  const parts: (Bound | undefined)[] = pattern.kind === "items" ? pattern.items : pattern.fields;
  return [...parts, rest && { pattern: rest, otherwise: undefined }].filter(
    (part) => part !== undefined,
  );
}

function* partsOf(
  pattern: Whole,
  whole: Value,
  { scope, visit }: Giving,
): Generator<[Bound, Value]> {
  const value = ready(whole);
  const rest = pattern.rest && { pattern: pattern.rest, otherwise: undefined };
  if (pattern.kind === "items") {
    const items = [...iterate(value, visit)];
    for (const [at, item] of pattern.items.entries()) {
      if (item) yield [item, items[at] ?? UNDEFINED];
    }
    if (rest) yield [rest, list(items.slice(pattern.items.length), value.origins)];
    return;
  }
  const fields = fieldsOf(value, visit);
  const items = new Map(value.kind === "object" ? [] : fields);
  const keys = new Set<string>();
  for (const field of pattern.fields) {
    const { key: written } = field;
    const key = typeof written === "string" ? written : wordsOf(evaluate(written, scope, visit));
    keys.add(key);
    const missing = { ...UNDEFINED, origins: value.origins };
    yield [field, items.get(key) ?? knownField(value, key) ?? missing];
  }
  if (rest)
    yield [
      rest,
      object(
        fields.filter(([key]) => !keys.has(key)),
        value.origins,
      ),
    ];
}

function fieldsOf(value: Value, visit: Visit): [string, Value][] {
  if (value.kind === "list" || value.kind === "text" || value.kind === "object")
    return entriesOf(value, visit);
  if (value.kind !== "nothing") return [];
  throw without({ line: 0, kind: "literal", value: null }, value, "no fields");
}
