import { METHODS, type ValueKind } from "../language.js";
import type { At, Expression, Spread } from "../program.js";
import { runLook, runNeed, runTool } from "./outsideCalls.js";
import { entriesOf, runHelper } from "./helpers.js";
import { listMethod, type Work } from "./listMethods.js";
import { dateMethod, momentOf } from "./moments.js";
import { binary, isTrue, unary } from "./operators.js";
import { bind, runBody } from "./statements.js";
import { chain, said, without, Fault, Undecided } from "./signals.js";
import { numberMethod, textFrom, textMethod, wholeOf, wordsOf } from "./textMethods.js";
import {
  joined,
  kindOf,
  asList,
  list,
  number,
  object,
  PENDING,
  text,
  UNDEFINED,
  cutShort,
  isUndefined,
  valueOf,
  type Callback,
  type Scope,
  type Value,
} from "./values.js";
import { fitsList, inTurn, itemsOf, passOver, step, type Visit } from "./visit.js";

/** The value of an expression; pending if it depends on a call without an outcome. */
export function evaluate(expression: Expression, scope: Scope, visit: Visit): Value {
  const value = link(expression, scope, visit);
  return isCut(value) ? { ...UNDEFINED, origins: value.origins } : value;
}

/** A value within a chain; if `?.` cut the chain short, the rest is skipped. */
function link(expression: Expression, scope: Scope, visit: Visit): Value {
  try {
    step(visit);
    return read(expression, scope, visit);
  } catch (error) {
    if (error instanceof Undecided) return PENDING;
    if (error instanceof Fault) error.line ??= expression.line;
    throw error;
  }
}

// One case per kind of expression.
function read(expression: Expression, scope: Scope, visit: Visit): Value {
  const of = (part: Expression) => evaluate(part, scope, visit);
  switch (expression.kind) {
    case "literal":
      return expression.value === undefined ? UNDEFINED : valueOf(expression.value);
    case "name":
      return named(expression.name, scope, visit);
    case "template":
      return template(expression, scope, visit);
    case "list":
      return listed(expression, scope, visit);
    case "record":
      return recorded(expression, scope, visit);
    case "field":
      return fieldOf(expression, link(expression.of, scope, visit));
    case "item":
      return itemOf(expression, scope, visit);
    case "unary":
      return unary(expression.operator, of(expression.value));
    case "binary":
      return operation(expression, scope, visit);
    case "logic":
      return logic(expression, scope, visit);
    case "choose":
      return choose(expression, scope, visit);
    case "function":
      return { ...expression, scope, origins: UNDEFINED.origins };
    case "method":
      return method(expression, scope, visit);
    case "helper":
      return helper(expression, scope, visit);
    case "date":
      return momentOf(expression.value ? of(expression.value) : text(visit.inputs.today));
    case "tool":
      return runTool(expression, expression.args && of(expression.args), visit);
    case "all":
      return of(expression.value);
    case "need":
      return runNeed(expression, of(expression.phrase), visit);
    default:
      return runLook(expression, of(expression.value), of(expression.question), visit);
  }
}

function named(name: string, scope: Scope, visit: Visit): Value {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const value = at.names.get(name);
    if (value) return value;
  }
  if (name === "today") return text(visit.inputs.today);
  throw new Fault(`\`${name}\` has no value yet.`);
}

function template({ parts }: At<"template">, scope: Scope, visit: Visit): Value {
  const values = parts.map((part) => {
    if (typeof part === "string") return part;
    const value = evaluate(part, scope, visit);
    if (isUndefined(value)) {
      throw new Fault(`${said(part)} has no value here. Say what to write instead with \`??\`.`);
    }
    return value;
  });
  return textFrom(values, visit);
}

