import { oneLine } from "../../../common/errors.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import { termsOf } from "../words/words.js";
import type { ToolDefinition } from "../../tool.js";
import { listed } from "../../../common/text.js";
import type { Finding } from "./finding.js";

/** Finds descriptions and texts of parameters that are missing or say nothing beyond the name. */
export function textFindings(tools: readonly ToolDefinition[]): Finding[] {
  return tools.flatMap((tool) => [...descriptionFinding(tool), ...parameterFindings(tool)]);
}

function descriptionFinding({ id, name, description }: ToolDefinition): Finding[] {
  const said = oneLine(description);
  const finding = { check: "descriptions", tools: [id] } as const;
  if (said === "") {
    const problem = "has no description, so that only its name can be searched for";
    const change = "Write one sentence: what it does, to what, and what it gives back";
    return [{ ...finding, severity: "error", problem, change }];
  }
  const change = "Say what it does, to what, and how it differs from similar tools";
  if (saysMore(said, name)) return [];
  const problem = `its description "${said}" says no more than its name`;
  return [{ ...finding, severity: "note", problem, change }];
}

function parameterFindings({ id, parameters }: ToolDefinition): Finding[] {
  const all = parametersOf(parameters);
  const silent = all.filter((parameter) => textOf(parameter) === "" && !tellsItself(parameter));
  const needed = silent.filter(({ required }) => required);
  const empty = all.filter((parameter) => {
    const text = textOf(parameter);
    return text !== "" && !saysMore(text, parameter.name);
  });
  const finding = { check: "parameters", tools: [id] } as const;
  const findings: Finding[] = [];
  if (silent.length > 0) {
    findings.push({
      ...finding,
      severity: needed.length > 0 ? "warning" : "note",
      problem: `${silent.length} of ${all.length} parameters have no text: ${pathsOf(silent)}`,
      change: "Say of each what it stands for, in which unit or form, with an example value",
    });
  }
  if (empty.length > 0) {
    findings.push({
      ...finding,
      severity: "note",
      problem: `${empty.length} of ${all.length} parameters have a text that only repeats the name: ${pathsOf(empty)}`,
      change: "Say what is not in the name: unit, form, an example value",
    });
  }
  return findings;
}

function textOf({ schema: { description } }: ToolParameter): string {
  return typeof description === "string" ? oneLine(description) : "";
}

/** Booleans and choices among listed values are clear from the name. */
function tellsItself({ schema }: ToolParameter): boolean {
  return schema.type === "boolean" || Array.isArray(schema.enum) || "const" in schema;
}

function saysMore(text: string, than: string): boolean {
  const known = new Set(termsOf(than));
  const words = termsOf(text);
  return words.some((word) => !known.has(word));
}

function pathsOf(parameters: readonly ToolParameter[]): string {
  const paths = parameters.map(({ path }) => path);
  return listed(paths, 5);
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
