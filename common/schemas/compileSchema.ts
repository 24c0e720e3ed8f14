import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isFileName } from "../fileNames.js";
import { boundedPatterns } from "./boundedPatterns.js";
import type { JsonSchema } from "./jsonSchema.js";

/**
 * Compiles a schema (draft 2020-12, or draft-07 if `$schema` says so) to a check that fills in defaults.
 *
 * @throws Error for one that is not a schema of its draft
 */
export function compileSchema({ $schema, ...schema }: JsonSchema): ValidateFunction {
  const Dialect = String($schema).includes("draft-07") ? Ajv : Ajv2020;
  // One instance per schema: two tools may use the same $id, and a shared instance would keep everything it compiled.
  const patterns = boundedPatterns();
  // The name of a file stands for its contents. Ajv tells patterns apart by their text.
  const matching = (source: string, flags: string) => {
    const pattern = patterns(source, flags);
    return {
      test: (text: string) => isFileName(text) || pattern.test(text),
      toString: () => `/${source}/${flags}`,
    };
  };
  const regExp = Object.assign(matching, { code: "boundedPatterns" });
  const ajv = new Dialect({ ...OPTIONS, validateSchema: false, code: { regExp } });
  addFormats.default(ajv);
  ajv.addFormat("byte", true);
  // Never asynchronous, although the type allows it.
  void schemaOfSchemas(Dialect).validateSchema(schema, true);
  return ajv.compile(schema);
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
