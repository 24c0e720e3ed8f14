import {
  type Bound,
  NONE,
  ONCE,
  plus,
  unbounded,
  anything,
  declaredShape,
  eitherShape,
  listOf,
  oneThing,
  type Shape,
} from "./lengths.js";
import { helperShape, methodShape } from "./callShapes.js";
import type { Expression, Spread } from "../program.js";
import { named } from "./variables.js";
import { count, maybe, type Walk, walkEither } from "./walk.js";

type At<Kind extends Expression["kind"]> = Extract<Expression, { kind: Kind }>;

/** The shape of an expression's value; counts the calls in it. */
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
    case "unary": {
      const { literal } = shapeOf(expression.value, walk);
      return oneThing(
        expression.operator === "-" && typeof literal === "number" ? -literal : undefined,
      );
    }
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
    default:
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

/** The shape of iterating a value, including the characters of a text. */
export function sequence(shape: Shape, { line }: Expression): Shape {
  if (!shape.isOne) return shape;
  return listOf(unbounded(`the length of the text in line ${line}`), () => oneThing());
}

export function anyOf(shapes: readonly Shape[]): Shape {
  const [first, ...others] = shapes;
  return first ? eitherShape([first, ...others]) : oneThing();
}

/** Of a repeated field the last counts; if it may have been overwritten, both count. */
function recordShape({ fields, line }: At<"record">, walk: Walk): Shape {
  const parts = fields.map(
    (field): ((key: string, before: Shape | undefined) => Shape | undefined) => {
      if ("spread" in field) {
        const spread = shapeOf(field.spread, walk);
        return (key, before) => anyOf([spread.field(key), ...(before ? [before] : [])]);
      }
      if (typeof field.key !== "string") shapeOf(field.key, walk);
      const value = shapeOf(field.value, walk);
      if (typeof field.key !== "string")
        return (_key, before) => anyOf([value, ...(before ? [before] : [])]);
      return (key, before) => (key === field.key ? value : before);
    },
  );
  return {
    ...oneThing(),
    item: () => anything(`the length of a list in line ${line}`),
    field: (key) =>
      parts.reduce<Shape | undefined>((before, part) => part(key, before), undefined) ?? oneThing(),
  };
}

function fieldShape({ of, key }: At<"field">, walk: Walk): Shape {
  const whole = shapeOf(of, walk);
  return key === "length" ? oneThing() : whole.field(key);
}
