import { oneLine } from "../../../common/errors.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { ToolDefinition } from "../../tool.js";
import { listed } from "../../../common/text.js";
import type { Finding } from "./finding.js";

/** Finds descriptions and texts of parameters that are missing. */
export function textFindings(tools: readonly ToolDefinition[]): Finding[] {
  return tools.flatMap((tool) => [...descriptionFinding(tool), ...parameterFindings(tool)]);
}

function descriptionFinding({ id, description }: ToolDefinition): Finding[] {
  if (oneLine(description) !== "") return [];
  const problem = "has no description, so that only its name can be searched for";
  const change = "Write one sentence: what it does, to what, and what it gives back";
  return [{ check: "descriptions", severity: "error", tools: [id], problem, change }];
}

function parameterFindings({ id, parameters }: ToolDefinition): Finding[] {
  const all = parametersOf(parameters);
  const silent = all.filter((parameter) => textOf(parameter) === "" && !tellsItself(parameter));
  const needed = silent.filter(({ required }) => required);
  if (silent.length === 0) return [];
  const paths = silent.map(({ path }) => path);
  return [
    {
      check: "parameters",
      severity: needed.length > 0 ? "warning" : "note",
      tools: [id],
      problem: `${silent.length} of ${all.length} parameters have no text: ${listed(paths, 5)}`,
      change: "Say of each what it stands for, in which unit or form, with an example value",
    },
  ];
}

function textOf({ schema: { description } }: ToolParameter): string {
  return typeof description === "string" ? oneLine(description) : "";
}

/** Booleans and choices among listed values are clear from the name. */
function tellsItself({ schema }: ToolParameter): boolean {
  return schema.type === "boolean" || Array.isArray(schema.enum) || "const" in schema;
}

interface ToolText {
  /** "description", "parameter city", "result". */
  place: string;
  text: string;
}

/** A parameter of a tool, or a part of one: `address.street`, `items[].id`. */
interface ToolParameter {
  path: string;
  name: string;
  schema: JsonSchema;
  required: boolean;
}

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
