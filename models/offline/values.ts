import { isFuture, partFor } from "./futures.js";
import type { Mention } from "./quantities.js";
import { recordOf, type Parameter } from "./parameters.js";
import { conceptOf, conceptsOf } from "./text.js";

/** Results of steps by number, from 1; for steps not run yet, future results. */
export type Results = ReadonlyMap<number, unknown>;

/**
 * The value of a mention as an argument for a parameter; undefined if the types do not fit. For a future result, the
 * part of it that fits.
 */
export function valueFor(options: {
  parameter: Parameter;
  mention: Mention;
  results: Results;
}): unknown {
  const { parameter, mention, results } = options;
  const isReference = mention.kind === "reference";
  const value = isReference ? results.get(Number(mention.value)) : mention.value;
  if (value === undefined) return undefined;
  if (isFuture(value)) return partFor({ parameter, mention, result: value });
  if (parameter.choices) return parameter.choices.find((choice) => choice === value);
  const { type } = parameter;
  if (type === "unknown") return value;
  if (type === "list") return Array.isArray(value) ? value : undefined;
  if (type === "object") return Object.keys(recordOf(value)).length > 0 ? value : undefined;
  if (type === "boolean") return typeof value === "boolean" ? value : undefined;
  if (isReference) {
    return type === "string" ? textIn(value, parameter) : numberIn(value, mention);
  }
  if (type === "string") return mention.kind === "number" ? mention.written : value;
  return typeof value === "number" ? asFraction(value, { parameter, mention }) : undefined;
}

/**
 * "5%" is 0.05, the same number written differently, unless the parameter is described as a percentage.
 */
function asFraction(
  value: number,
  { parameter, mention }: { parameter: Parameter; mention: Mention },
): number {
  if (mention.unit !== "percent") return value;
  const wantsPercent =
    /percent|%/i.test(parameter.text) && !/decimal|fraction|0\.\d/i.test(parameter.text);
  return wantsPercent ? value : Number(`${value}e-2`);
}

/** The number in an earlier result: itself, the last of a list, a field that the step names, or the only number. */
function numberIn(value: unknown, mention: Mention): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "string" && value.trim() !== "" && !Number.isNaN(Number(value)))
    return Number(value);
  if (Array.isArray(value)) {
    const numbers = value.filter((item) => typeof item === "number");
    return numbers.length === value.length ? numbers.at(-1) : undefined;
  }
  const fields = Object.entries(recordOf(value));
  const said = new Set([...mention.before, ...mention.after].map((word) => conceptOf(word)));
  const named = fields.find(([name]) => conceptsOf(name).some((concept) => said.has(concept)));
  if (named) return numberIn(named[1], mention);
  const numbers = fields.map(([, field]) => field).filter((field) => typeof field === "number");
  return numbers.length === 1 ? numbers[0] : undefined;
}

/** The text in an earlier result that a parameter asks for. */
function textIn(value: unknown, parameter: Parameter): string | undefined {
  if (typeof value === "string" || typeof value === "number") return String(value);
  const [only, ...more] = Array.isArray(value) ? value : [];
  if (only !== undefined && more.length === 0) return textIn(only, parameter);
  const fields = Object.entries(recordOf(value)).filter(([, field]) => typeof field !== "object");
  const named = fields.find(([name]) =>
    conceptsOf(name).some((one) => parameter.nameConcepts.has(one)),
  );
  const chosen = named ?? (fields.length === 1 ? fields[0] : undefined);
  return chosen === undefined ? undefined : String(chosen[1]);
}
