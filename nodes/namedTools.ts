import type { ToolLibrary } from "../tools/library/library.js";

/** A name that no plain word is: of several words, as the names of tools are. */
const NAME = /\b[A-Za-z]\w*(?:[_.-]\w+)+|\b[a-z]+[A-Z]\w*/g;

/**
 * Ids of the tools that texts call by their names, in the order of the texts. Whoever is told of a tool will
 * want to call it, whether or not a search finds it. Names that are also plain words do not count.
 */
export function namedTools(
  texts: readonly (string | undefined)[],
  library: Pick<ToolLibrary, "get">,
): string[] {
  const names = texts.flatMap((text) => text?.match(NAME) ?? []);
  return [...new Set(names.flatMap((name) => library.get(name)?.id ?? []))];
}
