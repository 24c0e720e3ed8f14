import type { JsonSchema } from "./jsonSchema.js";
import { targetOf } from "./referredSchema.js";

/**
 * Finds where in a schema a reference leads, also if it is written with the schema's own address, or by the only part
 * with its name: an address, an anchor or a definition.
 */
export function placeFinder(root: JsonSchema): (ref: string) => string | undefined {
  const { $id, id } = root;
  const own = typeof $id === "string" ? $id : id;
  // Most schemas refer to places.
  let named: Map<string, Set<string>> | undefined;
  return (ref) => {
    const isOwn =
      typeof own === "string" && own !== "" && ref.startsWith(`${own.replace(/#$/, "")}#`);
    const local = isOwn ? ref.slice(ref.indexOf("#")) : ref;
    if (/^#(?:$|\/)/.test(local) && targetOf({ root, ref: local })) return local;
    // The outermost of several parts with this anchor.
    if (ref === `#${String(root["$dynamicAnchor"])}`) return "#";
    named ??= namedParts(root);
    const places = [ref, ref.split(/[/#]/).at(-1) ?? ""].map((name) => named?.get(name));
    const [place] = places.find((each) => each?.size === 1) ?? [];
    return place;
  };
}

/** The places of the parts of a schema that have a name. */
function namedParts(root: JsonSchema): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  const visit = (part: unknown, place: string, name?: string): void => {
    if (typeof part !== "object" || part === null) return;
    const { $id, id, $anchor, $dynamicAnchor } = part as JsonSchema;
    for (const each of [name, $id, id, $anchor, $dynamicAnchor])
      if (typeof each === "string") places.set(each, (places.get(each) ?? new Set()).add(place));
    const isNaming = /\/(?:\$defs|definitions|schemas)$/.test(place);
    for (const [key, value] of Object.entries(part)) {
      const step = key.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
      if (!VALUES.has(key) || isNaming)
        visit(value, `${place}/${step}`, isNaming ? key : undefined);
    }
  };
  visit(root, "#");
  return places;
}

/** Keywords that hold values. */
const VALUES = new Set(["default", "const", "enum", "examples", "example"]);
