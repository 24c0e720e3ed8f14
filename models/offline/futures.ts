import type { PlanReference, PlanValue } from "../../plans/plan.js";
import {
  ANY,
  type Shape,
  type Typed,
  allowedValues,
  fieldsOf,
  itemsOf,
  shapesOf,
} from "../../plans/schemaTypes.js";
import type { JsonSchema } from "../../tools/tool.js";
import type { Parameter } from "./parameters.js";
import type { Mention } from "./quantities.js";
import { conceptOf, conceptsOf } from "./text.js";

const FUTURE = Symbol("a result that is not there yet");

/** Stands for the result of a step that has not run, or a part of it: its type may be known, its value is not. */
export interface FutureResult {
  [FUTURE]: true;
  reference: PlanReference;
  type: Typed;
  /** False if only the value will show whether it fits. */
  isCertain: boolean;
}

/** The future result of a call; without a declared type it may be anything. */
export function futureResult(reference: PlanReference, returns?: JsonSchema): FutureResult {
  const type = returns ? { schema: returns, root: returns } : ANY;
  return { [FUTURE]: true, reference, type, isCertain: true };
}

/** Whether a value stands for a future result. */
export function isFuture(value: unknown): value is FutureResult {
  return typeof value === "object" && value !== null && FUTURE in value;
}

/** A value as in plans: future results become references. */
export function planValue(value: unknown): PlanValue {
  if (isFuture(value)) return value.reference;
  if (Array.isArray(value)) return value.map(planValue);
  if (typeof value !== "object" || value === null) return value as PlanValue;
  const entries = Object.entries(value).map(([key, inner]) => [key, planValue(inner)] as const);
  return Object.fromEntries(entries);
}

/** Whether a result is certainly a whole number. */
export function isWholeNumber({ type }: FutureResult): boolean {
  return onlyShape(type)?.base === "integer";
}

/**
 * The part of a future result that a parameter takes, by its type alone (see `valueFor` for results that exist).
 * Undefined if the type does not fit.
 */
export function partFor(options: {
  parameter: Parameter;
  mention: Mention;
  result: FutureResult;
}): FutureResult | undefined {
  const { parameter, mention, result } = options;
  const { type, choices } = parameter;
  if (choices) return isAmong(choices, result) ? result : undefined;
  if (type === "unknown") return result;
  if (type === "string") return textPart(result, parameter);
  if (type === "number" || type === "integer") return numberPart(result, mention);
  const base = onlyShape(result.type)?.base;
  if (base === undefined) return uncertain(result);
  return base === (type === "list" ? "array" : type) ? result : undefined;
}

function isAmong(choices: unknown[], { type }: FutureResult): boolean {
  const allowed = allowedValues(onlyShape(type) ?? ANY);
  return allowed !== undefined && allowed.every((value) => choices.includes(value));
}

/** The only alternative of a type besides null; undefined if there are several, or it may be anything. */
function onlyShape(type: Typed): Shape | undefined {
  const [only, ...others] = shapesOf(type).filter(({ base }) => base !== "null");
  return others.length > 0 || only?.base === "any" ? undefined : only;
}

function numberPart(result: FutureResult, mention: Mention): FutureResult | undefined {
  const shape = onlyShape(result.type);
  // A text may be a number.
  if (!shape || shape.base === "string") return uncertain(result);
  if (isNumeric(shape)) return result;
  if (shape.base === "array") {
    return isNumeric(itemsOf(shape)) ? partAt(result, -1, itemsOf(shape)) : undefined;
  }
  const fields = fieldsIn(result, shape);
  if (!fields) return shape.base === "object" ? uncertain(result) : undefined;
  const said = new Set([...mention.before, ...mention.after].map((word) => conceptOf(word)));
  const named = fields.find(({ name }) => conceptsOf(name).some((concept) => said.has(concept)));
  if (named) return numberPart(named.part, mention);
  const [only, ...others] = fields.filter(({ part }) => isNumeric(part.type));
  return others.length === 0 ? only?.part : undefined;
}

function textPart(result: FutureResult, parameter: Parameter): FutureResult | undefined {
  const shape = onlyShape(result.type);
  if (!shape) return uncertain(result);
  if (shape.base === "string" || isNumeric(shape)) return result;
  if (shape.base === "array") {
    const text = textPart(partAt(result, 0, itemsOf(shape)), parameter);
    // Only a list of one item can stand for that item.
    return text && uncertain(text);
  }
  const fields = fieldsIn(result, shape);
  if (!fields) return shape.base === "object" ? uncertain(result) : undefined;
  const plain = fields.filter(({ part }) => isPlain(part.type));
  const named = plain.find(({ name }) =>
    conceptsOf(name).some((concept) => parameter.nameConcepts.has(concept)),
  );
  return (named ?? (plain.length === 1 ? plain[0] : undefined))?.part;
}

function uncertain(result: FutureResult): FutureResult {
  return { ...result, isCertain: false };
}

function partAt(result: FutureResult, key: string | number, type: Typed): FutureResult {
  const { $prev, path } = result.reference;
  return { ...result, reference: { $prev, path: [...path, key] }, type };
}

/** The fields of an object; undefined for anything else, and if they are not declared. */
function fieldsIn(
  result: FutureResult,
  shape: Shape,
): { name: string; part: FutureResult }[] | undefined {
  if (shape.base !== "object") return undefined;
  const fields = fieldsOf(shape);
  return fields && [...fields].map(([name, type]) => ({ name, part: partAt(result, name, type) }));
}

function isNumeric(type: Typed): boolean {
  const base = onlyShape(type)?.base;
  return base === "number" || base === "integer";
}

function isPlain(type: Typed): boolean {
  const base = onlyShape(type)?.base;
  return base !== "array" && base !== "object";
}
