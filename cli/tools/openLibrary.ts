import { CachedEmbeddings } from "../../models/embeddings/embeddingCache.js";
import { openEmbeddings } from "../../models/embeddings/embeddings.js";
import { type RunContext, openStoredLibrary } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import { type Settings, parseSettings } from "../../state/settings.js";
import type { LibraryEditor } from "../../tools/library/library.js";
import type { MadeTools } from "../../tools/library/records/libraryRows.js";
import { whileWorking } from "../printing/longWork.js";
import { printProblems } from "../sources/importFile.js";

/** The program's own options, which every command gets. */
export interface CommonOptions {
  library?: string;
  json?: boolean;
}

/** Options of all commands on a library. */
export interface LibraryOptions extends CommonOptions {
  /** Include the tools that this thread has made. */
  thread?: string;
}

/**
 * Opens a library and brings it up to date with its sources. Reports on stderr if that takes long, and what in a
 * changed source cannot be used.
 */
export async function openLibrary(context: RunContext): Promise<LibraryEditor> {
  return await whileWorking(`indexing the library ${context.library}`, () =>
    openWorkspace().library(context, printProblems),
  );
}

/** A library as stored, without a look at its sources. */
export async function storedLibrary(library: string): Promise<LibraryEditor> {
  const { store } = openWorkspace();
  return await openStoredLibrary({ store, context: parseSettings({ library }) });
}

/**
 * The settings that choose the library: the named one, or the only one for which the thread has made tools, or the
 * default.
 */
export async function libraryContext({ library, thread }: LibraryOptions): Promise<Settings> {
  if (thread === undefined) return parseSettings({ library });
  const [made, ...others] = await madeBy(thread);
  const only = others.length === 0 ? made?.library : undefined;
  return { ...parseSettings({ library: library ?? only }), threadId: thread };
}

/** The tools that a thread has made, by library. */
export async function madeBy(thread: string, library?: string): Promise<MadeTools[]> {
  return (await openWorkspace().store.made()).filter(
    (made) => made.thread === thread && (library ?? made.library) === made.library,
  );
}

/** An embedding model whose vectors are kept in memory. */
export async function cachedEmbeddings(spec: string) {
  const opened = await openEmbeddings(spec);
  const { name } = opened;
  return { embeddings: new CachedEmbeddings(opened, name), name };
}
