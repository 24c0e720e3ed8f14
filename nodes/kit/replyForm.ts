import { z } from "zod";
import { jsonObject } from "../../models/chat/reply.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";

/** What was read from a reply, or what to tell the model if nothing was usable. */
export type Reading<Value> = { value: Value } | { problem: string };

/** The form of a reply, defined once: how it is described to the model and how it is read. */
export interface ReplyForm<Value> {
  /** For providers that can enforce it. */
  schema: JsonSchema;
  /** For the prompt: the form as an instruction. */
  instruction: string;
  read: (text: string) => Reading<Value>;
}

/**
 * The form of a reply that is a JSON object.
 *
 * @param shape a Zod object; its field descriptions go into the schema
 * @param options.mended reads a reply that has the wrong form but still answers
 * @returns the form, for a question or for reading replies yourself
 *
 * @example
 * const reply = replyForm(z.object({ task: z.string().trim().min(1) }));
 * reply.instruction; // Reply with a JSON object: {"task": "..."}.
 */
export function replyForm<Value>(
  shape: z.ZodType<Value>,
  { mended }: { mended?: (text: string) => unknown } = {},
): ReplyForm<Value> {
  const schema = strictSchema(z.toJSONSchema(shape, { io: "input" }));
  const skeleton = skeletonOf(schema);
  return {
    schema,
    instruction: `Reply with a JSON object: ${skeleton}.`,
    read: (text) => {
      const { data, success } = shape.safeParse(jsonObject(text));
      if (success) return { value: data };
      const second = mended ? shape.safeParse(mended(text)) : undefined;
      if (second?.success) return { value: second.data };
      return {
        problem: `Your last reply was not a JSON object of the form ${skeleton}. Reply with that alone.`,
      };
    },
  };
}

/** Keywords that providers support in structured replies; bounds are checked on the reply itself. */
const STRICT = ["type", "description", "properties", "required", "items", "enum", "const", "anyOf"];

function strictSchema(schema: z.core.JSONSchema._JSONSchema): JsonSchema {
  if (typeof schema === "boolean") return {};
  const kept = Object.entries(schema).filter(([key]) => STRICT.includes(key));
  const strict: JsonSchema = Object.fromEntries(kept);
  const { properties, items, anyOf } = schema;
  if (properties) {
    strict["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, strictSchema(property)]),
    );
    strict["additionalProperties"] = false;
  }
  if (items && !Array.isArray(items)) strict["items"] = strictSchema(items);
  if (anyOf) strict["anyOf"] = anyOf.map(strictSchema);
  return strict;
}

/** A schema as the shortest text showing its form: {"subtasks": ["...", "..."]}. */
function skeletonOf(schema: JsonSchema): string {
  const {
    properties = {},
    items,
    anyOf,
  } = schema as {
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    anyOf?: JsonSchema[];
  };
  const choices = schema["enum"];
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(" or ");
  if (anyOf) return anyOf.map(skeletonOf).join(" or ");
  if (schema["type"] === "object") {
    const fields = Object.entries(properties);
    return `{${fields.map(([name, field]) => `"${name}": ${skeletonOf(field)}`).join(", ")}}`;
  }
  if (schema["type"] === "array" && items)
    return items["type"] === "string" ? '["...", "..."]' : `[${skeletonOf(items)}, ...]`;
  return (
    { string: '"..."', boolean: "true or false", number: "0", integer: "0" }[
      String(schema["type"])
    ] ?? "..."
  );
}
