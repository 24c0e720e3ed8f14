import { type At, type LogicOperator, LOGIC_OPERATORS, type Target } from "../program.js";
import { bigInteger, binary, numberOf } from "./operators.js";
import { spread } from "./statements.js";
import { evaluate, goesOn, itemIn, position } from "./evaluateExpression.js";
import { assign, passOver, unsettleAll } from "./reach.js";
import { Fault, said, typeError, Undecided } from "./signals.js";
import { wordsOf } from "./textMethods.js";
import {
  FRESH,
  isContainer,
  kindOf,
  type List,
  number,
  PENDING,
  ready,
  type Scope,
  text,
  truth,
  type Value,
} from "./values.js";
import { fitsList, type Visit } from "./visit.js";

/** `x = 1`, `x.y += 1`, `[a, b] = [b, a]`: the value is that of the expression. */
export function assignTo(expression: At<"assign">, scope: Scope, visit: Visit): Value {
  const { to, operator, value } = expression;
  if (!operator) {
    const place = to.kind === "target" ? placeOf(to.target, scope, visit) : undefined;
    const given = evaluate(value, scope, visit);
    if (place) put(place, given, scope, visit);
    else {
      const give = (name: string, part: Value) => assign(name, part, scope);
      spread({ pattern: to, otherwise: undefined }, given, { scope, visit, give });
    }
    return given;
  }
  const { line } = expression;
  const target: Target =
    to.kind === "target" ? to.target : { line, kind: "name", name: "name" in to ? to.name : "" };
  const place = placeOf(target, scope, visit);
  const before = valueAt(place, scope, visit);
  const next = isLogic(operator)
    ? () =>
        logical(operator, before, () => evaluate(value, scope, visit), { expression, scope, visit })
    : () => binary(operator, before, evaluate(value, scope, visit), visit);
  const after = orPending(next);
  if (after !== before || before.kind === "pending") put(place, after, scope, visit);
  return after;
}

function isLogic(operator: string): operator is LogicOperator {
  return (LOGIC_OPERATORS as readonly string[]).includes(operator);
}

function logical(
  operator: LogicOperator,
  before: Value,
  next: () => Value,
  at: { expression: At<"assign">; scope: Scope; visit: Visit },
): Value {
  if (before.kind !== "pending") return goesOn(operator, before) ? next() : before;
  passOver(at.expression.value, at.scope, at.visit);
  return PENDING;
}

/** `x++` and `--x`. */
export function count({ to, by, isBefore }: At<"count">, scope: Scope, visit: Visit): Value {
  const place = placeOf(to, scope, visit);
  const before = valueAt(place, scope, visit);
  const after = orPending(() =>
    before.kind === "bigint"
      ? bigInteger(before.value + BigInt(by), before.origins)
      : number(numberOf(before) + by, before.origins),
  );
  put(place, after, scope, visit);
  return isBefore ? after : before;
}

/** `delete record.key`. */
export function remove({ from }: At<"delete">, scope: Scope, visit: Visit): Value {
  const place = placeOf(from, scope, visit);
  if (!("of" in place)) throw typeError(`${said(from)} is a name, which cannot be deleted.`);
  const { of, key } = place;
  if (of.kind === "pending" || key.kind === "pending") {
    put(place, PENDING, scope, visit);
    return truth(true);
  }
  if (of.kind !== "object") {
    throw new Fault(`A field can be deleted of an object, and this is ${kindOf(of)}.`, {
      value: of,
    });
  }
  delete of.fields[wordsOf(key)];
  of.change([key]);
  return truth(true);
}

export function store(target: Target, value: Value, scope: Scope, visit: Visit): void {
  put(placeOf(target, scope, visit), value, scope, visit);
}

type Place = { name: string } | { of: Value; key: Value; target: Exclude<Target, At<"name">> };

/** What is assigned to, evaluated once. */
function placeOf(target: Target, scope: Scope, visit: Visit): Place {
  if (target.kind === "name") return { name: target.name };
  const of = evaluate(target.of, scope, visit);
  const key = target.kind === "field" ? text(target.key) : evaluate(target.at, scope, visit);
  return { of, key, target };
}

function valueAt(place: Place, scope: Scope, visit: Visit): Value {
  if ("name" in place) return evaluate({ line: 0, kind: "name", name: place.name }, scope, visit);
  return orPending(() => itemIn(place.target, place.of, place.key, visit));
}

function put(place: Place, value: Value, scope: Scope, visit: Visit): void {
  if ("name" in place) return assign(place.name, value, scope);
  const { key, target } = place;
  if (place.of.kind === "pending") {
    if (place.of !== FRESH) unsettleAll(scope, visit);
    return;
  }
  const of = ready(place.of);
  if (!isContainer(of)) throw cannotAssign(target, of);
  try {
    if (key.kind === "pending") throw new Undecided();
    if (of.kind === "object") of.fields[wordsOf(key)] = value;
    else if (of.kind === "list") putItem(of, key, value, visit);
    else if (of.kind === "pattern" && wordsOf(key) === "lastIndex") of.lastIndex = numberOf(value);
    else throw cannotAssign(target, of);
    of.change([key]);
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    of.isUnsettled = true;
  }
}

function putItem({ items }: List, key: Value, value: Value, visit: Visit): void {
  if (key.kind === "text" && key.value === "length") {
    const length = numberOf(value);
    fitsList(length, visit);
    items.length = length;
    return;
  }
  const at = position(key);
  if (at < 0) throw new Fault("An item of a list has a number from 0.", { value: key });
  fitsList(at + 1, visit);
  items[at] = value;
}

function cannotAssign(target: At<"field"> | At<"item">, of: Value): Fault {
  return typeError(`${said(target.of)} is ${kindOf(of)} here, and has no fields to assign to.`, of);
}

/** What is computed with a value that is not known yet is not known, either. */
function orPending(value: () => Value): Value {
  try {
    return value();
  } catch (error) {
    if (error instanceof Undecided && !error.mayEnd) return PENDING;
    throw error;
  }
}
