import { nameArguments, meantName } from "./nameArguments.js";
import type { PlanValue, PlanReference, PlanText, Plan, PlanIssue, PlanTool } from "./plan.js";
import {
  isPlainObject,
  isReference,
  isText,
  hasBrokenReference,
  writeReference,
} from "./references.js";
import {
  ANY,
  fieldsOf,
  itemsOf,
  otherFieldsOf,
  requiredOf,
  shapesOf,
  typeInWords,
  type Shape,
  type Typed,
  allowedValues,
  accepts,
  isList,
} from "./schemaTypes.js";

export interface Fit {
  value: PlanValue;
  repairs: string[];
  issues: Problem[];
}

type PlanObject = { [key: string]: PlanValue };

export interface Fitting<Value extends PlanValue = PlanValue> {
  value: Value;
  wanted: Typed;
  typeOf: TypeOfReference;
}

/**
 * Fits a value to a type: wraps and unwraps lists, converts `"3"` to 3 and 3 to `"3"`, and finds the enum value
 * that was meant.
 */
export function fitValue({ value, wanted, typeOf }: Fitting): Fit {
  if (Array.isArray(value)) return fitList({ value, wanted, typeOf });
  const fit = fitOne({ value, wanted, typeOf });
  return fit.issues.length === 0 ? fit : (inList({ value, wanted, typeOf }) ?? fit);
}

type One = Exclude<PlanValue, PlanValue[]>;

function fitOne({ value, wanted, typeOf }: Fitting<One>): Fit {
  if (isReference(value)) return fitReference({ value, wanted, typeOf });
  if (isText(value)) return fitText({ value, wanted, typeOf });
  return isPlainObject(value) ? fitObject({ value, wanted, typeOf }) : fitScalar(value, wanted);
}

function fitList({ value, wanted, typeOf }: Fitting<PlanValue[]>): Fit {
  const [only] = value;
  const isOnly = only !== undefined && value.length === 1;
  if (isOnly && isReference(only) && isListInVain({ value: only, wanted, typeOf }))
    return { value: only, repairs: ["the list around a list was taken off"], issues: [] };
  const lists = shapesOf(wanted).filter(({ base }) => base === "array" || base === "any");
  const best = bestOf(lists, (shape) => fitItems({ value, wanted: shape, typeOf }));
  if (best?.issues.length === 0) return best;
  if (!isOnly || !isOneTooMany(only, lists))
    return best ?? unfit({ value, wanted, typeOf }, "a list");
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
  const named = nameArguments(value, wanted, isFit);
  const others = otherFieldsOf(wanted) ?? ANY;
  const fields = fieldsOf(wanted) ?? new Map<string, Typed>();
  const fits = Object.entries(named.args).map(([name, inner]) => ({
    ...fitNamed(name, { value: inner, wanted: fields.get(name) ?? others, typeOf }),
    name,
  }));
  const notes = notesOf(fits);
  const there =
    fields.size > 0 ? `the fields are ${[...fields.keys()].join(", ")}` : "it has no fields";
  const missing = requiredOf(wanted).filter((name) => !Object.hasOwn(named.args, name));
  return {
    value: Object.fromEntries(fits.map((fit) => [fit.name, fit.value])),
    repairs: [...named.repairs, ...notes.repairs],
    issues: [
      ...named.unknown.map((name): Problem => ({
        kind: "unknown argument",
        problem: `there is no field ${name}; ${there}`,
      })),
      ...notes.issues,
      ...missing.map((name): Problem => ({
        kind: "missing argument",
        problem: `the field ${name} is missing`,
      })),
    ],
  };
}

/** Fits the value of an argument or field, whose name may say that it is an id. */
export function fitNamed(name: string, { value, wanted, typeOf }: Fitting): Fit {
  const id = ownId(name, value, wanted);
  const fit = fitValue({ value: id ?? value, wanted, typeOf });
  if (id === undefined) return fit;
  return { ...fit, repairs: [`the id of an object was taken for ${name}`, ...fit.repairs] };
}

