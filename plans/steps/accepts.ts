import {
  allowedValues,
  fieldsOf,
  itemsOf,
  otherFieldsOf,
  requiredOf,
  shapesOf,
  type Shape,
  type Typed,
} from "./schemaTypes.js";

/** Below this depth types count as agreeing, because recursive ones never end. */
const DEEPEST = 5;

/**
 * Whether a value of the given type can be of the wanted type (an edge of weight 1 in "AI Agent 007"). Only
 * certain mismatches are refused; if the types leave it open (a number that may be an integer, a result that
 * may be null, a text that may be in an enum), the call will tell.
 */
export function accepts(types: { wanted: Typed; given: Typed }, depth = 0): boolean {
  if (depth > DEEPEST) return true;
  const wanted = shapesOf(types.wanted);
  return withoutNull(shapesOf(types.given)).some((given) =>
    wanted.some((shape) => shapeAccepts(shape, given, depth)),
  );
}

/** Whether the type only allows lists. */
export function isList(type: Typed): boolean {
  return withoutNull(shapesOf(type)).every(({ base }) => base === "array");
}

/** Types with only null in common do not agree. */
function withoutNull(shapes: Shape[]): Shape[] {
  const others = shapes.filter(({ base }) => base !== "null");
  return others.length > 0 ? others : shapes;
}

function shapeAccepts(wanted: Shape, given: Shape, depth: number): boolean {
  if (wanted.base === "any" || given.base === "any") return true;
  if (!valuesOverlap(wanted, given)) return false;
  if (isNumber(wanted)) return isNumber(given);
  if (wanted.base !== given.base) return false;
  if (wanted.base === "array") {
    return accepts({ wanted: itemsOf(wanted), given: itemsOf(given) }, depth + 1);
  }
  return wanted.base !== "object" || objectAccepts({ wanted, given, depth });
}

function isNumber({ base }: Shape): boolean {
  return base === "number" || base === "integer";
}

function valuesOverlap(wanted: Shape, given: Shape): boolean {
  const [allowed, possible] = [allowedValues(wanted), allowedValues(given)];
  if (!allowed || !possible) return true;
  const texts = new Set(allowed.map((value) => JSON.stringify(value)));
  return possible.some((value) => texts.has(JSON.stringify(value)));
}

function objectAccepts(types: { wanted: Shape; given: Shape; depth: number }): boolean {
  const given = fieldsOf(types.given);
  if (!given) return true;
  const isOpen = otherFieldsOf(types.given) !== undefined;
  if (!isOpen && requiredOf(types.wanted).some((name) => !given.has(name))) return false;
  return [...(fieldsOf(types.wanted) ?? [])].every(([name, wanted]) => {
    const field = given.get(name);
    return !field || accepts({ wanted, given: field }, types.depth + 1);
  });
}
