import { CHANGING, METHODS } from "../language.js";
import type { At, Expression, Spread } from "../program.js";
import { assignTo, count, remove } from "./assign.js";
import { bigIntegerMethod, binary, isTrue, unary } from "./operators.js";
import { collectionMethod } from "./collections.js";
import { runLook, runNeed, runTool, toldText } from "./plain.js";
import { callNamed, type Given, type MethodCall } from "./functions.js";
import { entriesOf, runHelper } from "./helpers.js";
import { listMethod } from "./listMethods.js";
import { boundMethod, formatMethod, make, patternMethod, patternOf } from "./make.js";
import { dateMethod } from "./moments.js";
import { lookUp, passOver, unsettleAll } from "./reach.js";
import { chain, Fault, said, Thrown, typeError, Undecided, without } from "./signals.js";
import { numberMethod, textFrom, textMethod, wholeOf, wordsOf } from "./textMethods.js";
import {
  asList,
  type Callback,
  cutShort,
  errorOf,
  type Failed,
  FRESH,
  isContainer,
  isUndefined,
  joined,
  kindOf,
  List,
  number,
  object,
  PENDING,
  ready,
  type Scope,
  text,
  truth,
  UNDEFINED,
  type Value,
  valueOf,
  sound,
} from "./values.js";
import { fitsList, itemsOf, iterate, step, type Visit } from "./visit.js";

/** The value of an expression; pending if it depends on a call without an outcome. */
export function evaluate(expression: Expression, scope: Scope, visit: Visit): Value {
  const value = link(expression, scope, visit);
  return isCut(value) ? { ...UNDEFINED, origins: value.origins } : value;
}

/** A value within a chain; if `?.` cut the chain short, the rest is skipped. */
function link(expression: Expression, scope: Scope, visit: Visit): Value {
  try {
    step(visit);
    return (READERS[expression.kind] as Reader<Expression>)(expression, scope, visit);
  } catch (error) {
    if (error instanceof Undecided && !error.mayEnd) return PENDING;
    if (error instanceof Fault) error.line ??= expression.line;
    throw error;
  }
}

type Reader<Part> = (expression: Part, scope: Scope, visit: Visit) => Value;

const READERS: { readonly [Kind in Expression["kind"]]: Reader<At<Kind>> } = {
  literal: ({ value }) => (value === undefined ? UNDEFINED : valueOf(value)),
  name: ({ name }, scope, visit) => named(name, scope, visit),
  template,
  list: listed,
  record: recorded,
  field: (field, scope, visit) => fieldOf(field, link(field.of, scope, visit)),
  item: itemOf,
  unary: ({ operator, value }, ...at) => unary(operator, evaluate(value, ...at)),
  binary: operation,
  logic,
  choose,
  sequence: ({ values }, ...at) => values.map((one) => evaluate(one, ...at)).at(-1) ?? UNDEFINED,
  log({ value, isError }, ...at) {
    const [, visit] = at;
    visit.logs.push({ value: evaluate(value, ...at), isError });
    fitsList(visit.logs.length, visit);
    return UNDEFINED;
  },
  assign: (...given) => assignTo(...given),
  count: (...given) => count(...given),
  delete: (...given) => remove(...given),
  instance: ({ value, of }, ...at) => truth(isInstance(ready(evaluate(value, ...at)), of)),
  function: functionOf,
  call: ownCall,
  method,
  helper: (helper, scope, visit) => runHelper(helper, given(helper, scope, visit), visit),
  new: (made, scope, visit) => make(made.name, given(made, scope, visit), visit),
  pattern: ({ source, flags }) => patternOf(source, flags),
  tool: (tool, scope, visit) =>
    runTool(tool, tool.args && evaluate(tool.args, scope, visit), visit),
  await: ({ value }, ...at) => waited(evaluate(value, ...at)),
  need: (need, scope, visit) => runNeed(need, evaluate(need.phrase, scope, visit), visit),
  look(look, scope, visit) {
    const value = evaluate(look.value, scope, visit);
    return runLook(look, value, evaluate(look.question, scope, visit), visit);
  },
  stop({ reason, line }, scope, visit) {
    const given = evaluate(reason, scope, visit);
    throw new Thrown(errorOf(toldText(given, visit), given.origins), { line });
  },
};

