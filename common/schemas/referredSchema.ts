import type { JsonSchema } from "./jsonSchema.js";

/**
 * The target of a `$ref` such as `#/$defs/Item`; a dangling one allows anything.
 *
 * @param request.root the whole schema
 */
export function referredSchema(reference: { root: JsonSchema; ref: string }): JsonSchema {
  return targetOf(reference) ?? {};
}

/** As {@link referredSchema}; undefined if the reference leads nowhere. */
export function targetOf({ root, ref }: { root: JsonSchema; ref: string }): JsonSchema | undefined {
  let found: unknown = root;
  for (const step of ref.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    const name = unescaped(step);
    found =
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? Object(found)[name]
        : undefined;
  }
  if (found === true) return {};
  return isSchema(found) ? found : undefined;
}

/** Whether a value is a JSON Schema object. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Decodes a step of a JSON pointer in a URI fragment (RFC 6901). */
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
