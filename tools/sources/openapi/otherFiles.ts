import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { lostReferences } from "./operations.js";

/** Files that one document may consist of, besides its own. */
const MOST_FILES = 2_000;

/**
 * The document with the files that it refers to as parts of its own, and references into them as references into these
 * parts. What `read` gives nothing for stays a reference that leads nowhere.
 */
export async function withOtherFiles(
  document: JsonSchema,
  at: URL,
  read: (file: URL) => Promise<unknown>,
): Promise<JsonSchema> {
  const places = new Map([[at.href, ""]]);
  const seen = new Set([at.href]);
  const parts = [{ content: document, at }];
  for (const part of parts) {
    for (const ref of lostReferences(part.content)) {
      const { file } = fileOf(ref, part.at);
      if (!file || seen.has(file.href) || seen.size > MOST_FILES) continue;
      seen.add(file.href);
      const content = await read(file);
      if (!isSchema(content)) continue;
      places.set(file.href, `/x-file-${parts.length}`);
      parts.push({ content, at: file });
    }
  }
  if (parts.length === 1) return document;
  const moved = parts.map((part) => {
    const text = JSON.stringify(part.content, (key, value: unknown) => {
      const { file, inside = "" } = key === "$ref" ? fileOf(value, part.at) : {};
      const place = file && places.get(file.href);
      return place === undefined ? value : `#${place}${inside}`;
    });
    return JSON.parse(text) as JsonSchema;
  });
  const others = moved.slice(1).map((one, index) => [`x-file-${index + 1}`, one]);
  return { ...moved[0], ...Object.fromEntries(others) };
}

/** What a reference such as `schemas/pet.yaml#/Pet` leads to; bare names and addresses of schemas are none into a file. */
function fileOf(ref: unknown, at: URL): { file?: URL; inside?: string } {
  if (typeof ref !== "string") return {};
  const [path = "", inside] = ref.split("#");
  const isFile = path === "" || (/\.(?:json|ya?ml)$/i.test(path) && URL.canParse(path, at));
  return isFile ? { file: path === "" ? at : new URL(path, at), inside } : {};
}
