import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { LibraryFailed, UnknownName } from "../errors.js";
import { openEmbeddings } from "../models/embeddings.js";
import type { Context } from "../state/context.js";
import { packageRoot, packageVersion } from "../storage/packageRoot.js";
import { CATALOGS } from "../tools/catalogs/index.js";
import type { ToolLibrary } from "../tools/library/library.js";
import type { LibraryStore } from "../tools/library/store.js";
import type { SourceProblem } from "../tools/tool.js";

type Opening = { store: LibraryStore; context: Pick<Context, "library" | "embeddings"> };

/** What came of importing a file: the ids of its tools, and the exports that are none, and why. */
export interface Import {
  added: string[];
  updated: string[];
  unchanged: string[];
  removed: string[];
  problems: SourceProblem[];
}

/**
 * Opens a library and brings it up to date with the files that its tools come from. A catalogue that
 * ships with the project becomes a library at its first use.
 *
 * @throws UnknownName for a library that neither exists nor ships
 */
export async function openLibrary({ store, context }: Opening): Promise<ToolLibrary> {
  const catalog = CATALOGS[context.library];
  if (!catalog && !store.describe(context.library)) {
    throw new UnknownName({
      kind: "library",
      wanted: context.library,
      available: libraryNames(store),
      hint: "import one with: tulipgraph tools import FILE",
    });
  }
  const library = await open({ store, context, description: catalog?.description });
  const origins = new Map(
    library.origins().map(({ origin, fingerprint }) => [origin, fingerprint]),
  );
  if (catalog && !origins.has(catalog.file)) origins.set(catalog.file, "");
  for (const [origin, fingerprint] of origins) {
    if (!isCurrent({ library, origin, fingerprint })) await syncOrigin({ library, origin });
  }
  return library;
}

/** Names of the libraries there are, those of catalogues not yet used among them. */
export function libraryNames(store: LibraryStore): string[] {
  return [...new Set([...Object.keys(CATALOGS), ...store.names()])];
}

/**
 * Makes the exported functions of a file tools of a library, which is created when it is missing.
 *
 * @throws LibraryFailed when nothing in the file can be a tool
 */
export async function importTools(
  options: Opening & { file: string; description?: string },
): Promise<Import> {
  const { store, context, file, description } = options;
  const library = await open({ store, context, description, create: true });
  return await syncOrigin({ library, origin: resolve(file) });
}

/**
 * Opens a library as it is stored, whether or not the files of its tools are still there.
 *
 * @throws UnknownName for a library that does not exist
 */
export async function openStoredLibrary(options: Opening): Promise<ToolLibrary> {
  return await open(options);
}

async function open(
  options: Opening & { description?: string; create?: boolean },
): Promise<ToolLibrary> {
  const { store, context, description, create = description !== undefined } = options;
  return store.open({
    name: context.library,
    description,
    embeddings: await openEmbeddings(context.embeddings),
    embeddingModel: context.embeddings,
    create,
  });
}

/** Reads an origin anew. The reader, which loads the TypeScript compiler, is loaded only here. */
async function syncOrigin(options: { library: ToolLibrary; origin: string }): Promise<Import> {
  const { library, origin } = options;
  const { readSource } = await import("../tools/sources/index.js");
  const catalog = Object.entries(CATALOGS).find(([, { file }]) => file === origin)?.[0];
  const reading = await readSource({ file: placeOf(origin), catalog });
  if (reading.tools.length === 0) {
    const [problem] = reading.problems;
    throw new LibraryFailed({
      library: library.name,
      problem: `${origin} has no function that can be a tool`,
      hint: problem
        ? `${problem.file}:${problem.line}: ${problem.problem}`
        : "export functions with a TSDoc comment",
    });
  }
  const fingerprint = fingerprintOf(reading.files);
  const done = await library.sync({ origin, fingerprint, tools: reading.tools });
  const conflicts = done.conflicts.map(({ id, origin: other }) => ({
    file: origin,
    line: 1,
    exportName: id,
    problem: `a tool "${id}" of ${other} is in the library already; give this one another name with @name`,
  }));
  return { ...done, problems: [...reading.problems, ...conflicts] };
}

/** The files of a catalogue are named relative to the package, all others absolutely. */
function placeOf(origin: string): string {
  return resolve(packageRoot(), origin);
}

/** Which files were read, and what they held; the reader may change with the package's version. */
interface Fingerprint {
  version: string;
  files: Record<string, string>;
}

function fingerprintOf(files: readonly string[]): string {
  const fingerprint: Fingerprint = {
    version: packageVersion(),
    files: Object.fromEntries(files.map((file) => [file, contentHash(file)])),
  };
  return JSON.stringify(fingerprint);
}

/** @throws LibraryFailed when the file of a user's tools is gone */
function isCurrent(options: {
  library: ToolLibrary;
  origin: string;
  fingerprint: string;
}): boolean {
  const { library, origin, fingerprint } = options;
  if (!existsSync(placeOf(origin))) {
    throw new LibraryFailed({
      library: library.name,
      problem: `the file ${origin} with its functions is gone`,
      hint: `bring it back, or remove its tools with: tulipgraph tools remove --file ${origin} --library ${library.name}`,
    });
  }
  if (!fingerprint) return false;
  const { version, files } = JSON.parse(fingerprint) as Fingerprint;
  return (
    version === packageVersion() &&
    Object.entries(files).every(([file, hash]) => existsSync(file) && contentHash(file) === hash)
  );
}

function contentHash(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
