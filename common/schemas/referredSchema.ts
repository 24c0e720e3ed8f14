import type { JsonSchema } from "../../tools/tool.js";

/**
 * What a `$ref` such as `#/$defs/Item` leads to; one that leads to nothing allows anything.
 *
 * @param request.root the whole schema, in which it is looked up
 */
export function referredSchema({ root, ref }: { root: JsonSchema; ref: string }): JsonSchema {
  let found: unknown = root;
  for (const step of ref.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    const name = unescaped(step);
    found = isSchema(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return isSchema(found) ? found : {};
}

/** Whether a value can be read as a JSON Schema with keywords. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A step of a JSON pointer in a URI fragment (RFC 6901), as the name that it stands for. */
function unescaped(step: string): string {
  return percentDecoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone % stands for itself.
    return text;
  }
}
