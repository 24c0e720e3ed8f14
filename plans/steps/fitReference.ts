import {
  accepts,
  isList,
  ANY,
  allowedValues,
  itemsOf,
  shapesOf,
  typeInWords,
  type Typed,
} from "./schemaTypes.js";
import { type Fit, type Fitting, fitScalar } from "./fitValue.js";
import { isType, type Problem } from "./outputTypes.js";
import type { PlanReference, PlanText } from "./plan.js";
import { writeReference } from "./references.js";

/** Fits a reference to the wanted type ("AI Agent 007"): unchanged if the types agree, or made a text. */
export function fitReference({ value, wanted, typeOf }: Fitting<PlanReference>): Fit {
  const given = typeOf(value);
  if (!isType(given)) return { value, repairs: [], issues: [given] };
  if (accepts({ wanted, given })) return { value, repairs: [], issues: [] };
  const written = writeReference(value);
  if (canBeText(wanted, given))
    return { value: { $text: [value] }, repairs: [`${written} was made a text`], issues: [] };
  const problem = `${written} is ${typeInWords(given)}, wanted is ${typeInWords(wanted)}`;
  return { value, repairs: [], issues: [{ kind: "type", problem }] };
}

/** A text with outputs in it: their types do not matter, but they must exist. */
export function fitText({ value, wanted, typeOf }: Fitting<PlanText>): Fit {
  const issues = value.$text.flatMap((part): Problem[] => {
    if (typeof part === "string") return fitScalar(part, ANY).issues;
    const found = typeOf(part);
    return isType(found) ? [] : [found];
  });
  if (accepts({ wanted, given: { schema: { type: "string" }, root: {} } }))
    return { value, repairs: [], issues };
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
  const isFreeText = shapesOf(wanted).some(
    (shape) => shape.base === "string" && !allowedValues(shape),
  );
  return (
    isFreeText &&
    shapesOf(given).every(({ base }) => ["number", "integer", "boolean"].includes(base))
  );
}
