import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

/** Files that one document may consist of, besides its own. */
const MOST_FILES = 2_000;

/**
 * The document with the files that it refers to as parts of its own, and references into them as references into these
 * parts. What cannot be read stays a reference that leads nowhere.
 *
 * @param read the content of a file; undefined if it cannot or may not be read
 */
export async function withOtherFiles(
  document: JsonSchema,
  at: URL,
  read: (file: URL) => Promise<unknown>,
): Promise<JsonSchema> {
  const places = new Map<string, string>([[at.href, ""]]);
  const open: { content: JsonSchema; at: URL }[] = [{ content: document, at }];
  for (const part of open) {
    for (const file of filesIn(part.content, part.at)) {
      if (places.has(file.href) || open.length > MOST_FILES) continue;
      const content = await read(file);
      if (!isSchema(content)) continue;
      places.set(file.href, `/x-file-${open.length}`);
      open.push({ content, at: file });
    }
  }
  if (open.length === 1) return document;
  const moved = open.map((part) => withReferences(part, places));
  const others = moved.slice(1).map((content, index) => [`x-file-${index + 1}`, content]);
  return { ...moved[0], ...Object.fromEntries(others) };
}

/** The files that a document refers to, by their whole addresses. */
function filesIn(content: JsonSchema, at: URL): URL[] {
  const found = new Map<string, URL>();
  JSON.stringify(content, (key, value: unknown) => {
    const { file } = (key === "$ref" && fileOf(value, at)) || {};
    if (file) found.set(file.href, file);
    return value;
  });
  return [...found.values()];
}

/** A reference into a file, `schemas/pet.yaml#/Pet`; bare names and addresses of schemas are none. */
function fileOf(ref: unknown, at: URL): { file: URL; inside: string } | undefined {
  if (typeof ref !== "string") return undefined;
  const [path = "", inside = ""] = ref.split("#");
  if (path === "") return { file: at, inside };
  const isFile = /\.(?:json|ya?ml)$/i.test(path) && URL.canParse(path, at);
  return isFile ? { file: new URL(path, at), inside } : undefined;
}

function withReferences(
  { content, at }: { content: JsonSchema; at: URL },
  places: ReadonlyMap<string, string>,
): JsonSchema {
  const text = JSON.stringify(content, (key, value: unknown) => {
    const { file, inside = "" } = (key === "$ref" && fileOf(value, at)) || {};
    const place = file && places.get(file.href);
    return place === undefined ? value : `#${place}${inside}`;
  });
  return JSON.parse(text) as JsonSchema;
}
