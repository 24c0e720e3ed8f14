import type { PlanValue } from "../../plans/steps/plan.js";
import {
  allowedValues,
  fieldsOf,
  itemsOf,
  requiredOf,
  shapesOf,
  type Shape,
  type Typed,
} from "../../plans/steps/schemaTypes.js";
import type { Chance } from "./chance.js";
import { descriptionOf, sharedTopics, topicsOfArgument } from "./joins.js";

/** A text in the world of a library: an id, a name, a day. */
export interface Fact {
  value: string;
  /** Words for what it is about. */
  topics: string[];
}

/** What determines the value of an argument. */
interface Wanted {
  name: string;
  type: Typed;
  /** Facts of the world that the tools act on, if there is one. */
  facts: readonly Fact[];
  chance: Chance;
}

/** Deepest nesting of drawn values. */
const DEEPEST = 3;

/** Free texts for arguments such as comments. */
const REMARKS = [
  "Please check this again before the release",
  "The customer called twice about it this week",
  "Ready for review once the tests are green",
  "Waiting for an answer from the supplier",
  "Moved after the meeting on Tuesday",
  "Prepare the slides. Book the room. Invite the team",
  "Write the report. Send it to finance",
  "Happens only on older phones",
];

/** Whether a value of the type can be drawn at all. */
export function canBeLiteral(type: Typed, depth = 0): boolean {
  const shape = drawnShape(type);
  if (!shape || depth > DEEPEST) return false;
  if (shape.base === "array") return canBeLiteral(itemsOf(shape), depth + 1);
  if (shape.base !== "object") return true;
  return requiredFields(shape).every(([, field]) => canBeLiteral(field, depth + 1));
}

/**
 * Draws a plausible value for an argument: one that the schema lists or shows as an example, a fact of the world about
 * the same thing, a number in the range of the description, else a remark.
 */
export function drawLiteral(wanted: Wanted): PlanValue {
  const { type, chance } = wanted;
  const shape = drawnShape(type);
  if (!shape) return null;
  const { default: usual } = shape.schema;
  // Nobody asks for the default.
  const listed = (allowedValues(shape) ?? examplesIn(shape))?.filter((value) => value !== usual);
  if (listed?.length) return (chance.pick(listed) ?? null) as PlanValue;
  switch (shape.base) {
    case "boolean":
      return typeof usual === "boolean" ? !usual : chance.number() < 1 / 2;
    case "integer":
    case "number":
      return drawNumber({
        ...wanted,
        type: { ...shape, schema: { ...type.schema, ...shape.schema } },
      });
    case "string":
      return drawText(wanted);
    case "array":
      return drawList({ ...wanted, items: itemsOf(shape) });
    default:
      return Object.fromEntries(
        requiredFields(shape).map(([name, field]) => [
          name,
          drawLiteral({ ...wanted, name, type: field }),
        ]),
      );
  }
}

/** Distinct items; lists of numbers get more, since one number is hardly a list. */
function drawList(wanted: Wanted & { items: Typed }): PlanValue[] {
  const { chance, type, items } = wanted;
  const isNumbers = shapesOf(items).every(({ base }) => base === "number" || base === "integer");
  const count = isNumbers
    ? chance.whole({ least: 3, most: 6 })
    : chance.whole({ least: 1, most: 2 });
  const described = { ...items, schema: { description: descriptionOf(type), ...items.schema } };
  const drawn = Array.from({ length: count }, () => drawLiteral({ ...wanted, type: described }));
  return [...new Map(drawn.map((value) => [JSON.stringify(value), value])).values()];
}

function drawText({ name, type, facts, chance }: Wanted): string {
  const about = factsAbout(topicsOfArgument({ name, type }), facts);
  const description = descriptionOf(type);
  const shown = quotedIn(description);
  const form = formOf(shown[0] ?? "") || (/YYYY-MM-DD/i.test(description) ? DAY : "");
  const alike = form
    ? facts.map(({ value }) => value).filter((value) => formOf(value) === form)
    : [];
  const chosen = about.filter((value) => alike.includes(value));
  const fitting = [chosen, form ? alike : about, shown, REMARKS].find(({ length }) => length > 0);
  return chance.pick(fitting ?? REMARKS) ?? "";
}

/** The values that share most topics with these; none if no fact shares any. */
function factsAbout(topics: ReadonlySet<string>, facts: readonly Fact[]): string[] {
  const shares = facts.map((fact) => sharedTopics(topics, new Set(fact.topics)));
  const best = Math.max(1, ...shares);
  return facts.filter((_fact, at) => shares[at] === best).map(({ value }) => value);
}

const DAY = formOf("2025-01-31");

/** The form of an identifier, the same for `TASK-12` and `TASK-7`; empty for words. */
function formOf(text: string): string {
  return /\d/.test(text) && !/\s/.test(text) ? text.replaceAll(/\d+/g, "0") : "";
}

/** Quoted texts in a description, which serve as examples. */
function quotedIn(description: string): string[] {
  return [...description.matchAll(/"([^"]+)"/g)].flatMap(([, text]) => text ?? []);
}

function examplesIn({ schema }: Typed): unknown[] | undefined {
  const { examples } = schema;
  return Array.isArray(examples) && examples.length > 0 ? examples : undefined;
}

/** The first alternative of a definite type; undefined if only null or anything is allowed. */
function drawnShape(type: Typed): Shape | undefined {
  return shapesOf(type).find(({ base }) => base !== "null" && base !== "any");
}

function requiredFields(shape: Shape): [string, Typed][] {
  const required = requiredOf(shape);
  return [...(fieldsOf(shape) ?? [])].filter(([name]) => required.includes(name));
}

/** Matches names and descriptions of numbers that count something. */
const COUNTED =
  /\b(?:whole|count|how many|number of|position|digits?|places|terms?|items?|times|days?|limit|iterations?)\b/i;

/** Size of the range above the least allowed number; smaller for numbers that count something. */
const USUAL_RANGE = { measured: 60, counted: 12 };

/** The least number drawn, unless only smaller ones are allowed: 0 and 1 make dull requests. */
const USUAL_LEAST = 2;

/** Share of numbers with a decimal place, among those that may have one. */
const WITH_DECIMAL = 0.3;

/** Draws a number within the bounds of the schema or, if it has none, of the description. */
function drawNumber(options: { name: string; type: Typed; chance: Chance }): number {
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