/** The id of an object that stands where a text for its id is wanted: `sprint_id: sprint`. */
function ownId(name: string, value: PlanValue, wanted: Typed): string | undefined {
  if (!IS_ID.test(name) || !isPlainObject(value) || isReference(value)) return undefined;
  const { id } = value;
  const isWanted = shapesOf(wanted).every(({ base }) => base === "string" || base === "null");
  return isWanted && typeof id === "string" ? id : undefined;
}

/** The name of a parameter that takes one id. */
export const IS_ID = /(?:^|_)id$/i;

function inList(fitting: Fitting<One>): Fit | undefined {
  const lists = shapesOf(fitting.wanted).filter(({ base }) => base === "array");
  const best = bestOf(lists, (list) => fitOne({ ...fitting, wanted: itemsOf(list) }));
  if (!best || best.issues.length > 0) return undefined;
  return { ...best, value: [best.value], repairs: ["a list was put around it", ...best.repairs] };
}

/** References inside are checked too, because they may also be wrong. */
function unfit({ value, wanted, typeOf }: Fitting, given: string): Fit {
  const inside = fitValue({ value, wanted: ANY, typeOf });
  const problem = `${given} was given, but ${typeInWords(wanted)} is wanted`;
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

/** JSON data except lists and objects. */
type Scalar = string | number | boolean | null;

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Fits a text, number, boolean or null to a type by lossless casts. */
function fitScalar(value: Scalar, wanted: Typed): Fit {
  if (typeof value === "string" && hasBrokenReference(value)) {
    const problem = `${JSON.stringify(value)} refers to nothing; write $$PREV[0] or $$PREV[0].name, with the number of a step`;
    return { value, repairs: [], issues: [{ kind: "unreadable", problem }] };
  }
  const shapes = shapesOf(wanted);
  if (shapes.some((shape) => isOf(shape, value))) return { value, repairs: [], issues: [] };
  const cast = shapes.map((shape) => castTo(shape, value)).find((found) => found !== undefined);
  const given = JSON.stringify(value);
  if (cast !== undefined) {
    const repair = `${given} was made ${JSON.stringify(cast)}`;
    return { value: cast, repairs: [repair], issues: [] };
  }
  const problem = `${given} was given, but ${typeInWords(wanted)} is wanted`;
  return { value, repairs: [], issues: [{ kind: "type", problem }] };
}

function isOf(shape: Shape, value: Scalar): boolean {
  if (shape.base === "any") return true;
  const allowed = allowedValues(shape);
  if (allowed) return allowed.includes(value);
  if (shape.base === "integer") return Number.isInteger(value);
  return shape.base === (value === null ? "null" : typeof value);
}

/** The value cast to the shape; undefined if that would lose something. */
function castTo(shape: Shape, value: Scalar): Scalar | undefined {
  const allowed = allowedValues(shape)?.filter(isScalar);
  if (allowed) return allowedMeant(allowed, value);
  if (shape.base === "string") return value === null ? undefined : String(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (shape.base === "boolean") return booleanIn(text);
  if (shape.base !== "number" && shape.base !== "integer") return undefined;
  const number = numberIn(text);
  return shape.base === "number" || Number.isInteger(number) ? number : undefined;
}

/** The allowed value meant: equal numbers, or the text it is a typo of. */
function allowedMeant(allowed: Scalar[], value: Scalar): Scalar | undefined {
  if (value === null) return undefined;
  const text = String(value).trim();
  const equal = allowed.find(
    (one) =>
      typeof one !== "string" &&
      (String(one).toLowerCase() === text.toLowerCase() || one === numberIn(text)),
  );
  const texts = allowed.filter((one) => typeof one === "string");
  return equal ?? meantName(text, texts);
}

function booleanIn(text: string): boolean | undefined {
  const word = text.toLowerCase();
  return word === "true" || word === "false" ? word === "true" : undefined;
}

/** Too many digits for a number mean an identifier. */
function numberIn(text: string): number | undefined {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  const isExact = Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER;
  return isExact ? number : undefined;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** Fits a reference to the wanted type ("AI Agent 007"): unchanged if the types agree, or made a text. */
function fitReference({ value, wanted, typeOf }: Fitting<PlanReference>): Fit {
  const given = typeOf(value);
  if (!isType(given)) return { value, repairs: [], issues: [given] };
  if (accepts({ wanted, given })) return { value, repairs: [], issues: [] };
  const written = writeReference(value);
  if (canBeText(wanted, given))
    return { value: { $text: [value] }, repairs: [`${written} was made a text`], issues: [] };
  const problem = `${written} is ${typeInWords(given)}, but ${typeInWords(wanted)} is wanted`;
  return { value, repairs: [], issues: [{ kind: "type", problem }] };
}

/** A text with outputs in it: their types do not matter, but they must exist. */
function fitText({ value, wanted, typeOf }: Fitting<PlanText>): Fit {
  const issues = value.$text.flatMap((part): Problem[] => {
    if (typeof part === "string") return fitScalar(part, ANY).issues;
    const found = typeOf(part);
    return isType(found) ? [] : [found];
  });
  if (accepts({ wanted, given: { schema: { type: "string" }, root: {} } }))
    return { value, repairs: [], issues };
  const problem = `a text was given, but ${typeInWords(wanted)} is wanted`;
  return { value, repairs: [], issues: [{ kind: "type", problem }, ...issues] };
}

/**
 * Whether a list around a reference is superfluous because the output already is the wanted list. If it could
 * also be an item (of a list of lists), the list stays.
 */
function isListInVain({ value, wanted, typeOf }: Fitting<PlanReference>): boolean {
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

/** What is wrong with a value; the caller knows where. */
export type Problem = Omit<PlanIssue, "step">;

/** The type of a reference's target, or why there is none. */
export type TypeOfReference = (reference: PlanReference) => Typed | Problem;

/**
 * Types of references, as seen from one place in a plan.
 *
 * @param before only outputs of steps before this position exist
 */
export function outputTypes(
  steps: Plan["steps"],
  tools: ReadonlyMap<string, PlanTool>,
  before: number,
): TypeOfReference {
  return (reference) => {
    const { $prev, path } = reference;
    const step = steps[$prev];
    const written = writeReference(reference);
    if (!step) {
      const there = steps.length > 0 ? `steps are numbered 0 to ${steps.length - 1}` : "no steps";
      return { kind: "missing step", problem: `${written} refers to no step; there are: ${there}` };
    }
    if ($prev >= before) {
      const problem = `${written} refers to a result that is not there yet; only steps before ${before} can be used`;
      return { kind: "forward reference", problem };
    }
    const returns = tools.get(step.tool)?.returns;
    return typeAtPath(returns ? { schema: returns, root: returns } : ANY, path, written);
  };
}

export function isType(found: Typed | Problem): found is Typed {
  return "schema" in found;
}

function typeAtPath(output: Typed, path: PlanReference["path"], written: string): Typed | Problem {
  let type = output;
  for (const part of path) {
    const found = shapesOf(type).flatMap((shape) => typeOfPart(shape, part) ?? []);
    if (found.length === 0) {
      const name = JSON.stringify(part);
      const problem = `${written}: there is no ${name} in ${typeInWords(type)}`;
      return { kind: "missing field", problem };
    }
    const [only] = found;
    const { root } = type;
    type =
      only && found.length === 1
        ? only
        : { schema: { anyOf: found.map(({ schema }) => schema) }, root };
  }
  return type;
}

function typeOfPart(shape: Shape, part: string | number): Typed | undefined {
  if (shape.base === "any") return { ...ANY, root: shape.root };
  if (typeof part === "number") return shape.base === "array" ? itemsOf(shape) : undefined;
  if (shape.base !== "object") return undefined;
  const fields = fieldsOf(shape);
  return fields ? (fields.get(part) ?? otherFieldsOf(shape)) : (otherFieldsOf(shape) ?? ANY);
}
