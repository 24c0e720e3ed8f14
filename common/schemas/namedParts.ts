import type { JsonSchema } from "./jsonSchema.js";
import { SCHEMA_KEYWORDS, SCHEMA_LISTS, SCHEMA_MAPS } from "./parts.js";
import { isSchema, targetOf } from "./referredSchema.js";

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
    named ??= namedParts(root);
    const places = [ref, ref.split(/[/#]/).at(-1) ?? ""].map((name) => named?.get(name));
    const [place] = places.find((each) => each?.size === 1) ?? [];
    return place;
  };
}

/** The places of the parts of a schema that have a name. */
function namedParts(root: JsonSchema): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  const note = (name: unknown, place: string) => {
    if (typeof name === "string" && name !== "")
      places.set(name, (places.get(name) ?? new Set()).add(place));
  };
  const visit = (part: unknown, place: string): void => {
    if (!isSchema(part)) return;
    const { $id, id, $anchor, $dynamicAnchor } = part;
    for (const name of [$id, id, $anchor, $dynamicAnchor]) note(name, place);
    for (const [keyword, value] of Object.entries(part)) {
      const isMap = SCHEMA_MAPS.includes(keyword);
      if (SCHEMA_KEYWORDS.includes(keyword)) visit(value, `${place}/${keyword}`);
      else if (isMap || SCHEMA_LISTS.includes(keyword)) {
        for (const [name, each] of Object.entries(Object(value))) {
          const inner = `${place}/${keyword}/${name.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25")}`;
          if (isMap && /^(?:\$defs|definitions)$/.test(keyword)) note(name, inner);
          visit(each, inner);
        }
      }
    }
  };
  visit(root, "#");
  return places;
}
