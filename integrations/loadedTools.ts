import { freeName } from "../tools/runtime/wireNames.js";

/**
 * What the model calls each tool that was found, by that name. Ids are unique in a library, so that names follow
 * from them alone and stay as further tools are found; only where two ids differ in nothing that a name may have, or
 * the agent has a tool of the name, one gets a suffix made of its id.
 *
 * @param options.ids in the order in which they were found
 * @param options.taken names of the agent's own tools
 */
export function loadedNames({
  ids,
  taken,
}: {
  ids: readonly string[];
  taken: Iterable<string>;
}): Map<string, string> {
  const used = new Set(taken);
  const names = new Map<string, string>();
  for (const id of ids) {
    const name = freeName({ id, name: id, taken: used });
    used.add(name);
    names.set(name, id);
  }
  return names;
}

/** Ids that were found with those found now, each once, in the order in which they were found first. */
export function withFound(before: readonly string[], found: readonly string[]): string[] {
  return [...new Set([...before, ...found])];
}

/**
 * The tools that are shown of those that were found. Too many are cut by whole quarters of the bound, from the
 * oldest on: what is shown then begins with the same tools for many further finds, which keeps a provider's cache of
 * the prompt.
 */
export function shownOf(ids: readonly string[], most: number): readonly string[] {
  const surplus = ids.length - most;
  if (surplus <= 0) return ids;
  const quarter = Math.max(1, Math.floor(most / 4));
  return ids.slice(Math.ceil(surplus / quarter) * quarter);
}