function operation({ operator, left, right }: At<"binary">, scope: Scope, visit: Visit): Value {
  const first = evaluate(left, scope, visit);
  const second = evaluate(right, scope, visit);
  try {
    return binary(operator, first, second, visit);
  } catch (error) {
    if (!(error instanceof Fault) || !error.value) throw error;
    const words = error.value === first ? chain(left) : chain(right);
    throw words ? new Fault(`\`${words}\`: ${error.message}`, { value: error.value }) : error;
  }
}

function listed({ items }: At<"list">, scope: Scope, visit: Visit): Value {
  const parts = items.map((item) =>
    isSpread(item)
      ? { isSpread: true, value: evaluate(item.spread, scope, visit) }
      : { isSpread: false, value: evaluate(item, scope, visit) },
  );
  const all = parts.flatMap(({ isSpread, value }) =>
    isSpread ? spreadItems(value, visit) : [value],
  );
  fitsList(all.length, visit);
  return list(
    all,
    joined(parts.filter(({ isSpread }) => isSpread).map(({ value }) => value.origins)),
  );
}

export function spreadItems(value: Value, visit: Visit): readonly Value[] {
  if (value.kind === "pending") throw new Undecided();
  const items = asList(value);
  if (items) return itemsOf(items, visit);
  throw new Fault(`Only a list can be spread here, and this is ${kindOf(value)}.`, { value });
}

function recorded({ fields }: At<"record">, scope: Scope, visit: Visit): Value {
  const parts = fields.map((field) => {
    if (isSpread(field)) return { spread: evaluate(field.spread, scope, visit) };
    const { key } = field;
    return {
      key: typeof key === "string" ? text(key) : evaluate(key, scope, visit),
      value: evaluate(field.value, scope, visit),
    };
  });
  const all = parts.flatMap(({ spread, key, value }): [string, Value][] => {
    if (!spread) return key && value ? [[wordsOf(key), value]] : [];
    if (spread.kind === "pending") throw new Undecided();
    return spread.kind === "nothing" ? [] : entriesOf(spread, visit);
  });
  step(visit, all.length);
  return object(all, joined(parts.flatMap(({ spread }) => (spread ? [spread.origins] : []))));
}

function isCut(value: Value): boolean {
  return value.kind === "nothing" && value.cut === true;
}

/** Whether a chain ends here: at `?.` without a value, or after it was cut short. */
function endsChain(of: Value, optional: boolean): boolean {
  return of.kind === "nothing" && (optional || isCut(of));
}

function fieldOf(expression: At<"field">, of: Value): Value {
  const { key, optional } = expression;
  if (of.kind === "pending") throw new Undecided();
  if (endsChain(of, optional)) return cutShort(of);
  const origins = of.origins;
  if (of.kind === "object") {
    const own = ownField(of.fields, key);
    const wrapped = key === "length" ? asList(of) : undefined;
    return own ?? (wrapped ? number(wrapped.size, origins) : { ...UNDEFINED, origins });
  }
  if (key === "length" && of.kind === "list") return number(of.size, origins);
  if (key === "length" && of.kind === "text") return number(of.value.length, origins);
  throw without(expression.of, of, `no field \`${key}\``);
}

function itemOf(expression: At<"item">, scope: Scope, visit: Visit): Value {
  const of = link(expression.of, scope, visit);
  if (endsChain(of, expression.optional)) return cutShort(of);
  const at = evaluate(expression.at, scope, visit);
  if (of.kind === "pending" || at.kind === "pending") throw new Undecided();
  const missing = { ...UNDEFINED, origins: of.origins };
  const items = at.kind === "number" ? asList(of) : undefined;
  if (of.kind === "object" && !items) return ownField(of.fields, wordsOf(at)) ?? missing;
  const whole = of.kind === "list" ? of : items;
  if (whole) return itemsOf(whole, visit)[position(at)] ?? missing;
  if (of.kind === "text") {
    const character = of.value[position(at)];
    return character === undefined ? missing : text(character, of.origins);
  }
  throw without(expression.of, of, "no items");
}

