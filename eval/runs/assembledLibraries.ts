import { resolve } from "node:path";
import { LibraryFailed, UnknownName } from "../../common/errors.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { toolText } from "../../tools/library/vectors/embedding.js";
import { estimateTokens } from "../../common/tokens.js";
import type { LibraryEditor } from "../../tools/library/library.js";
import type { LibraryStore } from "../../tools/library/store.js";
import { catalogFunctions } from "../../tools/calls/functions/catalogFunctions.js";
import type { SourceProblem } from "../../tools/tool.js";
import { catalogOf, openLibrary, openNamed } from "../../home/libraries.js";
import {
  type OriginReading,
  readOrigin,
  refreshOrigin,
  syncReading,
} from "../../tools/sources/origins.js";

/** An assembled library. */
export interface AssembledLibrary {
  library: LibraryEditor;
  /** Estimated tokens for embedding all its texts once, even if they were embedded before. */
  embeddingTokens: number;
}

/**
 * Assembles a library from a shipped catalog and, for ids missing there, from a file of declarations. Tools
 * from elsewhere and tools written by models are removed, so that every evaluation starts with the same tools.
 * Unchanged parts are not read or embedded again. A library named like a catalog is the catalog itself plus
 * what users and models have added; declarations are then only compared with it.
 *
 * @param options.declarations path of a JSONL file; see `tools/sources/functions/readDeclarations.ts`
 * @throws UnknownName for an unknown catalog
 * @throws InvalidSetting when the file does not exist
 * @throws LibraryFailed when a line of it cannot be a tool
 */
export async function assembleLibrary(options: {
  store: LibraryStore;
  name: string;
  embeddings: string;
  catalog?: string;
  declarations?: string;
}): Promise<AssembledLibrary> {
  const { store, name, embeddings, catalog, declarations } = options;
  const context = { library: name, embeddings };
  const file = catalog === undefined ? undefined : requireCatalog(catalog).file;
  const declared =
    declarations === undefined
      ? undefined
      : { origin: resolve(declarations), reading: await readOrigin(name, resolve(declarations)) };
  requireAll(name, declared?.reading.problems ?? []);
  const library = catalogOf(name)
    ? await openLibrary({ store, settings: context })
    : await putTogether({ store, context, file, declared });
  return withSize(library);
}

/** A library with what embedding it takes. */
export function withSize(library: LibraryEditor): AssembledLibrary {
  return { library, embeddingTokens: estimateTokens([...new Set(library.list().map(toolText))]) };
}

/** A user's library as it is, in the form of an assembled one. */
export async function ownLibrary(options: {
  store: LibraryStore;
  name: string;
  embeddings: string;
}): Promise<AssembledLibrary> {
  const { store, name, embeddings } = options;
  return withSize(await openLibrary({ store, settings: { library: name, embeddings } }));
}

/**
 * The catalog with functions for most of these tools; undefined if none has any. Only compares names of
 * exports, so a catalog whose tools have other names must be named explicitly.
 */
export async function bestCatalog(names: readonly string[]): Promise<string | undefined> {
  const wanted = new Set(names);
  let best: { catalog: string; count: number } | undefined;
  for (const catalog of Object.keys(CATALOGS)) {
    const functions = await catalogFunctions(catalog);
    const count = [...functions.keys()].filter((name) => wanted.has(name)).length;
    if (count > (best?.count ?? 0)) best = { catalog, count };
  }
  return best?.catalog;
}

/** Declarations are also read again if a function that had replaced one is gone. */
async function putTogether(options: {
  store: LibraryStore;
  context: { library: string; embeddings: string };
  file: string | undefined;
  declared: { origin: string; reading: OriginReading } | undefined;
}): Promise<LibraryEditor> {
  const { store, context, file, declared } = options;
  const library = await openNamed({ store, settings: context, create: true });
  const wanted = [file, declared?.origin];
  for (const { origin } of library.origins()) {
    if (!wanted.includes(origin)) await library.removeOrigin(origin);
  }
  for (const origin of wanted) {
    if (origin === undefined) continue;
    requireAll(context.library, await refreshOrigin({ store, library, origin }));
  }
  const present = new Set(library.list().map(({ id }) => id));
  if (declared?.reading.tools.some(({ id }) => !present.has(id))) {
    await syncReading({ store, library, ...declared });
  }
  return library;
}

function requireAll(library: string, problems: readonly SourceProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  const problem = `${first.file}:${first.line}: ${first.problem}${more}`;
  throw new LibraryFailed({ library, problem });
}

function requireCatalog(wanted: string) {
  const catalog = catalogOf(wanted);
  if (catalog) return catalog;
  throw new UnknownName({ kind: "catalog", wanted, available: Object.keys(CATALOGS) });
}
