import {
  allowedValues,
  fieldsOf,
  itemsOf,
  otherFieldsOf,
  type Shape,
  shapesOf,
  type Typed,
} from "../../plans/schemaTypes.js";
import { canonicalJson } from "../../tools/library/hash.js";
import { type WorldDefinition, defineWorld } from "../../tools/runtime/worlds.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { type Random, randomFor } from "../statistics/random.js";

/** Name of the world that answers calls with seeded values. */
export const SEEDED_WORLD = "seeded";

/** Items of a list. */
const ITEMS = 3;

/** Values of types below this depth are empty, since recursive types have no end. */
const DEEPEST = 6;

/**
 * A world that answers calls of tools without functions with values of their `returns` types. The value depends
 * on the tool and the arguments: the same call always gives the same result, another call most likely another.
 */
export function seededWorld(tools: readonly ToolDefinition[]): WorldDefinition<null> {
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  return defineWorld<null>({
    name: SEEDED_WORLD,
    create: () => null,
    save: () => null,
    load: () => null,
    change: () => ({}),
    answer: (_world, { tool: id, args }) => {
      const tool = byId.get(id);
      return tool ? { result: seededAnswer({ tool, args }) } : { error: `unknown tool ${id}` };
    },
  });
}

/** The result of a call; a text if the tool does not say what it returns. */
export function seededAnswer(call: {
  tool: Pick<ToolDefinition, "id" | "returns">;
  args: Record<string, unknown>;
}): unknown {
  const { tool, args } = call;
  const random = randomFor(canonicalJson([tool.id, args]));
  const root = tool.returns ?? { type: "string" };
  return valueOf({ type: { schema: root, root }, name: "result", random, depth: 0 });
}

interface Wanted {
  type: Typed;
  /** Of the field; texts contain it, so that they differ. */
  name: string;
  random: Random;
  depth: number;
}

function valueOf({ type, name, random, depth }: Wanted): unknown {
  const shapes = shapesOf(type);
  const shape = shapes.find(({ base }) => base !== "null") ?? shapes[0];
  if (!shape || shape.base === "null") return null;
  const allowed = allowedValues(shape);
  if (allowed) return allowed[Math.floor(random() * allowed.length)];
  return VALUES[shape.base]({ shape, name, random, depth });
}

type Drawn = Omit<Wanted, "type"> & { shape: Shape };

const VALUES: Record<Exclude<Shape["base"], "null">, (wanted: Drawn) => unknown> = {
  any: textOf,
  string: textOf,
  integer: ({ shape, random }) => numberIn(shape, Math.floor(random() * 1000) + 1),
  number: ({ shape, random }) => numberIn(shape, Math.round(random() * 100_000) / 100 + 1),
  boolean: ({ random }) => random() < 0.5,
  array: listOf,
  object: objectOf,
};

/** A date if the format asks for one, else the field's name with a number. */
function textOf({ shape, name, random }: Drawn): string {
  const number = Math.floor(random() * 9000) + 1000;
  const day = String((number % 28) + 1).padStart(2, "0");
  if (shape.schema["format"] === "date") return `2024-05-${day}`;
  if (shape.schema["format"] === "date-time") return `2024-05-${day}T10:00:00Z`;
  return `${name.replaceAll("_", " ")} ${number}`;
}

function numberIn({ schema }: Shape, drawn: number): number {
  const { minimum, maximum } = schema;
  const least = typeof minimum === "number" ? minimum : -Infinity;
  const most = typeof maximum === "number" ? maximum : Infinity;
  return Math.min(Math.max(drawn, least), most);
}

function listOf({ shape, name, random, depth }: Drawn): unknown[] {
  if (depth >= DEEPEST) return [];
  const type = itemsOf(shape);
  return Array.from({ length: ITEMS }, () => valueOf({ type, name, random, depth: depth + 1 }));
}

/** An object without declared fields gets one if others are allowed. */
function objectOf({ shape, name, random, depth }: Drawn): Record<string, unknown> {
  if (depth >= DEEPEST) return {};
  const declared = [...(fieldsOf(shape) ?? [])];
  const other = otherFieldsOf(shape);
  const fields = declared.length > 0 || !other ? declared : [[name, other] as const];
  return Object.fromEntries(
    fields.map(([field, type]) => [
      field,
      valueOf({ type, name: field, random, depth: depth + 1 }),
    ]),
  );
}
