import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { thrownText } from "./thrownText.js";

/** Enough for all tools of a run; a new entry replaces the oldest. */
const CHECKS_KEPT = 500;

/** By key; a text is the reason a schema cannot be compiled. */
const checks = new Map<string, ValidateFunction | string>();

/**
 * A validator for a schema (draft 2020-12, or draft-07 if `$schema` says so) that also fills in defaults; or,
 * in words, why the schema is unusable.
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
  // One instance per schema: two tools may use the same $id, and a shared instance would keep everything it
  // compiled.
  const ajv = new Dialect({ ...OPTIONS, validateSchema: false });
  addFormats.default(ajv);
  try {
    // Never asynchronous, although the type allows it.
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

/** Checks schemas themselves. Kept, because compiling it takes longer than compiling most schemas. */
function schemaOfSchemas(Dialect: Dialect): Ajv {
  const known = metaSchemas.get(Dialect) ?? new Dialect(OPTIONS);
  metaSchemas.set(Dialect, known);
  return known;
}
