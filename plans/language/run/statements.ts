import type { Statement, Expression, Pattern } from "../program.js";
import { evaluate, ownField, spreadItems } from "./evaluateExpression.js";
import { isTrue } from "./operators.js";
import { reachOf, assign, inTurn, itemsOf, passOver, step, unsettle, type Visit } from "./visit.js";
import { Fault, Thrown, Undecided } from "./signals.js";
import { toldText } from "./plain.js";
import {
  asList,
  kindOf,
  object,
  text,
  UNDEFINED,
  type Scope,
  type Value,
  isUndefined,
  list,
  number,
} from "./values.js";
import { entriesOf } from "./helpers.js";

export type Exit =
  | { kind: "return"; value: Value; line: number }
  | { kind: "break" }
  | { kind: "continue" };

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
    case "declare":
      bind(statement.pattern, evaluate(statement.value, scope, visit), scope, visit);
      return undefined;
    case "assign":
      assign(statement.name, evaluate(statement.value, scope, visit), scope);
      return undefined;
    case "do":
      evaluate(statement.value, scope, visit);
      return undefined;
    case "if":
      return branch(statement, scope, visit);
    case "each":
      return loop(statement, scope, visit);
    case "try":
      return attempt(statement, scope, visit);
    case "block":
      return runAll(statement.body, within(scope), visit);
    case "return": {
      const value = statement.value ? evaluate(statement.value, scope, visit) : UNDEFINED;
      return { kind: "return", value, line: statement.line };
    }
    case "throw": {
      const reason = evaluate(statement.reason, scope, visit);
      const { line } = statement;
      throw new Thrown(toldText(reason, visit), { line, origins: reason.origins });
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

function loop(statement: At<"each">, scope: Scope, visit: Visit): Exit | undefined {
  const { pattern, list, body } = statement;
  const value = evaluate(list, scope, visit);
  if (value.kind === "pending") return goPast(statement, scope, visit);
  const items = asList(value);
  if (!items) {
    const problem = `\`for … of\` goes through a list, and this is ${kindOf(value)}.`;
    throw new Fault(problem, { value });
  }
  for (const [turn, item] of itemsOf(items, visit).entries()) {
    const exit = inTurn(turn, visit, () => {
      const inner = within(scope);
      bind(pattern, item, inner, visit);
      return oneTurn(body, inner, visit);
    });
    if (exit?.kind === "break") break;
    if (exit?.kind === "return") return exit;
  }
  return undefined;
}

/** The next iteration is certain if this one may be cut short but not be the last. */
function oneTurn(body: Statement[], scope: Scope, visit: Visit): Exit | undefined {
  try {
    return runAll(body, scope, visit);
  } catch (error) {
    const { returns, breaks } = reachOf(body, visit);
    if (!(error instanceof Undecided) || returns || breaks) throw error;
    passOver(body, scope, visit);
    return undefined;
  }
}

/**
 * While a call in the body has no outcome, it is unknown whether `catch` runs: the body continues as if all
 * calls succeed, but nothing that depends on it counts as known.
 */
function attempt(statement: At<"try">, scope: Scope, visit: Visit): Exit | undefined {
  const { body, error: name, rescue } = statement;
  const { open } = visit;
  let exit: Exit | undefined;
  try {
    exit = runAll(body, within(scope), visit);
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (visit.open > open) return goPast(statement, scope, visit);
    if (!(error instanceof Thrown)) throw error;
    const inner = within(scope);
    if (name !== undefined) {
      const { message, origins } = error;
      inner.names.set(name, object([["message", text(message, origins)]], origins));
    }
    return runAll(rescue, inner, visit);
  }
  if (visit.open === open) return exit;
  if (exit) return goPast(statement, scope, visit);
  passOver(rescue, scope, visit);
  unsettle(reachOf(body, visit).assigned, scope);
  return undefined;
}

/** Continues after an undecided statement, unless it may leave the list. */
function goPast(statement: Statement, scope: Scope, visit: Visit): undefined {
  const { returns, breaks, continues } = reachOf(statement, visit);
  if (returns || breaks || continues) throw new Undecided();
  passOver(statement, scope, visit);
}

function within(outer: Scope): Scope {
  return { names: new Map(), outer };
}

/** Gives a new name its value, or several names the parts of it. */
export function bind(pattern: Pattern, value: Value, scope: Scope, visit: Visit): void {
  if (pattern.kind === "name") {
    scope.names.set(pattern.name, value);
    return;
  }
  for (const [inner, part, otherwise] of partsOf(pattern, value, visit)) {
    bind(
      inner,
      isUndefined(part) && otherwise ? evaluate(otherwise, scope, visit) : part,
      scope,
      visit,
    );
  }
}

type Part = [Pattern, Value, Expression | undefined];

function partsOf(pattern: Exclude<Pattern, { kind: "name" }>, value: Value, visit: Visit): Part[] {
  const isPending = value.kind === "pending";
  const rest = (part: () => Value): Part[] =>
    pattern.rest === undefined
      ? []
      : [[{ kind: "name", name: pattern.rest }, isPending ? value : part(), undefined]];
  if (pattern.kind === "items") {
    const items = isPending ? [] : spreadItems(value, visit);
    return [
      ...pattern.items.flatMap((item, at): Part[] =>
        item ? [[item.pattern, isPending ? value : (items[at] ?? UNDEFINED), item.otherwise]] : [],
      ),
      ...rest(() => list(items.slice(pattern.items.length), value.origins)),
    ];
  }
  const fields = isPending ? {} : Object.fromEntries(fieldsOf(value, visit));
  const taken = new Set(pattern.fields.map(({ key }) => key));
  return [
    ...pattern.fields.map(({ key, pattern, otherwise }): Part => {
      const field = ownField(fields, key) ?? { ...UNDEFINED, origins: value.origins };
      return [pattern, isPending ? value : field, otherwise];
    }),
    ...rest(() =>
      object(
        Object.entries(fields).filter(([key]) => !taken.has(key)),
        value.origins,
      ),
    ),
  ];
}

function fieldsOf(value: Value, visit: Visit): [string, Value][] {
  if (value.kind === "list") return [["length", number(value.size, value.origins)]];
  return entriesOf(value, visit);
}