function named(name: string, scope: Scope, visit: Visit): Value {
  const value = lookUp(name, scope);
  if (value) return value;
  if (name === "today") return text(visit.inputs.today);
  throw new Fault(`\`${name}\` has no value yet.`, { thrownAs: "ReferenceError" });
}

function waited(value: Value): Value {
  return value.kind === "pending" ? value : ready(value);
}

function functionOf(written: At<"function">, scope: Scope, visit: Visit): Callback {
  const made: Callback = { kind: "function", written, scope, origins: UNDEFINED.origins };
  if (!written.isInline) visit.functions.push(made);
  return made;
}

function template({ parts }: At<"template">, scope: Scope, visit: Visit): Value {
  const values = parts.map((part) => {
    if (typeof part === "string") return part;
    const value = evaluate(part, scope, visit);
    if (isUndefined(value))
      throw new Fault(`${said(part)} has no value here. Say what to write instead with \`??\`.`);
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
    if (!words) throw error;
    const { message, value, thrownAs } = error;
    throw new Fault(`\`${words}\`: ${message}`, { value, ...(thrownAs && { thrownAs }) });
  }
}

function listed({ items }: At<"list">, scope: Scope, visit: Visit): Value {
  const parts = items.map((item) => {
    if (isSpread(item)) return { isSpread: true, value: evaluate(item.spread, scope, visit) };
    const isGap = item.kind === "literal" && item.isGap;
    return { isSpread: false, value: isGap ? undefined : evaluate(item, scope, visit) };
  });
  const all: Value[] = [];
  for (const { isSpread, value } of parts) {
    if (value) all.push(...(isSpread ? iterate(ready(value), visit) : [value]));
    else all.length += 1;
  }
  fitsList(all.length, visit);
  return new List(
    all,
    joined(parts.flatMap(({ isSpread, value }) => (isSpread && value ? [value.origins] : []))),
  );
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
    const known = ready(spread);
    const isFieldless = ["nothing", "boolean", "number"].includes(known.kind);
    return isFieldless ? [] : entriesOf(known, visit);
  });
  step(visit, all.length);
  const origins = parts.flatMap(({ spread, key }) => [spread, key].map((part) => part?.origins));
  return object(all, joined(origins.filter((one) => one !== undefined)));
}

function isCut(value: Value): boolean {
  return value.kind === "nothing" && value.cut === true;
}

/** Whether a chain ends here: at `?.` without a value, or after it was cut short. */
function endsChain(of: Value, optional: boolean): boolean {
  return of.kind === "nothing" && (optional || isCut(of));
}

function fieldOf(expression: At<"field">, whole: Value): Value {
  const { key, optional } = expression;
  if (whole === FRESH) return FRESH;
  const of = ready(whole);
  if (endsChain(of, optional)) return cutShort(of);
  const known = knownField(of, key);
  if (known) return known;
  throw without(expression.of, of, `no field \`${key}\``);
}

/** A field of a value; undefined if values of its kind have none of that name. */
export function knownField(of: Value, key: string): Value | undefined {
  const { origins } = of;
  if (of.kind === "object") return fieldIn(of, key);
  const further = of.kind === "list" ? of.fields?.get(key) : undefined;
  if (further) return further;
  if (key === "length" && of.kind === "list") return number(of.size, origins);
  if (key === "length" && of.kind === "text") return number(sound(of).value.length, origins);
  if (key === "size" && (of.kind === "map" || of.kind === "set"))
    return number(of.entries.size, origins);
  if (of.kind === "pattern") {
    if (key === "lastIndex") return number(of.lastIndex, origins);
    if (key === "source" || key === "flags") return text(of.pattern[key], origins);
  }
  return of.kind === "format" && has("format", key) ? boundMethod(of, key) : undefined;
}

