import type { Typed } from "../../plans/schemaTypes.js";
import type { Chance } from "./chance.js";
import { descriptionOf } from "./topics.js";

/** Names and descriptions of numbers that count something. */
const COUNTED =
  /\b(?:whole|count|how many|number of|position|digits?|places|terms?|items?|times|days?|limit|iterations?)\b/i;

/** Numbers are drawn from this many above the least one that is allowed; those that count from fewer. */
const USUAL_RANGE = { measured: 60, counted: 12 };

/** The least number that is drawn where smaller ones are allowed: 0 and 1 make dull requests. */
const USUAL_LEAST = 2;

/** Share of numbers with a decimal place, among those that may have one. */
const WITH_DECIMAL = 0.3;

/** Draws a number as the schema allows it and, where that says nothing, as the description does. */
export function drawNumber(options: { name: string; type: Typed; chance: Chance }): number {
  const { name, type, chance } = options;
  const description = descriptionOf(type);
  const bounds = boundsOf(type.schema, description);
  const least = Math.ceil(Math.max(bounds.least, Math.min(USUAL_LEAST, bounds.most)));
  const isWhole = type.schema["type"] === "integer" || COUNTED.test(`${name} ${description}`);
  const range = isWhole ? USUAL_RANGE.counted : USUAL_RANGE.measured;
  const most = Math.max(least, Math.floor(Math.min(bounds.most, least + range)));
  const whole = chance.whole({ least, most });
  if (isWhole || whole === most || chance.number() >= WITH_DECIMAL) return whole;
  return whole + chance.whole({ least: 1, most: 9 }) / 10;
}

function boundsOf(schema: Typed["schema"], description: string): { least: number; most: number } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const range = /\bfrom (-?\d[\d.]*) to (-?\d[\d.]*)/.exec(description);
  const above = /\b(?:above|greater than|at least|more than) (-?\d[\d.]*)/.exec(description);
  const below = /\b(?:at most|below|less than|up to) (-?\d[\d.]*)/.exec(description);
  return {
    least: firstNumber(minimum, exclusiveMinimum, range?.[1], above?.[1]) ?? USUAL_LEAST,
    most: firstNumber(maximum, exclusiveMaximum, range?.[2], below?.[1]) ?? Infinity,
  };
}

function firstNumber(...values: unknown[]): number | undefined {
  return values.map(Number).find((value) => !Number.isNaN(value));
}
