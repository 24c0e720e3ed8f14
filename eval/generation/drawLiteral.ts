import type { PlanValue } from "../../plans/plan.js";
import { allowedValues, fieldsOf, itemsOf, requiredOf, shapesOf } from "../../plans/schemaTypes.js";
import type { Shape, Typed } from "../../plans/schemaTypes.js";
import type { Chance } from "./chance.js";
import { type Fact, factsAbout } from "./facts.js";
import { drawNumber } from "./drawNumber.js";
import { descriptionOf, topicsOfArgument } from "./topics.js";

/** What has to be known to choose the value of an argument. */
interface Wanted {
  name: string;
  type: Typed;
  /** Of the world that the tools act on; none where there is no such world. */
  facts: readonly Fact[];
  chance: Chance;
}

/** A value is not drawn where it would have objects in objects that are deeper. */
const DEEPEST = 3;

/** Texts that are free to say anything, for arguments such as comments. */
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
 * Draws the value of an argument as somebody might give it: one that the schema lists or shows, a fact of the
 * world about the same thing, a number of the size that the description allows, else a remark.
 */
export function drawLiteral(wanted: Wanted): PlanValue {
  const { type, chance } = wanted;
  const shape = drawnShape(type);
  if (!shape) return null;
  const { default: usual } = shape.schema;
  // Nobody asks for what is done anyway.
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

/** Items without repetition; of plain numbers some more, since one number is no list. */
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
  const about = factsAbout({ topics: topicsOfArgument({ name, type }), facts });
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

const DAY = formOf("2025-01-31");

/** The form of an identifier: `TASK-12` and `TASK-7` have one, words have none. */
function formOf(text: string): string {
  return /\d/.test(text) && !/\s/.test(text) ? text.replaceAll(/\d+/g, "0") : "";
}

/** Texts in quotes in a description, which show what is wanted. */
function quotedIn(description: string): string[] {
  return [...description.matchAll(/"([^"]+)"/g)].flatMap(([, text]) => text ?? []);
}

function examplesIn({ schema }: Typed): unknown[] | undefined {
  const { examples } = schema;
  return Array.isArray(examples) && examples.length > 0 ? examples : undefined;
}

/** The first alternative that is a value; undefined where anything or nothing is allowed. */
function drawnShape(type: Typed): Shape | undefined {
  return shapesOf(type).find(({ base }) => base !== "null" && base !== "any");
}

function requiredFields(shape: Shape): [string, Typed][] {
  const required = requiredOf(shape);
  return [...(fieldsOf(shape) ?? [])].filter(([name]) => required.includes(name));
}