function fieldIn(of: Extract<Value, { kind: "object" }>, key: string): Value {
  const { origins } = of;
  const own = ownField(of.fields, key);
  if (own) return own;
  if (of.error !== undefined && key === "name") return text(of.error);
  if (of.error !== undefined && key === "stack") return ownField(of.fields, "message") ?? text("");
  const wrapped = key === "length" ? asList(of) : undefined;
  return wrapped ? number(wrapped.size, origins) : { ...UNDEFINED, origins };
}

function itemOf(expression: At<"item">, scope: Scope, visit: Visit): Value {
  const whole = link(expression.of, scope, visit);
  if (endsChain(whole, expression.optional)) return cutShort(whole);
  return itemIn(expression, whole, evaluate(expression.at, scope, visit), visit);
}

/** The field or item of a value by its key. */
export function itemIn(
  expression: At<"item"> | At<"field">,
  whole: Value,
  key: Value,
  visit: Visit,
): Value {
  const at = ready(key);
  if (whole === FRESH) return FRESH;
  const of = ready(whole);
  const missing = { ...UNDEFINED, origins: of.origins };
  const items = at.kind === "number" ? asList(of) : undefined;
  if (of.kind === "object" && !items) return ownField(of.fields, wordsOf(at)) ?? missing;
  const all = of.kind === "list" ? of : items;
  if (all && at.kind === "text" && at.value === "length") return number(all.size, of.origins);
  if (all) return itemsOf(all, visit)[position(at)] ?? missing;
  if (of.kind === "text") {
    const character = sound(of).value[position(at)];
    return character === undefined ? missing : text(character, of.origins);
  }
  throw without(expression.of, of, "no items");
}

