import { resolve } from "node:path";
import { LibraryFailed, UnknownName } from "../errors.js";
import { openEmbeddings } from "../models/embeddings.js";
import type { Context } from "../state/context.js";
import { packageRoot } from "../storage/packageRoot.js";
import { CATALOGS } from "../tools/catalogs/index.js";
import type { SyncResult } from "../tools/library/changes.js";
import type { ToolLibrary } from "../tools/library/library.js";
import type { LibraryStore } from "../tools/library/store.js";
import type { FileReading } from "../tools/sources/index.js";
import type { SourceProblem } from "../tools/tool.js";
import { fingerprintOf, isCurrent, noteRefusal } from "./fingerprints.js";

/** Told what of a source could not become a tool. */
export type ProblemListener = (problems: readonly SourceProblem[]) => void;

type Opening = { store: LibraryStore; context: Pick<Context, "library" | "embeddings"> };

/** What came of importing a file: the ids of its tools, and the exports that are none, and why. */
export interface Import extends Omit<SyncResult, "conflicts"> {
  problems: SourceProblem[];
}

/**
 * Opens a library and brings it up to date with the files that its tools come from. A catalogue that
 * ships with the project becomes a library at its first use.
 *
 * @param options.onProblems told what of a changed file cannot be used
 * @throws UnknownName for a library that neither exists nor ships
 * @throws LibraryFailed when a file with tools is gone, or nothing in it can be a tool any more
 */
export async function openLibrary(
  options: Opening & { onProblems?: ProblemListener },
): Promise<ToolLibrary> {
  const { store, context, onProblems } = options;
  const catalog = catalogOf(context.library);
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
    if (isCurrent({ store, library, origin, fingerprint, file: placeOf(origin) })) continue;
    const reading = await read(library.name, origin);
    const { problems } = await sync({ store, library, origin, reading });
    if (problems.length > 0) onProblems?.(problems);
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
 * @throws InvalidSetting when the file does not exist or is no program text
 * @throws LibraryFailed when nothing in the file can be a tool
 */
export async function importTools(
  options: Opening & { file: string; description?: string },
): Promise<Import> {
  const { store, context, file, description } = options;
  const origin = resolve(file);
  // Read first: a file that cannot be used leaves no empty library behind.
  const reading = await read(context.library, origin);
  const library = await open({ store, context, description, create: true });
  return await sync({ store, library, origin, reading });
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
async function read(library: string, origin: string): Promise<FileReading> {
  const { readSource } = await import("../tools/sources/index.js");
  const catalog = Object.entries(CATALOGS).find(([, { file }]) => file === origin)?.[0];
  const reading = await readSource({ file: placeOf(origin), catalog });
  if (reading.tools.length > 0) return reading;
  const [problem] = reading.problems;
  throw new LibraryFailed({
    library,
    problem: `${origin} has no function that can be a tool`,
    hint: problem
      ? `${problem.file}:${problem.line}: ${problem.problem}`
      : "Export functions with a TSDoc comment",
  });
}

async function sync(options: {
  store: LibraryStore;
  library: ToolLibrary;
  origin: string;
  reading: FileReading;
}): Promise<Import> {
  const { store, library, origin, reading } = options;
  const fingerprint = fingerprintOf(reading.files);
  const { conflicts, ...done } = await library.sync({ origin, fingerprint, tools: reading.tools });
  if (conflicts.length > 0) noteRefusal({ store, library, origin, fingerprint });
  const taken = conflicts.map(({ id, origin: other }) => ({
    file: placeOf(origin),
    line: 1,
    exportName: exportOf(reading, id),
    problem: `a tool "${id}" of ${other} is in the library already; give this one another name with @name`,
  }));
  return { ...done, problems: [...reading.problems, ...taken] };
}

function exportOf({ tools }: FileReading, id: string): string {
  return tools.find((tool) => tool.id === id)?.source.exportName ?? id;
}

function catalogOf(library: string) {
  return Object.hasOwn(CATALOGS, library) ? CATALOGS[library] : undefined;
}

/** The files of a catalogue are named relative to the package, all others absolutely. */
function placeOf(origin: string): string {
  return resolve(packageRoot(), origin);
}
