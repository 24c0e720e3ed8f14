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

/** Stands for a result, or a part of it, of a step that has not run: its type is known, its value is not. */
export interface FutureResult {
  [FUTURE]: true;
  reference: PlanReference;
  type: Typed;
  /** False where only the value itself will tell whether it is what is wanted. */
  isCertain: boolean;
}

/** What a call will give; a tool that does not say what it returns may give anything. */
export function futureResult(reference: PlanReference, returns?: JsonSchema): FutureResult {
  const type = returns ? { schema: returns, root: returns } : ANY;
  return { [FUTURE]: true, reference, type, isCertain: true };
}

/** Whether a value stands for a result that is not there yet. */
export function isFuture(value: unknown): value is FutureResult {
  return typeof value === "object" && value !== null && FUTURE in value;
}

/** A value as plans have it: what stands for a result becomes a reference to it. */
export function planValue(value: unknown): PlanValue {
  if (isFuture(value)) return value.reference;
  if (Array.isArray(value)) return value.map(planValue);
  if (typeof value !== "object" || value === null) return value as PlanValue;
  const entries = Object.entries(value).map(([key, inner]) => [key, planValue(inner)] as const);
  return Object.fromEntries(entries);
}

/** Whether a result can be nothing but a whole number. */
export function isWholeNumber({ type }: FutureResult): boolean {
  return onlyShape(type)?.base === "integer";
}

/**
 * What a parameter takes of a result that is not there yet: the part that would be taken of its value,
 * told by its type alone. Undefined where the type does not fit.
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

/** The one alternative that a type leaves beside null; undefined where it leaves several, or anything. */
function onlyShape(type: Typed): Shape | undefined {
  const [only, ...others] = shapesOf(type).filter(({ base }) => base !== "null");
  return others.length > 0 || only?.base === "any" ? undefined : only;
}

function numberPart(result: FutureResult, mention: Mention): FutureResult | undefined {
  const shape = onlyShape(result.type);
  // A text may consist of a number.
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
    // Only a list of one item stands for that item.
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

/** The fields of an object by name; undefined for anything else, and where they are not declared. */
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