function ownField(fields: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

export function position(at: Value): number {
  if (at.kind === "number") return Number.isInteger(at.value) ? at.value : -1;
  if (at.kind === "text") return wholeOf(at);
  throw new Fault(`An item of a list has a number, and this is ${kindOf(at)}.`, { value: at });
}

function logic({ operator, left, right }: At<"logic">, scope: Scope, visit: Visit): Value {
  const first = evaluate(left, scope, visit);
  if (first.kind === "pending") {
    passOver(right, scope, visit);
    return PENDING;
  }
  return goesOn(operator, first) ? evaluate(right, scope, visit) : first;
}

/** Whether the right side counts. */
export function goesOn(operator: At<"logic">["operator"], first: Value): boolean {
  if (operator === "??") return ready(first).kind === "nothing";
  return isTrue(first) === (operator === "&&");
}

function choose({ test, then, otherwise }: At<"choose">, scope: Scope, visit: Visit): Value {
  const decided = evaluate(test, scope, visit);
  if (decided.kind !== "pending") return evaluate(isTrue(decided) ? then : otherwise, scope, visit);
  passOver(then, scope, visit);
  passOver(otherwise, scope, visit);
  return PENDING;
}

function isInstance(value: Value, name: string): boolean {
  if (value.kind === "object" && value.error !== undefined)
    return ["Error", "Object", value.error].includes(name);
  const names = new Map<Value["kind"], string>([
    ["list", "Array"],
    ["date", "Date"],
    ["map", "Map"],
    ["set", "Set"],
    ["pattern", "RegExp"],
    ["function", "Function"],
  ]);
  const isObject = isContainer(value) || value.kind === "function";
  return names.get(value.kind) === name || (isObject && name === "Object");
}

function given({ args }: { args: At<"call">["args"] }, scope: Scope, visit: Visit): Given {
  const values = args.flatMap((part) =>
    isSpread(part)
      ? [...iterate(ready(evaluate(part.spread, scope, visit)), visit)]
      : [evaluate(part, scope, visit)],
  );
  return { args: values, known: () => values.map(ready) };
}

function ownCall(expression: At<"call">, scope: Scope, visit: Visit): Value {
  const called = link(expression.of, scope, visit);
  if (endsChain(called, expression.optional)) return cutShort(called);
  const { args } = given(expression, scope, visit);
  if (called.kind === "pending") {
    skipFunctions([...args, ...visit.functions], visit);
    return PENDING;
  }
  const fn = ready(called);
  if (fn.kind === "function") return callNamed(fn, args, { turn: expression.turn, visit });
  throw typeError(`${said(expression.of)} is ${kindOf(fn)} here, and not a function.`, fn);
}

function method(expression: At<"method">, scope: Scope, visit: Visit): Value {
  const of = link(expression.of, scope, visit);
  if (endsChain(of, expression.optional)) return cutShort(of);
  const all = given(expression, scope, visit);
  try {
    const found = methodOf(expression, of, { ...all, turn: expression.turn, visit });
    if (found) return found;
  } catch (error) {
    if (error instanceof Undecided) skipMethod(expression, of, { ...all, scope, visit });
    throw error;
  }
  const own = of.kind === "object" ? ownField(of.fields, expression.name) : undefined;
  const isLacking = expression.mayLack && (!own || ready(own).kind === "nothing");
  if (isLacking) return cutShort(of);
  throw without(expression.of, of, `no method \`${expression.name}\``);
}

/** What a method that cannot be called yet would call and change. */
function skipMethod(
  { name, isOwn }: At<"method">,
  of: Value,
  { args, scope, visit }: Given & { scope: Scope; visit: Visit },
): void {
  skipFunctions(isOwn ? [...args, ...visit.functions] : args, visit);
  if (!CHANGING.has(name)) return;
  if (isContainer(of)) of.isUnsettled = true;
  else if (of.kind === "pending" && of !== FRESH) unsettleAll(scope, visit);
}

function skipFunctions(values: readonly Value[], visit: Visit): void {
  for (const value of values) {
    if (value.kind === "function") passOver(value.written, value.scope, visit);
  }
}

function methodOf({ name }: At<"method">, of: Value, call: MethodCall): Value | undefined {
  const isAwaited = name === "then" || name === "catch" || name === "finally";
  if (of.kind === "failed" && isAwaited) return afterFailure(name, of, call);
  const known = ready(of);
  const own = known.kind === "object" ? ownField(known.fields, name) : undefined;
  if (own && ready(own).kind === "function") return callNamed(own as Callback, call.args, call);
  return isAwaited ? afterSuccess(name, known, call) : builtIn(name, known, call);
}

function has(kind: keyof typeof METHODS, name: string): boolean {
  return Object.hasOwn(METHODS[kind], name);
}

function builtIn(name: string, of: Value, call: MethodCall): Value | undefined {
  const whole = has("list", name) ? asList(of) : undefined;
  if (whole) return listMethod(name, whole, call);
  if (of.kind === "map" || of.kind === "set")
    return has(of.kind, name) ? collectionMethod(name, of, call) : undefined;
  if (of.kind === "text" && has("text", name)) return textMethod(name, of, call);
  if (of.kind === "pattern" && has("pattern", name)) return patternMethod(name, of, call);
  if (of.kind === "number" && has("number", name)) return numberMethod(name, of, call);
  if (of.kind === "bigint" && has("bigint", name)) return bigIntegerMethod(name, of, call);
  if (of.kind === "date" && has("date", name)) return dateMethod(name, of, call);
  if (of.kind === "format" && has("format", name)) return formatMethod(name, of, call);
  if (name === "toString" && (of.kind === "boolean" || of.kind === "object"))
    return textFrom([of], call.visit);
  const [key] = call.known();
  return name === "hasOwnProperty" && of.kind === "object" && key
    ? truth(Object.hasOwn(of.fields, wordsOf(key)), joined([of.origins, key.origins]))
    : undefined;
}

/** `.then(…)` of a value: it is there already. */
function afterSuccess(name: string, of: Value, call: MethodCall): Value {
  const [work] = call.args;
  if (name === "catch" || work?.kind !== "function") return of;
  const next = callNamed(work, name === "then" ? [of] : [], call);
  return name === "then" ? next : of;
}

function afterFailure(name: string, of: Failed, call: MethodCall): Value {
  const work = name === "then" ? call.args[1] : call.args[0];
  if (work?.kind !== "function") return of;
  if (name !== "finally") return callNamed(work, [of.error.used().value], call);
  callNamed(work, [], call);
  return of;
}

function isSpread(part: object): part is Spread {
  return "spread" in part;
}
