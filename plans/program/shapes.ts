import {
  atMost,
  type Bound,
  either,
  NONE,
  ONCE,
  perhaps,
  plus,
  times,
  unbounded,
} from "./callBounds.js";
import {
  anything,
  declaredShape,
  eitherShape,
  listOf,
  oneThing,
  recordOf,
  type Shape,
} from "./lengths.js";
import {
  bind,
  count,
  maybe,
  named,
  repeated,
  turnsOf,
  type Walk,
  walkBody,
  walkEither,
} from "./mostCalls.js";
import type { Expression, Spread } from "./program.js";

type At<Kind extends Expression["kind"]> = Extract<Expression, { kind: Kind }>;

/** What is known of the value of an expression; the calls in it are counted. */
export function shapeOf(expression: Expression, walk: Walk): Shape {
  switch (expression.kind) {
    case "literal":
      return oneThing(expression.value);
    case "name":
      return named(expression.name, walk);
    case "template":
      for (const part of expression.parts) if (typeof part !== "string") shapeOf(part, walk);
      return oneThing();
    case "list":
      return listShape(expression.items, walk);
    case "record":
      return recordShape(expression, walk);
    case "field":
      return fieldShape(expression, walk);
    case "item": {
      const of = shapeOf(expression.of, walk);
      const at = shapeOf(expression.at, walk);
      return typeof at.literal === "string" ? of.field(at.literal) : of.item();
    }
    case "unary":
      shapeOf(expression.value, walk);
      return oneThing();
    case "binary":
      shapeOf(expression.left, walk);
      shapeOf(expression.right, walk);
      return oneThing();
    case "logic":
      return eitherShape([shapeOf(expression.left, walk), maybe(expression.right, walk)]);
    case "choose":
      shapeOf(expression.test, walk);
      return eitherShape(
        walkEither(
          () => shapeOf(expression.then, walk),
          () => shapeOf(expression.otherwise, walk),
          walk,
        ),
      );
    case "function":
      return oneThing();
    case "method":
      return methodShape(expression, walk);
    case "helper":
      return helperShape(expression, walk);
    case "date":
      if (expression.value) shapeOf(expression.value, walk);
      return oneThing();
    case "tool":
      return toolShape(expression, walk);
    case "all":
      return shapeOf(expression.value, walk);
    case "need":
      shapeOf(expression.phrase, walk);
      return anything("the length of what is still missing");
    case "look":
      shapeOf(expression.value, walk);
      shapeOf(expression.question, walk);
      return oneThing();
  }
}

function toolShape({ name, args, line }: At<"tool">, walk: Walk): Shape {
  if (args) shapeOf(args, walk);
  count(name, walk.times, walk);
  return declaredShape(walk.tools.get(name)?.returns, (field) =>
    field === undefined
      ? `the length of the list that ${name} gives (line ${line})`
      : `the length of the list \`${field}\` that ${name} gives (line ${line})`,
  );
}

function listShape(items: readonly (Expression | Spread)[], walk: Walk): Shape {
  const parts = items.map((item): { length: Bound; item: Shape } => {
    if (!("spread" in item)) return { length: ONCE, item: shapeOf(item, walk) };
    const spread = sequence(shapeOf(item.spread, walk), item.spread);
    return { length: spread.length, item: spread.item() };
  });
  const length = parts.reduce((sum, part) => plus(sum, part.length), NONE);
  return listOf(length, () => anyOf(parts.map(({ item }) => item)));
}

/** What is gone through where a text is taken apart, too. */
function sequence(shape: Shape, { line }: Expression): Shape {
  if (!shape.isOne) return shape;
  return listOf(unbounded(`the length of the text in line ${line}`), () => oneThing());
}

function anyOf(shapes: readonly Shape[]): Shape {
  const [first, ...others] = shapes;
  return first ? eitherShape([first, ...others]) : oneThing();
}

function recordShape({ fields, line }: At<"record">, walk: Walk): Shape {
  const known = new Map<string, Shape>();
  const others: Shape[] = [];
  for (const field of fields) {
    if ("spread" in field) {
      const spread = shapeOf(field.spread, walk);
      for (const key of known.keys()) known.delete(key);
      others.push(spread);
      continue;
    }
    if (typeof field.key !== "string") {
      shapeOf(field.key, walk);
      others.push(recordOf(new Map(), () => anything(`the length of a list in line ${line}`)));
    }
    const value = shapeOf(field.value, walk);
    if (typeof field.key === "string") known.set(field.key, value);
  }
  const by = `the length of a list in line ${line}`;
  if (others.length === 0) return recordOf(known, () => anything(by));
  return {
    ...recordOf(known, () => anything(by)),
    field: (key) =>
      known.get(key) ??
      (fields.length === known.size + 1
        ? anyOf(others.map((one) => one.field(key)))
        : anything(by)),
  };
}

function fieldShape({ of, key }: At<"field">, walk: Walk): Shape {
  const whole = shapeOf(of, walk);
  return key === "length" ? oneThing() : whole.field(key);
}

function methodShape({ of, name, args, optional, line }: At<"method">, walk: Walk): Shape {
  const list = shapeOf(of, walk);
  const work = () => methodOf({ list, of, name, args, line }, walk);
  return optional ? repeated(perhaps(ONCE), walk, work) : work();
}

interface MethodCall {
  list: Shape;
  of: Expression;
  name: string;
  args: readonly Expression[];
  line: number;
}

