import { sha256 } from "./records/hash.js";

/** The longest name of a tool that providers of models accept. */
export const LONGEST_WIRE_NAME = 64;

/** Hexadecimal digits that distinguish tools with the same name. */
const SUFFIX_DIGITS = 8;

/**
 * Gives every tool a name that providers accept (`[A-Za-z0-9_-]{1,64}`), unique among the bound tools. A legal
 * name stays unless it is reserved or shared; of tools that share a name, the one whose id sorts first keeps
 * it. The result depends only on the set of tools, not on their order.
 *
 * @returns names on the wire by tool id
 * @param request.tools the bound tools; a tool listed twice counts once
 * @param request.reserved names that no tool may take, such as those of control tools
 */
export function wireNames({
  tools,
  reserved = [],
}: {
  tools: readonly { id: string; name: string }[];
  reserved?: readonly string[];
}): ReadonlyMap<string, string> {
  const byId = new Map<string, string>();
  const taken = new Set(reserved);
  const give = (id: string, wireName: string) => {
    taken.add(wireName);
    byId.set(id, wireName);
  };
  const distinct = [...new Map(tools.map((tool) => [tool.id, tool])).values()];
  const sorted = distinct.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  // Legal names go first: no invented name may take the place of a real one.
  for (const { id, name } of sorted)
    if (/^[A-Za-z0-9_-]{1,64}$/.test(name) && !taken.has(name)) give(id, name);
  for (const { id, name } of sorted) if (!byId.has(id)) give(id, freeName({ id, name, taken }));
  return byId;
}

/** A legal name that is not taken: the tool's own if possible, else with a suffix made from its id. */
export function freeName(options: {
  id: string;
  name: string;
  taken: ReadonlySet<string>;
}): string {
  const { id, name, taken } = options;
  const words = name.replaceAll(/[^A-Za-z0-9_-]+/g, "_").replaceAll(/^_+|_+$/g, "") || "tool";
  const plain = words.slice(0, LONGEST_WIRE_NAME);
  if (!taken.has(plain)) return plain;
  const stem = words.slice(0, LONGEST_WIRE_NAME - SUFFIX_DIGITS - 1);
  for (let attempt = 0; ; attempt++) {
    const candidate = `${stem}_${sha256(`${attempt}:${id}`).slice(0, SUFFIX_DIGITS)}`;
    if (!taken.has(candidate)) return candidate;
  }
}
