import type { Fit } from "./fitValue.js";
import { meantName } from "./meantNames.js";
import { hasBrokenReference } from "./references.js";
import { allowedValues, shapesOf, typeInWords, type Shape, type Typed } from "./schemaTypes.js";

/** JSON data except lists and objects. */
export type Scalar = string | number | boolean | null;

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Fits a text, number, boolean or null to a type by lossless casts. */
export function fitScalar({ value, wanted }: { value: Scalar; wanted: Typed }): Fit {
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
  const problem = `${given} was given, wanted is ${typeInWords(wanted)}`;
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
  const equal = allowed.find((one) => typeof one !== "string" && isWritten(one, text));
  const texts = allowed.filter((one) => typeof one === "string");
  return equal ?? meantName(text, texts);
}

function isWritten(one: Scalar, text: string): boolean {
  return String(one).toLowerCase() === text.toLowerCase() || one === numberIn(text);
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
