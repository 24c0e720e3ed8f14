import { accepts, isList } from "./accepts.js";
import type { Fit, Fitting } from "./fitValue.js";
import { fitScalar } from "./fitScalar.js";
import { isType, type Problem } from "./outputTypes.js";
import type { PlanReference, PlanText } from "./plan.js";
import { writeReference } from "./references.js";
import { ANY, allowedValues, fieldsOf, itemsOf, shapesOf, typeInWords } from "./schemaTypes.js";
import type { Shape, Typed } from "./schemaTypes.js";

/**
 * Fits a reference to the wanted type ("AI Agent 007"): unchanged if the types agree, wrapped in a list or a
 * text if wanted, or narrowed to the only field of an object or the only item of a list.
 */
export function fitReference({ value, wanted, typeOf }: Fitting<PlanReference>): Fit {
  const given = typeOf(value);
  if (!isType(given)) return { value, repairs: [], issues: [given] };
  if (accepts({ wanted, given })) return { value, repairs: [], issues: [] };
  const written = writeReference(value);
  if (canBeText(wanted, given)) {
    return { value: { $text: [value] }, repairs: [`${written} was made a text`], issues: [] };
  }
  const lists = shapesOf(wanted).filter(({ base }) => base === "array");
  for (const list of lists) {
    const items = itemsOf(list);
    const repairs = [`a list was put around ${written}`];
    if (accepts({ wanted: items, given })) return { value: [value], repairs, issues: [] };
    if (canBeText(items, given)) {
      return { value: [{ $text: [value] }], repairs, issues: [] };
    }
  }
  const part = onlyPart(wanted, given);
  if (part === undefined) {
    return { value, repairs: [], issues: [mismatch(value, wanted, given)] };
  }
  const inner = { ...value, path: [...value.path, part] };
  const repair = `of ${written} its only part ${writeReference(inner)} was taken`;
  return { value: inner, repairs: [repair], issues: [] };
}

/** A text with outputs in it: their types do not matter, but they must exist. */
export function fitText({ value, wanted, typeOf }: Fitting<PlanText>): Fit {
  const issues = value.$text.flatMap((part): Problem[] => {
    if (typeof part === "string") return fitScalar({ value: part, wanted: ANY }).issues;
    const found = typeOf(part);
    return isType(found) ? [] : [found];
  });
  const text: Typed = { schema: { type: "string" }, root: {} };
  if (accepts({ wanted, given: text })) return { value, repairs: [], issues };
  const lists = shapesOf(wanted).filter(({ base }) => base === "array");
  if (lists.some((list) => accepts({ wanted: itemsOf(list), given: text }))) {
    return { value: [value], repairs: ["a list was put around a text"], issues };
  }
  const problem = `a text was given, wanted is ${typeInWords(wanted)}`;
  return { value, repairs: [], issues: [{ kind: "type", problem }, ...issues] };
}

/**
 * Whether a list around a reference is superfluous because the output already is the wanted list. If it could
 * also be an item (of a list of lists), the list stays.
 */
export function isListInVain({ value, wanted, typeOf }: Fitting<PlanReference>): boolean {
  const given = typeOf(value);
  if (!isType(given) || !isList(given)) return false;
  const shapes = shapesOf(wanted).filter(({ base }) => base === "array");
  const isWanted = shapes.some((shape) => accepts({ wanted: shape, given }));
  const isItem = shapes.some((shape) =>
    shapesOf(itemsOf(shape)).some(
      (item) => item.base === "array" && accepts({ wanted: item, given }),
    ),
  );
  return isWanted && !isItem;
}

/** Numbers and booleans become texts without loss, but not if only certain texts are allowed. */
function canBeText(wanted: Typed, given: Typed): boolean {
  return shapesOf(wanted).some(isFreeText) && shapesOf(given).every(isPlain);
}

function isFreeText(shape: Shape): boolean {
  return shape.base === "string" && !allowedValues(shape);
}

function isPlain({ base }: Shape): boolean {
  return base === "number" || base === "integer" || base === "boolean";
}

/** Key or index of an output's only part, if that is wanted. */
function onlyPart(wanted: Typed, given: Typed): string | 0 | undefined {
  const [shape, ...others] = shapesOf(given);
  if (!shape || others.length > 0) return undefined;
  if (shape.base === "array") {
    const isOne = shape.schema["maxItems"] === 1;
    return isOne && accepts({ wanted, given: itemsOf(shape) }) ? 0 : undefined;
  }
  const [field, ...rest] = fieldsOf(shape) ?? [];
  if (!field || rest.length > 0) return undefined;
  return accepts({ wanted, given: field[1] }) ? field[0] : undefined;
}

function mismatch(value: PlanReference, wanted: Typed, given: Typed): Problem {
  const written = writeReference(value);
  const problem = `${written} is ${typeInWords(given)}, wanted is ${typeInWords(wanted)}`;
  const shapes = shapesOf(given);
  const isListGiven = shapes.some(({ base }) => base === "array");
  const isListWanted = shapesOf(wanted).some(({ base }) => base === "array");
  if (isListGiven && !isListWanted) {
    return { kind: "type", problem: `${problem}: ${forEachItem(value)}` };
  }
  const isObject = shapes.every(({ base }) => base === "object");
  const wantsObject = shapesOf(wanted).some(({ base }) => base === "object");
  const fields = shapes.flatMap((shape) => [...(fieldsOf(shape)?.keys() ?? [])]);
  if (!isObject || wantsObject || fields.length === 0) return { kind: "type", problem };
  return {
    kind: "missing field",
    problem: `${problem}; name the field, as in ${written}.${fields[0]}`,
  };
}

/** Advice for a list: a model told to take one item would take the first and do only part of the work. */
function forEachItem(value: PlanReference): string {
  const first = writeReference({ ...value, path: [...value.path, 0] });
  return `each item that is meant needs a step of its own, and only the result shows how many there are. Where steps can have look_at_result, end the plan with step ${value.$prev} and mark it so; ${first} is the first item alone`;
}
