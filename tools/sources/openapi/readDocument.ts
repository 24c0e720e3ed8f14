import { readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ParserOptions } from "@readme/openapi-parser";
import { InvalidSetting, oneLine, TulipgraphError } from "../../../common/errors.js";
import { isSchema, referredSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { fetchDocument, LONGEST_DOCUMENT, type Refuse, tooLong } from "./fetchDocument.js";

/** A document whose references point only into itself. */
export interface ApiDocument {
  document: JsonSchema;
  /** Where it comes from: the base of relative server addresses; absent for a file. */
  url?: URL;
}

/** Values that a document may have, references not followed. */
const MOST_VALUES = 5_000_000;

/** With more values than this, references followed, the rules of OpenAPI are not checked: it would take too long. */
const MOST_CHECKED = 20_000_000;

/** Rules whose violation does no harm here. */
const LENIENT = {
  "array-without-items": "warning",
  "duplicate-non-request-body-parameters": "warning",
  "duplicate-operation-id": "warning",
  "non-optional-path-parameters": "warning",
  "path-parameters-not-in-parameters": "warning",
  "path-parameters-not-in-path": "warning",
} as const;

const NONE = "it is not an OpenAPI document";
const VERSIONS = "Versions 3.0 and 3.1 can be imported";
const CONVERTED = `${VERSIONS}; convert it with: npx swagger2openapi OLD.json --outfile NEW.json`;

/** Whether the place of a document is on the web. */
export function isAddress(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/**
 * Reads a document of OpenAPI 3.1 or 3.0, in JSON or YAML. Its references may only point into itself.
 *
 * @throws InvalidSetting in one line if it cannot be read, is not such a document, or breaks the rules of OpenAPI
 */
export async function readDocument(place: string): Promise<ApiDocument> {
  const refuse = refusal(place);
  const root = isAddress(place) ? await fetchDocument(place) : undefined;
  const file = root ? undefined : wholeFile(place, refuse);
  const path = root ? root.url.href : resolve(place);
  const files = textReader(path, root?.text ?? file ?? "", refuse);
  const { parse, bundle, validate } = await import("@readme/openapi-parser");
  let refused: unknown;
  const settings = optionsOf((url) => {
    try {
      return files(url);
    } catch (error) {
      // The parser does not pass this error on.
      refused = error;
      throw error;
    }
  });
  try {
    requireDocument(await parse(path, settings), refuse);
    const document = (await bundle(path, settings)) as unknown as JsonSchema;
    requireBounded(document, refuse);
    if (valuesIn(document, { following: document }) <= MOST_CHECKED) {
      const copy = structuredClone(document);
      const checked = await validate(copy as unknown as Parsed, {
        resolve: { external: false },
        validate: { rules: { openapi: LENIENT } },
      });
      if (!checked.valid) throw refuse(firstOf(checked.errors));
    }
    return { document, ...(root ? { url: root.url } : {}) };
  } catch (error) {
    if (error instanceof TulipgraphError) throw error;
    if (refused instanceof TulipgraphError) throw refused;
    const message = String(error instanceof Error ? error.message : error);
    // The parser says this of anything that is not JSON or YAML with fields.
    if (message.endsWith("is not a valid JSON Schema")) throw refuse(NONE, VERSIONS);
    throw refuse(firstOf([{ message }]));
  }
}

type Parsed = Exclude<Parameters<typeof import("@readme/openapi-parser").validate>[0], string>;

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

/** Gives the parser the text of a document, and nothing that it refers to. */
function textReader(path: string, text: string, refuse: Refuse) {
  return (url: string): string => {
    if (url === path || pathOf(url) === path) return text;
    throw refuse(
      `it refers to ${isAddress(url) ? url : basename(url)}, and a document may refer only into itself`,
      "Put all parts into one file",
    );
  };
}

function pathOf(url: string): string {
  if (url.startsWith("file:")) return fileURLToPath(url);
  return isAddress(url) ? url : resolve(decodeURIComponent(url));
}

/** Replaces the parser's reader of files by ours, which its types do not provide for. */
function optionsOf(read: (url: string) => string): ParserOptions {
  const file = { order: 1, canRead: true, read: ({ url }: { url: string }) => read(url) };
  const http = { canRead: false };
  return { resolve: { external: true, file, http } } as unknown as ParserOptions;
}

function requireDocument(parsed: unknown, refuse: Refuse): void {
  requireBounded(parsed, refuse);
  const { openapi, swagger, asyncapi } = isSchema(parsed) ? parsed : {};
  const given = openapi ?? swagger;
  const version = typeof given === "string" || typeof given === "number" ? `${given}` : "";
  if (/^3\.[01](?:\.|$)/.test(version)) return;
  if (asyncapi !== undefined) throw refuse("it is an AsyncAPI document, which describes messages");
  throw refuse(
    version === "" ? NONE : `it is of version ${version}`,
    swagger ? CONVERTED : VERSIONS,
  );
}

function requireBounded(parsed: unknown, refuse: Refuse): void {
  if (valuesIn(parsed) > MOST_VALUES) {
    throw refuse(`it has more than ${MOST_VALUES.toLocaleString("en")} values`);
  }
}

/**
 * Counts the values of a document, each as often as it occurs: YAML can repeat one by name many times. A value that
 * contains itself counts as infinite, unless it does so by reference.
 */
function valuesIn(
  value: unknown,
  { following, known = new Map() }: { following?: JsonSchema; known?: Map<unknown, number> } = {},
): number {
  if (typeof value !== "object" || value === null) return 1;
  const counted = known.get(value);
  if (counted !== undefined) return counted;
  // While a value is being counted, this stands for references back to it.
  known.set(value, following ? 1 : Infinity);
  const ref = following && !Array.isArray(value) ? (value as JsonSchema)["$ref"] : undefined;
  const inner =
    following && typeof ref === "string"
      ? [referredSchema({ root: following, ref })]
      : Object.values(value);
  const count = inner.reduce<number>((sum, each) => sum + valuesIn(each, { following, known }), 1);
  known.set(value, count);
  return count;
}

/** The first error in one line, with the marked line of the excerpt that comes with it. */
function firstOf(errors: readonly { message: string }[]): string {
  const [what = "", excerpt = ""] = (errors[0]?.message ?? "it is invalid").split("\n\n");
  const [, marked] = /^> *\d+ \|(.*)$/m.exec(excerpt) ?? [];
  const place = marked === undefined ? "" : `, at ${oneLine(marked).slice(0, 100)}`;
  return `it is not a valid OpenAPI document: ${oneLine(what).slice(0, 300)}${place}`;
}
