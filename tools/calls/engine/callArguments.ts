import { isSchema, referredSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { ToolRecord } from "../../tool.js";
import { schemaCheck } from "./schemaCheck.js";

/**
 * The arguments of a call as its function takes them: in the order of the signature, with `undefined` for missing ones,
 * or as one object. For a user's function, texts with the format `date-time` become `Date` at any depth. LangChain's tools
 * read their arguments themselves.
 */
export function callArguments({
  record: { source, parameters },
  args,
}: {
  record: Pick<ToolRecord, "source" | "parameters">;
  args: Record<string, unknown>;
}): unknown[] {
  if (source.kind !== "function" && source.kind !== "generated") return [args];
  const typed = withTexts(args, parameters, (text, { format }) =>
    format === "date-time" ? new Date(text) : text,
  ) as typeof args;
  if (source.kind === "function" && source.callStyle === "object") return [typed];
  const given = source.parameterNames.map((name) => typed[name]);
  return source.rest ? [...given.slice(0, -1), ...((given.at(-1) ?? []) as unknown[])] : given;
}

/** A value with another one for each text in it, which may depend on the schema at its place. */
export function withTexts(
  value: unknown,
  written: JsonSchema,
  replaced: (text: string, schema: JsonSchema) => unknown,
  root = written,
): unknown {
  const schema = branchFor(value, written, root);
  const inside = (inner: unknown, innerSchema: unknown) =>
    withTexts(inner, isSchema(innerSchema) ? innerSchema : {}, replaced, root);
  if (typeof value === "string") return replaced(value, schema);
  if (Array.isArray(value)) {
    const first = Array.isArray(schema.prefixItems) ? (schema.prefixItems as unknown[]) : [];
    return value.map((item, index) => inside(item, first[index] ?? schema.items));
  }
  if (typeof value !== "object" || value === null || value instanceof File) return value;
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    inside(inner, properties[name] ?? schema.additionalProperties),
  ]);
  return Object.fromEntries(entries);
}

/** Follows `$ref` and takes the first union member that the value is valid for. */
function branchFor(value: unknown, schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (typeof schema.$ref === "string")
    return branchFor(value, referredSchema({ root, ref: schema.$ref }), root);
  const branches = [schema.anyOf, schema.oneOf].filter(Array.isArray).flat().filter(isSchema);
  const fitting = branches.find((branch) => {
    const whole = { ...branch, $defs: root.$defs ?? {} };
    const check = schemaCheck(JSON.stringify(whole), whole);
    return typeof check !== "string" && check(structuredClone(value));
  });
  return fitting ? branchFor(value, fitting, root) : schema;
}
