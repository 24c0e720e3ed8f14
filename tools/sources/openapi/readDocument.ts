import { readFileSync, statSync } from "node:fs";
import { InvalidSetting, messageOf, oneLine, TulipgraphError } from "../../../common/errors.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { fetchDocument, LONGEST_DOCUMENT, type Refuse, tooLong } from "./fetchDocument.js";
import { withSubtypes } from "./subtypes.js";

/** A document; what its references into other files stand for is not known. */
export interface ApiDocument {
  document: JsonSchema;
  /** Where it comes from: the base of relative server addresses; absent for a file. */
  url?: URL;
}

/** Values that a document may have, references not followed. */
const MOST_VALUES = 5_000_000;

const NONE = "it is not an OpenAPI document";
const VERSIONS = "Versions 3.0 to 3.2 can be imported";
const CONVERTED = `${VERSIONS}; convert it with: npx swagger2openapi OLD.json --outfile NEW.json`;

/** Whether the place of a document is on the web. */
export function isAddress(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/**
 * Reads a document of OpenAPI 3, in JSON or YAML. The rules of OpenAPI are not checked: each operation is read for itself,
 * and what is wrong elsewhere does no harm.
 *
 * @throws InvalidSetting in one line if it cannot be read, or is not such a document
 */
export async function readDocument(place: string): Promise<ApiDocument> {
  const refuse = refusal(place);
  const root = isAddress(place) ? await fetchDocument(place) : undefined;
  const text = (root?.text ?? wholeFile(place, refuse)).replace(/^\uFEFF/, "");
  const parsed = await parsedText(text, refuse);
  requireDocument(parsed, refuse);
  return { document: withSubtypes(parsed), ...(root ? { url: root.url } : {}) };
}

const MERGE = "tag:yaml.org,2002:merge";

async function parsedText(text: string, refuse: Refuse): Promise<unknown> {
  try {
    if (/^\s*\{/.test(text)) return JSON.parse(text) as unknown;
  } catch {
    // It may still be YAML, which allows comments and other commas.
  }
  const { CORE_SCHEMA, load, Type } = await import("js-yaml");
  // Dates stay texts, and << merges as everywhere.
  const merge = new Type(MERGE, { kind: "scalar", resolve: (key) => key === "<<" });
  const schema = CORE_SCHEMA.extend({ implicit: [merge] });
  try {
    return load(text, { schema, json: true });
  } catch (error) {
    const [what = ""] = messageOf(error).split("\n\n");
    throw refuse(`it is neither JSON nor YAML: ${oneLine(what).slice(0, 300)}`);
  }
}

function refusal(place: string): Refuse {
  return (problem, hint) => new InvalidSetting({ setting: `document ${place}`, problem, hint });
}

function wholeFile(place: string, refuse: Refuse): string {
  try {
    const { size } = statSync(place);
    if (size > LONGEST_DOCUMENT) throw tooLong(refuse);
    return readFileSync(place, "utf8");
  } catch (error) {
    if (error instanceof TulipgraphError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const isMissing = code === "ENOENT";
    throw refuse(
      isMissing ? "there is no such file" : `it cannot be read (${code})`,
      isMissing ? "Name a file, or an address that starts with https://" : undefined,
    );
  }
}

function requireDocument(parsed: unknown, refuse: Refuse): asserts parsed is JsonSchema {
  if (valuesIn(parsed) > MOST_VALUES)
    throw refuse(`it has more than ${MOST_VALUES.toLocaleString("en")} values`);
  const { openapi, swagger, asyncapi } = isSchema(parsed) ? parsed : {};
  const given = openapi ?? swagger;
  const version = typeof given === "string" || typeof given === "number" ? `${given}` : "";
  if (/^3(?:\.|$)/.test(version)) return;
  if (asyncapi !== undefined) throw refuse("it is an AsyncAPI document, which describes messages");
  throw refuse(
    version === "" ? NONE : `it is of version ${version}`,
    swagger ? CONVERTED : VERSIONS,
  );
}

/**
 * Counts the values of a document, each as often as it occurs: YAML can repeat one by name many times. A value that
 * contains itself counts as infinite.
 */
function valuesIn(value: unknown, known = new Map<unknown, number>()): number {
  if (typeof value !== "object" || value === null) return 1;
  const counted = known.get(value);
  if (counted !== undefined) return counted;
  // While a value is being counted, this stands for itself inside it.
  known.set(value, Infinity);
  const count = Object.values(value).reduce<number>((sum, each) => sum + valuesIn(each, known), 1);
  known.set(value, count);
  return count;
}
