import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { OfferedTool } from "../kit/stageInputs.js";

/**
 * Providers take about 1,000 enum values in a schema, and get slow well before that. With more names than this,
 * names are only checked afterwards.
 */
const MOST_NAMES = 250;

/**
 * JSON Schema of a call of one of the tools, `{ tool_name, arguments: [{ argument_name, argument_value }] }`
 * ("AI Agent 007"), in the subset of JSON Schema that OpenAI enforces: every field required, no others allowed.
 * The root needs {@link VALUE_DEFINITIONS} as `$defs`.
 */
export function callSchema(tools: readonly OfferedTool[]): JsonSchema {
  return strictObject({
    tool_name: nameSchema(tools.map(({ name }) => name)),
    arguments: {
      type: "array",
      items: strictObject({
        argument_name: nameSchema(
          tools.flatMap(({ parameters }) => Object.keys(parameters["properties"] ?? {})),
        ),
        argument_value: VALUE,
      }),
    },
  });
}

export function strictObject(properties: Record<string, JsonSchema>): JsonSchema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** One of these names; any text if there are none, or too many to list. */
export function nameSchema(names: readonly string[]): JsonSchema {
  const distinct = [...new Set(names)];
  const isListed = distinct.length > 0 && distinct.length <= MOST_NAMES;
  return { type: "string", ...(isListed ? { enum: distinct } : {}) };
}

const VALUE: JsonSchema = { $ref: "#/$defs/value" };

/** Values of arguments. Objects are lists of fields, because objects with open fields cannot be enforced. */
export const VALUE_DEFINITIONS: JsonSchema = {
  value: {
    anyOf: [
      { type: "string" },
      { type: "number" },
      { type: "boolean" },
      { type: "null" },
      { type: "array", items: VALUE },
      strictObject({
        object_fields: {
          type: "array",
          items: strictObject({ field_name: { type: "string" }, field_value: VALUE }),
        },
      }),
    ],
  },
};