function methodOf(call: MethodCall, walk: Walk): Shape {
  const { list, of, name, args, line } = call;
  const turns = turnsOf(list.length, of);
  const { length } = list;
  const item = list.item;
  const each = (bound: Bound) => worked(args[0], { items: [item()], turns: bound, walk });
  switch (name) {
    case "map":
      return listOf(length, always(each(turns)));
    case "filter":
      each(turns);
      return listOf(perhaps(length), item);
    case "flatMap":
      return joinedList(length, each(turns));
    case "find":
    case "findLast":
      each(perhaps(turns));
      return item();
    case "findIndex":
    case "some":
    case "every":
      each(perhaps(turns));
      return oneThing();
    case "sort":
    case "toSorted":
      worked(args[0], {
        items: [item(), item()],
        turns: unbounded(`how often the list in line ${line} is compared`),
        walk,
      });
      return list;
    case "reverse":
    case "toReversed":
      return list;
    case "reduce": {
      const first = args[1] ? shapeOf(args[1], walk) : item();
      const total = anything(`the length of what reduce gives (line ${line})`);
      worked(args[0], { items: [total, item()], turns, walk });
      return first.isOne && isPlain(args[0]) ? oneThing() : total;
    }
    default:
      return plainMethod(call, walk);
  }
}

/** A function of one expression that works something out of numbers and texts. */
function isPlain(work: Expression | undefined): boolean {
  if (work?.kind !== "function" || Array.isArray(work.body)) return false;
  return ["binary", "template", "unary"].includes(work.body.kind);
}

/** Methods whose arguments are values. */
function plainMethod({ list, name, args, line }: MethodCall, walk: Walk): Shape {
  const given = args.map((arg) => shapeOf(arg, walk));
  const { length, item } = list;
  switch (name) {
    case "slice":
      return list.isOne ? oneThing() : listOf(sliced(length, given), item);
    case "concat":
      if (list.isOne) return oneThing();
      return listOf(
        given.reduce((sum, one) => plus(sum, one.isOne ? ONCE : one.length), length),
        () =>
          anyOf([
            item(),
            ...given.map((one) => (one.isOne ? one : eitherShape([one, one.item()]))),
          ]),
      );
    case "flat":
      return given.length === 0
        ? joinedList(length, item())
        : anything(`the length of the list in line ${line}`);
    case "at":
      return item();
    case "split":
      return listOf(unbounded(`the length of the text in line ${line}`), () => oneThing());
    default:
      return oneThing();
  }
}

/** A list of what is in lists. */
function joinedList(length: Bound, inner: Shape): Shape {
  return listOf(times(length, inner.isOne ? ONCE : inner.length), () =>
    inner.isOne ? inner : eitherShape([inner, inner.item()]),
  );
}

function sliced(length: Bound, [from, to]: readonly Shape[]): Bound {
  const first = from ? from.literal : 0;
  const end = to ? to.literal : Infinity;
  if (typeof first !== "number" || typeof end !== "number") return perhaps(length);
  const isFromEnd = first < 0;
  const most = isFromEnd ? -first : end >= 0 ? Math.max(0, end - first) : Infinity;
  if (length.most <= most) return perhaps(length);
  return { least: first === 0 && end >= 0 ? Math.min(length.least, end) : 0, most };
}

function helperShape({ name, args, line }: At<"helper">, walk: Walk): Shape {
  const work = args.find((arg) => arg.kind === "function");
  const given = args.filter((arg) => arg !== work).map((arg) => shapeOf(arg, walk));
  const [list = oneThing()] = given;
  const turns = args[0] ? turnsOf(list.length, args[0]) : list.length;
  switch (name) {
    case "unique":
      return listOf(perhaps(list.length), list.item);
    case "groupBy": {
      worked(work, { items: [list.item()], turns, walk });
      const items = listOf(perhaps(list.length), list.item);
      const fields = new Map([
        ["key", anything(`the length of a key in line ${line}`)],
        ["items", items],
      ]);
      return listOf(perhaps(list.length), () => recordOf(fields, () => items));
    }
    case "Array.from": {
      const whole = args[0] ? sequenceFrom(list, args[0]) : list;
      const made = worked(work, {
        items: [whole.item()],
        turns: turnsOf(whole.length, args[0] ?? { line, kind: "literal", value: null }),
        walk,
      });
      return work ? listOf(whole.length, always(made)) : whole;
    }
    case "Object.keys":
    case "Object.values":
    case "Object.entries":
      return anything(`how many fields there are in line ${line}`);
    case "Object.fromEntries":
      return anything(`the length of a list in line ${line}`);
    default:
      return oneThing();
  }
}

/** `{ length: 5 }` makes a list of so many. */
function sequenceFrom(shape: Shape, from: Expression): Shape {
  if (from.kind !== "record") return sequence(shape, from);
  const { literal } = shape.field("length");
  const length = typeof literal === "number" ? { least: literal, most: literal } : undefined;
  return listOf(length ?? unbounded(`the length of the list in line ${from.line}`), () =>
    oneThing(),
  );
}

/** A function that is called so often with these values: what it gives. */
function worked(
  work: Expression | undefined,
  { items, turns, walk }: { items: readonly Shape[]; turns: Bound; walk: Walk },
): Shape {
  if (work?.kind !== "function") {
    if (work) shapeOf(work, walk);
    return anything("the length of what a function gives");
  }
  const { parameters, body } = work;
  return repeated(turns, walk, () => {
    for (const [at, parameter] of parameters.entries())
      bind(parameter, items[at] ?? oneThing(), walk);
    return Array.isArray(body) ? anyOf(walkBody(body, walk)) : shapeOf(body, walk);
  });
}

function always(shape: Shape): () => Shape {
  return () => shape;
}
