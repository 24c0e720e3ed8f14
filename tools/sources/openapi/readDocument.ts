import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { InvalidSetting, messageOf, oneLine, TulipgraphError } from "../../../common/errors.js";
import { connectionHint, reasonOf } from "../../../common/connections.js";
import { COMMENTS_BEFORE, parseJson } from "../../../common/jsonInText.js";
import { fileText } from "../../../common/dataFile.js";
import { placeFinder } from "../../../common/schemas/namedParts.js";
import { isSchema, targetOf } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { packageVersion } from "../../../storage/packageRoot.js";
import { boundedBytes, followed, NotFollowed, TooMuch } from "./answer.js";
import { lostReferences } from "./operations.js";
import { withOtherFiles } from "./otherFiles.js";

/** A document with the other files that it refers to. */
export interface ApiDocument {
  document: JsonSchema;
  /** Where it comes from: the base of relative server addresses; absent for a file. */
  url?: URL;
}

/** Values that a document may have, references not followed. */
const MOST_VALUES = 5_000_000;

const NONE = "it is not an OpenAPI document";
const VERSIONS = "Versions 2.0 and 3.0 to 3.2 can be imported";

/** Whether the place of a document is on the web. */
export function isAddress(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/**
 * Reads a document of OpenAPI 3 or Swagger 2.0, in JSON or YAML. The rules of OpenAPI are not checked: each operation is read for itself,
 * and what is wrong elsewhere does no harm.
 *
 * @throws InvalidSetting in one line if it cannot be read, or is not such a document
 */
export async function readDocument(place: string): Promise<ApiDocument> {
  const refuse = refusal(place);
  const at = isAddress(place) ? new URL(place) : pathToFileURL(resolve(place));
  const { content, url } = await contentAt(at, refuse);
  requireDocument(content, refuse);
  const isFile = url.protocol === "file:";
  const parsed = await withOtherFiles(content, url, async (file) => {
    const isNear = isFile
      ? file.href.startsWith(new URL(".", url).href)
      : file.origin === url.origin;
    const other = isNear ? await contentAt(file, refuse).catch(() => undefined) : undefined;
    return valuesIn(other?.content) > MOST_VALUES ? undefined : other?.content;
  });
  return {
    document: withSubtypes(withOwnReferences(parsed, place)),
    ...(isFile ? {} : { url }),
  };
}

async function contentAt(at: URL, refuse: Refuse): Promise<{ content: unknown; url: URL }> {
  const isFile = at.protocol === "file:";
  const { text, url } = isFile
    ? { text: wholeFile(fileURLToPath(at), refuse), url: at }
    : await fetchDocument(at.href);
  return { content: await parsedText(text.replace(/^\uFEFF/, ""), refuse), url };
}

async function parsedText(written: string, refuse: Refuse): Promise<unknown> {
  const text = written.replace(COMMENTS_BEFORE, "");
  // What is not JSON may still be YAML, which allows other commas.
  const json = /^\s*\{/.test(text) ? parseJson(text) : undefined;
  if (json !== undefined) return json;
  const { parseYaml } = await import("../yaml.js");
  try {
    return parseYaml(text);
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
    return fileText(place);
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
  if (/^[23](?:\.|$)/.test(version)) return;
  if (asyncapi !== undefined) throw refuse("it is an AsyncAPI document, which describes messages");
  throw refuse(version === "" ? NONE : `it is of version ${version}`, VERSIONS);
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

/** Bytes of a document: four times the largest public one known. */
const LONGEST_DOCUMENT = 50_000_000;

/** The refusal of a longer document. */
function tooLong(refuse: Refuse): InvalidSetting {
  return refuse(
    `it has more than ${LONGEST_DOCUMENT / 1e6} MB`,
    `Cut it to the paths you need and import that file: jq '.paths |= with_entries(select(.key | startswith("/orders")))' BIG.json > SMALL.json`,
  );
}

/** Time limit for downloading a document, in milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * The text of a document on the web. A redirect to another host is not followed: whoever imports a document trusts the
 * host in its address.
 *
 * @throws InvalidSetting when it cannot be downloaded
 */
async function fetchDocument(address: string): Promise<{ text: string; url: URL }> {
  const refuse = refusal(address);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const headers = {
    accept: "application/json, application/yaml, text/yaml, */*;q=0.5",
    "user-agent": `tulipgraph/${packageVersion()}`,
  };
  const { response, url } = await followed(new URL(address), { headers, signal }).catch(
    (error: unknown) => {
      if (error instanceof NotFollowed)
        throw refuse(error.message, "If it has moved there, import it from there");
      if (signal.aborted) throw refuse(`it was not downloaded within ${PATIENCE_MS / 1000} s`);
      throw refuse(
        `it cannot be reached (${reasonOf(error)})`,
        connectionHint(error) ?? "Check the address",
      );
    },
  );
  return { text: await documentText(response, refuse), url };
}

type Refuse = (problem: string, hint?: string) => InvalidSetting;

async function documentText(response: Response, refuse: Refuse): Promise<string> {
  if (!response.ok) {
    await response.body?.cancel();
    throw refuse(`the server answered ${response.status} ${response.statusText}`.trim());
  }
  let text: string;
  try {
    text = new TextDecoder().decode(await boundedBytes(response, LONGEST_DOCUMENT));
  } catch (error) {
    if (error instanceof TooMuch) throw tooLong(refuse);
    throw refuse(`it broke off (${reasonOf(error)})`);
  }
  if (/^\s*(?:<!doctype html|<html)/i.test(text)) {
    throw refuse(
      "the server answered with a page of HTML",
      "Name the document itself, which is JSON or YAML; pages about an API often link to it",
    );
  }
  return text;
}

/**
 * The document with references of other versions (`#/definitions/Pet`), by a name (`Pet`, `#pet`) or by its own file name as
 * references to the part that is meant. What another file has under the same name may be something else.
 */
function withOwnReferences(document: JsonSchema, place: string): JsonSchema {
  const placeOf = placeFinder(document);
  const placeIn = (ref: string) => {
    const [file = "", inside] = ref.split("#");
    const isOwn = file !== "" && basename(file) === basename(place);
    const local = isOwn && inside !== undefined ? `#${inside}` : ref;
    const moved = local
      .replace(/^#\/(?:definitions|\$defs)\//, SCHEMAS)
      .replace(/^#\/(?=parameters\/|responses\/|requestBodies\/)/, "#/components/");
    const isKnown = moved.startsWith("#") && targetOf({ root: document, ref: moved }) !== undefined;
    if (isKnown) return moved;
    return /^(?:#.*|\w+|\w+:\/\/[^#]*)$/.test(ref) ? placeOf(ref) : undefined;
  };
  const places = new Map(lostReferences(document).map((ref) => [ref, placeIn(ref)]));
  if ([...places.values()].every((found) => found === undefined)) return document;
  const text = JSON.stringify(document, (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? (places.get(value) ?? value) : value,
  );
  return JSON.parse(text) as JsonSchema;
}

const SCHEMAS = "#/components/schemas/";

/**
 * The document with the subtypes of a schema as its alternatives. With a discriminator, those that contain a schema by
 * `allOf` may stand wherever it stands, and documents say so only there.
 */
function withSubtypes(document: JsonSchema): JsonSchema {
  const { components, definitions } = document;
  // Those of version 2.0.
  if (isSchema(definitions))
    return { ...document, definitions: withAlternatives(definitions, "#/definitions/") };
  if (!isSchema(components) || !isSchema(components["schemas"])) return document;
  const schemas = withAlternatives(components["schemas"], SCHEMAS);
  return { ...document, components: { ...components, schemas } };
}

/** @param place where these schemas are */
function withAlternatives(schemas: JsonSchema, place: string): JsonSchema {
  const added: JsonSchema = {};
  for (const [name, base] of Object.entries(schemas)) {
    if (!isSchema(base) || !base["discriminator"]) continue;
    if (Array.isArray(base["oneOf"]) || Array.isArray(base["anyOf"])) continue;
    const ref = `${place}${name}`;
    const subtypes = Object.keys(schemas).filter((each) => extended(schemas[each]).includes(ref));
    if (subtypes.length === 0) continue;
    // The subtypes contain the schema itself, without its alternatives.
    const own = `${name} itself`;
    added[own] = base;
    for (const subtype of subtypes) {
      const written = (added[subtype] ?? schemas[subtype]) as JsonSchema;
      const allOf = (written["allOf"] as unknown[]).map((part) =>
        isSchema(part) && part["$ref"] === ref ? { ...part, $ref: `${place}${own}` } : part,
      );
      added[subtype] = { ...written, allOf };
    }
    const anyOf = [...subtypes, own].map((each) => ({ $ref: `${place}${each}` }));
    added[name] = { ...((added[name] ?? base) as JsonSchema), anyOf };
  }
  return { ...schemas, ...added };
}

function extended(schema: unknown): unknown[] {
  const parts = isSchema(schema) && Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  return parts.filter(isSchema).map(({ $ref }) => $ref);
}