export function ownField(fields: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function position(at: Value): number {
  if (at.kind === "number" || at.kind === "text") return wholeOf(at);
  throw new Fault(`An item of a list has a number, and this is ${kindOf(at)}.`, { value: at });
}

function logic({ operator, left, right }: At<"logic">, scope: Scope, visit: Visit): Value {
  const first = evaluate(left, scope, visit);
  if (first.kind === "pending") {
    passOver(right, scope, visit);
    return first;
  }
  const goesOn = {
    "&&": () => isTrue(first),
    "||": () => !isTrue(first),
    "??": () => first.kind === "nothing",
  };
  return goesOn[operator]() ? evaluate(right, scope, visit) : first;
}

function choose({ test, then, otherwise }: At<"choose">, scope: Scope, visit: Visit): Value {
  const decided = evaluate(test, scope, visit);
  if (decided.kind !== "pending") {
    return evaluate(isTrue(decided) ? then : otherwise, scope, visit);
  }
  passOver(then, scope, visit);
  passOver(otherwise, scope, visit);
  return PENDING;
}

function method(expression: At<"method">, scope: Scope, visit: Visit): Value {
  const { name, optional } = expression;
  const of = link(expression.of, scope, visit);
  if (endsChain(of, optional)) return cutShort(of);
  const { args, callback } = argumentsOf(expression.args, scope, visit);
  const skip = () => callback && passOver(callback.body, callback.scope, visit);
  if (of.kind === "pending" || args.some(({ kind }) => kind === "pending")) {
    skip();
    throw new Undecided();
  }
  const whole = asList(of);
  if (whole && has(METHODS.list, name)) {
    const origins = joined([of, ...args].map((value) => value.origins));
    const work = callback && workOf(callback, visit);
    return listMethod(name, { args, work, origins, whole, visit, passOver: skip });
  }
  if (of.kind === "text" && has(METHODS.text, name)) return textMethod(name, of, args, visit);
  if (of.kind === "number" && has(METHODS.number, name)) return numberMethod(name, of, args);
  if (of.kind === "date" && has(METHODS.date, name)) return dateMethod(name, of);
  throw without(expression.of, of, `no method \`${name}\``);
}

function has<Kind extends ValueKind>(
  methods: (typeof METHODS)[Kind],
  name: string,
): name is keyof (typeof METHODS)[Kind] & string {
  return Object.hasOwn(methods, name);
}

function helper({ name, args: given }: At<"helper">, scope: Scope, visit: Visit): Value {
  const { args, callback } = argumentsOf(given, scope, visit);
  const isPending = args.some(({ kind }) => kind === "pending");
  if (isPending && callback) passOver(callback.body, callback.scope, visit);
  return runHelper(name, args, { work: callback && workOf(callback, visit), visit });
}

/** A function among the arguments is called for each item; the others are values. */
function argumentsOf(given: readonly Expression[], scope: Scope, visit: Visit) {
  const values = given.map((arg) => evaluate(arg, scope, visit));
  const callback = values.find((value): value is Callback => value.kind === "function");
  return { args: values.filter((value) => value !== callback), callback };
}

function workOf(callback: Callback, visit: Visit): Work {
  return (turn, ...args) => inTurn(turn, visit, () => call(callback, args, visit));
}

/** Other items do not wait for one that cannot be evaluated yet. */
function call({ parameters, body, scope }: Callback, args: Value[], visit: Visit): Value {
  const inner: Scope = { names: new Map(), outer: scope };
  try {
    for (const [at, parameter] of parameters.entries()) {
      bind(parameter, args[at] ?? UNDEFINED, inner, visit);
    }
    return "kind" in body ? evaluate(body, inner, visit) : runBody(body, inner, visit);
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    passOver(body, scope, visit);
    return PENDING;
  }
}

function isSpread(part: object): part is Spread {
  return "spread" in part;
}
