import {
  type Bound,
  ONCE,
  perhaps,
  plus,
  times,
  unbounded,
  anything,
  eitherShape,
  listOf,
  oneThing,
  type Shape,
  recordOf,
} from "./lengths.js";
import type { Expression } from "../program.js";
import { anyOf, shapeOf, sequence } from "./shapes.js";
import { bind } from "./variables.js";
import { repeated, turnsOf, type Walk, walkBody } from "./walk.js";

/** The shape of a method's result; calls in its function count once per item. */
export function methodShape(
  { of, name, args, optional, line }: Extract<Expression, { kind: "method" }>,
  walk: Walk,
): Shape {
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

/** Whether a function is one expression that computes with numbers and texts. */
function isPlain(work: Expression | undefined): boolean {
  if (work?.kind !== "function" || Array.isArray(work.body)) return false;
  return ["binary", "template", "unary"].includes(work.body.kind);
}

/** Methods without function arguments. */
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

/** A list of the items of lists. */
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

/** The result of a function called this often with these values. */
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

/** The shape of a helper's result; calls in its function count once per item. */
export function helperShape(
  { name, args, line }: Extract<Expression, { kind: "helper" }>,
  walk: Walk,
): Shape {
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

/** `{ length: 5 }` makes a list of 5. */
function sequenceFrom(shape: Shape, from: Expression): Shape {
  if (from.kind !== "record") return sequence(shape, from);
  const { literal } = shape.field("length");
  const length = typeof literal === "number" ? { least: literal, most: literal } : undefined;
  return listOf(length ?? unbounded(`the length of the list in line ${from.line}`), () =>
    oneThing(),
  );
}
