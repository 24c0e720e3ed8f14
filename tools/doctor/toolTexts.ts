import { isSchema } from "../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { ToolDefinition } from "../tool.js";

/** A text of a tool's definition that a model reads. */
interface ToolText {
  /** "description", "parameter city", "result". */
  place: string;
  text: string;
}

/** A parameter of a tool, or a part of one: `address.street`, `items[].id`. */
export interface ToolParameter {
  path: string;
  name: string;
  schema: JsonSchema;
  required: boolean;
}

/** Levels of schemas that are read. */
const DEEPEST = 12;

/** All texts of a tool that a model may read, with their places. */
export function toolTexts(tool: ToolDefinition): ToolText[] {
  const { description, providerDescription = "", parameters, returns } = tool;
  const said = parametersOf(parameters).flatMap(({ path, schema }) =>
    schemaTexts(`parameter ${path}`, schema),
  );
  const results = parametersOf(returns ?? {}).flatMap(({ path, schema }) =>
    schemaTexts(`result ${path}`, schema),
  );
  return [
    { place: "description", text: description },
    { place: "description of the provider", text: providerDescription },
    ...schemaTexts("parameters", parameters),
    ...said,
    ...schemaTexts("result", returns ?? {}),
    ...results,
    ...(tool.examples ?? []).map((text) => ({ place: "example", text })),
  ].filter(({ text }) => text !== "");
}

/** The parameters of a schema at any depth, including those of list items and alternatives. */
export function parametersOf(schema: JsonSchema, prefix = "", depth = 0): ToolParameter[] {
  if (depth > DEEPEST) return [];
  const { properties, items, required } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const own = Object.entries(isSchema(properties) ? properties : {}).flatMap(([name, each]) => {
    if (!isSchema(each)) return [];
    const path = `${prefix}${name}`;
    const parameter = { path, name, schema: each, required: needed.includes(name) };
    return [parameter, ...parametersOf(each, `${path}.`, depth + 1)];
  });
  const listed = isSchema(items)
    ? parametersOf(items, `${prefix.replace(/\.$/, "")}[].`, depth + 1)
    : [];
  const choices = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => {
    const of = schema[keyword];
    return Array.isArray(of) ? of.filter(isSchema) : [];
  });
  return [...own, ...listed, ...choices.flatMap((each) => parametersOf(each, prefix, depth + 1))];
}

function schemaTexts(place: string, { title, description, enum: values }: JsonSchema): ToolText[] {
  const listed: readonly unknown[] = Array.isArray(values) ? values : [];
  return [title, description, ...listed]
    .filter((text) => typeof text === "string")
    .map((text) => ({ place, text }));
}
