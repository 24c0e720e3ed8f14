import { isSchema, referredSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { ToolRecord } from "../../tool.js";

/**
 * The arguments of a call as its function takes them: in the order of the signature, with `undefined` for missing ones,
 * or as one object. Texts with the format `date-time` become `Date` at any depth. LangChain's tools read their
 * arguments themselves.
 */
export function callArguments({
  record: { source, parameters },
  args,
}: {
  record: Pick<ToolRecord, "source" | "parameters">;
  args: Record<string, unknown>;
}): unknown[] {
  if (source.kind !== "function" && source.kind !== "generated") return [args];
  const typed = withDates({ value: args, schema: parameters, root: parameters }) as typeof args;
  if (source.kind === "function" && source.callStyle === "object") return [typed];
  const given = source.parameterNames.map((name) => typed[name]);
  return source.rest ? [...given.slice(0, -1), ...((given.at(-1) ?? []) as unknown[])] : given;
}

interface Typed {
  value: unknown;
  schema: JsonSchema;
  /** The whole schema, where `$ref` looks. */
  root: JsonSchema;
}

function withDates({ value, schema: written, root }: Typed): unknown {
  const schema = branchFor({ value, schema: written, root });
  const inside = (inner: unknown, innerSchema: unknown) =>
    isSchema(innerSchema) ? withDates({ value: inner, schema: innerSchema, root }) : inner;
  if (typeof value === "string") return schema.format === "date-time" ? new Date(value) : value;
  if (Array.isArray(value)) {
    const first = Array.isArray(schema.prefixItems) ? (schema.prefixItems as unknown[]) : [];
    return value.map((item, index) => inside(item, first[index] ?? schema.items));
  }
  if (typeof value !== "object" || value === null) return value;
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    inside(inner, properties[name] ?? schema.additionalProperties),
  ]);
  return Object.fromEntries(entries);
}

/** Follows `$ref` and takes the first union member that fits the value. */
function branchFor({ value, schema, root }: Typed): JsonSchema {
  if (typeof schema.$ref === "string") {
    return branchFor({ value, schema: referredSchema({ root, ref: schema.$ref }), root });
  }
  const branches = [schema.anyOf, schema.oneOf].filter(Array.isArray).flat().filter(isSchema);
  const fitting = branches
    .map((branch) => branchFor({ value, schema: branch, root }))
    .find((branch) => fits({ value, schema: branch, root }));
  return fitting ?? schema;
}

/** Whether a valid value of a union can belong to this member. */
function fits({ value, schema, root }: Typed): boolean {
  if ("const" in schema) return schema.const === value;
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  if (schema.type === undefined) return true;
  const types = [schema.type].flat();
  if (!types.includes(jsonType(value)) && !(types.includes("integer") && Number.isInteger(value))) {
    return false;
  }
  if (typeof value === "string" && schema.format === "date-time") return isDateTime(value);
  if (jsonType(value) !== "object") return true;
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const object = value as Record<string, unknown>;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return (
    required.every((name) => String(name) in object) &&
    Object.entries(object).every(([name, inner]) => {
      const property = properties[name];
      if (!isSchema(property)) return schema.additionalProperties !== false;
      return fits({
        value: inner,
        schema: branchFor({ value: inner, schema: property, root }),
        root,
      });
    })
  );
}

function isDateTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T/i.test(text) && !Number.isNaN(Date.parse(text));
}

function jsonType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
