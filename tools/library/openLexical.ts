import { type LexicalIndex, lexicalIndex } from "./lexical.js";
import { type LibraryPlace, listTools, readLibrary } from "./records.js";

/**
 * Gives the index of the words of a library's current tools. It lies in memory only and is made anew
 * after a change of the tools: 15,889 tools take some 2 s and 32 MB, once for each
 * revision that is asked for it.
 */
export function lexicalOpener(place: () => LibraryPlace): () => LexicalIndex {
  let latest: { content: string; index: LexicalIndex } | undefined;
  const refresh = () => {
    const here = place();
    const { content } = readLibrary(here);
    if (latest?.content !== content) latest = { content, index: lexicalIndex(listTools(here)) };
    return latest.index;
  };
  // In one transaction, so that the name of the content and the tools belong together.
  return () => place().database.transaction(refresh).deferred();
}
