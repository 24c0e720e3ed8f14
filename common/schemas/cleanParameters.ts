import { oneLine } from "../errors.js";
import { parseJson } from "../jsonInText.js";
import { cleanSchema } from "./cleanSchema.js";
import type { JsonSchema } from "./jsonSchema.js";
import { isSchema } from "./referredSchema.js";
import { withRootProperties } from "./rootChoices.js";
import { schemaExcess } from "./size.js";

interface CleanParameters {
  parameters: JsonSchema & {
    type: "object";
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  losses: string[];
}

/**
 * Cleans the parameters of a tool from outside, which may also be a list of named schemas, or a map from names to
 * schemas. A tool without a schema takes no arguments; one whose schema says nothing about them takes any.
 *
 * @param written not larger than `schemaExcess` allows
 * @returns undefined if it is not a schema of an object
 */
export function cleanParameters(written: unknown): CleanParameters | undefined {
  const read = typeof written === "string" ? parseJson(written) : written;
  // PHP writes an empty list for an empty object.
  const isNone = written === "" || (Array.isArray(read) && read.length === 0);
  if (written === undefined || written === null || isNone)
    return { parameters: { type: "object", properties: {} }, losses: [] };
  const whole = Array.isArray(read) ? fromList(read) : read;
  if (!isSchema(whole)) return undefined;
  const { schema, losses } = cleanSchema(whole);
  const { type } = schema;
  if (type !== undefined && ![type].flat().includes("object")) return undefined;
  const merged = withRootProperties(schema);
  const declared = isSchema(merged["properties"]) ? merged["properties"] : {};
  const isFree =
    whole["properties"] === undefined &&
    Object.keys(declared).length === 0 &&
    schema["additionalProperties"] === undefined;
  const properties = withDemanded(declared, merged["required"]) as Record<string, JsonSchema>;
  const parameters = { ...merged, type: "object" as const, properties };
  return {
    parameters: isFree ? { ...parameters, additionalProperties: true } : parameters,
    losses,
  };
}

/**
 * Cleans the schema of a tool's result. A tool is never left out for it: one that is too large, or not a schema, counts as
 * not declared.
 */
export function cleanReturns(written: unknown): { returns?: JsonSchema; losses: string[] } {
  if (typeof written !== "string" && !isSchema(written)) return { losses: [] };
  const excess = schemaExcess(written);
  if (excess !== undefined) return { losses: [`the schema of its result (${excess})`] };
  const { schema: returns, losses } = cleanSchema(written);
  const told = losses.map((loss) => `of its result, ${loss}`);
  return Object.keys(returns).length === 0 ? { losses: told } : { returns, losses: told };
}

/**
 * The schemas of a tool from outside, cleaned, with what they lose in one line.
 *
 * @returns no `schemas` if the parameters are too large, which `excess` says, or are not a schema of an object
 */
export function cleanSchemas(title: string, written: { parameters?: unknown; returns?: unknown }) {
  const excess = schemaExcess(written.parameters);
  const taken = excess === undefined ? cleanParameters(written.parameters) : undefined;
  if (!taken) return { excess };
  const { parameters } = taken;
  const { returns, losses } = cleanReturns(written.returns);
  const schemas = { parameters, ...(returns && { returns }) };
  return { schemas, losses: lossesText(title, [...taken.losses, ...losses]) };
}

const LOSSES_TOLD = 5;

/** What a tool's schemas lose: `"book" is taken without n: the type "file"`; undefined for nothing. */
function lossesText(title: string, losses: readonly string[]): string | undefined {
  if (losses.length === 0) return undefined;
  const more = losses.length - LOSSES_TOLD;
  const told = [...losses.slice(0, LOSSES_TOLD), ...(more > 0 ? [`${more} more`] : [])];
  return oneLine(`${title} is taken without what cannot be used of its schema: ${told.join("; ")}`);
}

/** Parameters that are demanded and not described may be anything. */
function withDemanded(properties: JsonSchema, required: unknown): JsonSchema {
  const names = Array.isArray(required) ? (required as string[]) : [];
  const others = names.filter((name) => !Object.hasOwn(properties, name));
  if (others.length === 0) return properties;
  return { ...properties, ...Object.fromEntries(others.map((name) => [name, {}])) };
}

/** `[{ "name": "city", "type": "string", "required": true }]` */
function fromList(list: readonly unknown[]): JsonSchema | undefined {
  const named = list.filter(isSchema).filter(({ name }) => typeof name === "string");
  if (named.length === 0 || named.length < list.length) return undefined;
  const properties = named.map(({ name, ...given }) => {
    const { schema = given["schema_data"], is_required: one, isRequired = one, ...own } = given;
    const required = [isRequired, own["required"]].some((each) => String(each) === "true");
    return [name, { ...own, required, ...(isSchema(schema) && schema) }];
  });
  return { type: "object", properties: Object.fromEntries(properties) };
}
