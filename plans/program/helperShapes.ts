import { perhaps, unbounded } from "./callBounds.js";
import { anything, listOf, oneThing, recordOf, type Shape } from "./lengths.js";
import { always, worked } from "./methodShapes.js";
import type { Expression } from "./program.js";
import { sequence, shapeOf } from "./shapes.js";
import { turnsOf, type Walk } from "./walk.js";

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
