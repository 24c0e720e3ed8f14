import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema } from "../tool.js";
import { thrownText } from "./thrownText.js";

/** Enough for all tools of a run; the oldest entry makes place for a new one. */
const CHECKS_KEPT = 500;

/** By key; a text says why a schema cannot be compiled. */
const checks = new Map<string, ValidateFunction | string>();

/**
 * What checks values against a schema (draft 2020-12, or draft-07 where `$schema` says so), and fills in
 * the schema's defaults; or, in words, why the schema cannot be used.
 *
 * @param options.key changes with the schema, such as a hash
 */
export function schemaCheck({
  key,
  schema,
}: {
  key: string;
  schema: JsonSchema;
}): ValidateFunction | string {
  const known = checks.get(key);
  if (known !== undefined) return known;
  const check = compile(schema);
  const oldest = checks.size >= CHECKS_KEPT ? checks.keys().next().value : undefined;
  if (oldest !== undefined) checks.delete(oldest);
  checks.set(key, check);
  return check;
}

function compile({ $schema, ...schema }: JsonSchema): ValidateFunction | string {
  const Dialect = String($schema).includes("draft-07") ? Ajv : Ajv2020;
  // An instance for each schema: two tools may use one $id, and what a shared one compiles, it keeps.
  const ajv = new Dialect({ ...OPTIONS, validateSchema: false });
  addFormats.default(ajv);
  try {
    // Not asynchronous, as the type allows for: the schemas of schemas are not.
    void schemaOfSchemas(Dialect).validateSchema(schema, true);
    return ajv.compile(schema);
  } catch (error) {
    return thrownText(error);
  }
}

const OPTIONS = {
  strict: false,
  allErrors: true,
  verbose: true,
  useDefaults: true,
  unicodeRegExp: false,
  logger: false,
} as const;

type Dialect = typeof Ajv | typeof Ajv2020;

const metaSchemas = new Map<Dialect, Ajv>();

/** What checks schemas themselves; compiling that takes longer than most schemas do. */
function schemaOfSchemas(Dialect: Dialect): Ajv {
  const known = metaSchemas.get(Dialect) ?? new Dialect(OPTIONS);
  metaSchemas.set(Dialect, known);
  return known;
}
