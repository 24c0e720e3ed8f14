import type { ToolLibrary } from "../../tools/library/library.js";

/** A name of several joined words, unlike any plain word. */
const NAME = /\b[A-Za-z]\w*(?:[_.-]\w+)+|\b[a-z]+[A-Z]\w*/g;

/** Most different names to look up; a text with more is a document. */
const MOST_NAMES = 200;

/**
 * Ids of the tools that texts mention by name, in order. A model told of a tool will want to call it, whether
 * or not a search finds it. Names that are also plain words do not count.
 */
export function namedTools(
  texts: readonly (string | undefined)[],
  library: Pick<ToolLibrary, "get">,
): string[] {
  const names = new Set(texts.flatMap((text) => text?.match(NAME) ?? []));
  const looked = [...names].slice(0, MOST_NAMES);
  return [...new Set(looked.flatMap((name) => library.get(name)?.id ?? []))];
}
