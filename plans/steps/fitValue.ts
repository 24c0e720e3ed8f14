import { fitReference, fitText, isListInVain } from "./fitReference.js";
import { nameArguments } from "./nameArguments.js";
import { fitScalar, type Scalar } from "./fitScalar.js";
import type { PlanValue } from "./plan.js";
import type { Problem, TypeOfReference } from "./outputTypes.js";
import { isPlainObject, isReference, isText } from "./references.js";
import { ANY, fieldsOf, itemsOf, otherFieldsOf, requiredOf, shapesOf } from "./schemaTypes.js";
import { typeInWords, type Shape, type Typed } from "./schemaTypes.js";

/** A value fitted to its type without loss, with what was changed and what does not fit. */
export interface Fit {
  value: PlanValue;
  repairs: string[];
  issues: Problem[];
}

type PlanObject = { [key: string]: PlanValue };

/** A value, its wanted type, and the types of outputs it may refer to. */
export interface Fitting<Value extends PlanValue = PlanValue> {
  value: Value;
  wanted: Typed;
  typeOf: TypeOfReference;
}

/**
 * Fits a value to a type: wraps and unwraps lists, converts `"3"` to 3 and 3 to `"3"`, and finds the enum value
 * that was meant.
 */
export function fitValue(fitting: Fitting): Fit {
  const { value, wanted, typeOf } = fitting;
  if (isReference(value)) return fitReference({ value, wanted, typeOf });
  if (isText(value)) return fitText({ value, wanted, typeOf });
  if (Array.isArray(value)) return fitList({ value, wanted, typeOf });
  const fit = fitPlain({ value, wanted, typeOf });
  return fit.issues.length === 0 ? fit : (inList({ value, wanted, typeOf }) ?? fit);
}

/** Fits a value that is neither a list nor a reference. */
function fitPlain({ value, wanted, typeOf }: Fitting<Scalar | PlanObject>): Fit {
  return isPlainObject(value) ? fitObject({ value, wanted, typeOf }) : fitScalar({ value, wanted });
}

function fitList({ value, wanted, typeOf }: Fitting<PlanValue[]>): Fit {
  const [only] = value;
  const isOnly = only !== undefined && value.length === 1;
  if (isOnly && isReference(only) && isListInVain({ value: only, wanted, typeOf })) {
    return { value: only, repairs: ["the list around a list was taken off"], issues: [] };
  }
  const lists = shapesOf(wanted).filter(({ base }) => base === "array" || base === "any");
  const best = bestOf(lists, (shape) => fitItems({ value, wanted: shape, typeOf }));
  if (best?.issues.length === 0) return best;
  if (!isOnly || !isOneTooMany(only, lists)) {
    return best ?? unfit({ value, wanted, typeOf }, "a list");
  }
  const fit = fitValue({ value: only, wanted, typeOf });
  return { ...fit, repairs: ["the only one of a list was taken out of it", ...fit.repairs] };
}

/** Whether a list of one has one level too many. */
function isOneTooMany(only: PlanValue, lists: Shape[]): boolean {
  if (lists.length === 0) return true;
  const items = lists.flatMap((list) => shapesOf(itemsOf(list)));
  return Array.isArray(only) && items.every(({ base }) => base !== "array" && base !== "any");
}

function fitItems({ value, wanted, typeOf }: Fitting<PlanValue[]>): Fit {
  const items = value.map((item) => fitValue({ value: item, wanted: itemsOf(wanted), typeOf }));
  return { value: items.map((item) => item.value), ...notesOf(items) };
}

function fitObject({ value, wanted, typeOf }: Fitting<PlanObject>): Fit {
  const objects = shapesOf(wanted).filter(({ base }) => base === "object" || base === "any");
  return (
    bestOf(objects, (shape) => fitFields(value, shape, typeOf)) ??
    unfit({ value, wanted, typeOf }, "an object")
  );
}

function fitFields(value: PlanObject, wanted: Shape, typeOf: TypeOfReference): Fit {
  const isFit = (inner: PlanValue, type: Typed) =>
    fitValue({ value: inner, wanted: type, typeOf }).issues.length === 0;
  const named = nameArguments({ args: value, object: wanted, fits: isFit });
  const others = otherFieldsOf(wanted) ?? ANY;
  const fields = fieldsOf(wanted) ?? new Map<string, Typed>();
  const fits = Object.entries(named.args).map(([name, inner]) => {
    const fit = fitValue({ value: inner, wanted: fields.get(name) ?? others, typeOf });
    return { name, ...fit };
  });
  const notes = notesOf(fits);
  const missing = requiredOf(wanted).filter((name) => !Object.hasOwn(named.args, name));
  return {
    value: Object.fromEntries(fits.map((fit) => [fit.name, fit.value])),
    repairs: [...named.repairs, ...notes.repairs],
    issues: [
      ...named.unknown.map((name) => unknownField(name, [...fields.keys()])),
      ...notes.issues,
      ...missing.map((name): Problem => ({
        kind: "missing argument",
        problem: `the field ${name} is missing`,
      })),
    ],
  };
}

function unknownField(name: string, fields: string[]): Problem {
  const there = fields.length > 0 ? `the fields are ${fields.join(", ")}` : "it has no fields";
  return { kind: "unknown argument", problem: `there is no field ${name}; ${there}` };
}

/** Wraps a single value if a list is wanted. */
function inList(fitting: Fitting<Scalar | PlanObject>): Fit | undefined {
  const lists = shapesOf(fitting.wanted).filter(({ base }) => base === "array");
  const best = bestOf(lists, (list) => fitPlain({ ...fitting, wanted: itemsOf(list) }));
  if (!best || best.issues.length > 0) return undefined;
  return { ...best, value: [best.value], repairs: ["a list was put around it", ...best.repairs] };
}

/** References inside are checked too, because they may also be wrong. */
function unfit({ value, wanted, typeOf }: Fitting, given: string): Fit {
  const inside = fitValue({ value, wanted: ANY, typeOf });
  const problem = `${given} was given, wanted is ${typeInWords(wanted)}`;
  return { value, repairs: [], issues: [{ kind: "type", problem }, ...inside.issues] };
}

function notesOf(fits: Fit[]): Pick<Fit, "repairs" | "issues"> {
  return {
    repairs: fits.flatMap(({ repairs }) => repairs),
    issues: fits.flatMap(({ issues }) => issues),
  };
}

/** The alternative of a type that fits with the fewest changes; the first of equals. */
function bestOf(shapes: Shape[], fitTo: (shape: Shape) => Fit): Fit | undefined {
  let best: Fit | undefined;
  for (const shape of shapes) {
    const fit = fitTo(shape);
    if (!best || changesOf(fit) < changesOf(best)) best = fit;
    if (changesOf(best) === 0) return best;
  }
  return best;
}

/** An issue weighs more than any number of repairs. */
function changesOf({ repairs, issues }: Fit): number {
  return issues.length * 1_000_000 + repairs.length;
}
