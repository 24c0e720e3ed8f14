import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { LibraryFailed } from "../../common/errors.js";
import { packageRoot } from "../../storage/packageRoot.js";
import { CATALOGS } from "../catalogs/index.js";
import type { SyncResult } from "../library/records/changes.js";
import { GENERATED_ORIGIN } from "../library/records/edits.js";
import type { LibraryEditor } from "../library/library.js";
import type { FileReading } from "./index.js";
import { WHOLE_FILE, holdsDeclarations } from "./problems.js";
import { type SourceProblem, type ToolDefinition, isExport, nameInSource } from "../tool.js";
import {
  type Place,
  fingerprintOf,
  isCurrent,
  lastUnstored,
  noteUnstored,
} from "./fingerprints.js";

/** The outcome of reading an origin into a library: the ids of its tools, and problems. */
export interface Import extends Omit<SyncResult, "conflicts"> {
  problems: SourceProblem[];
}

/** What was read from an origin, and the fingerprint of its files. */
export interface OriginReading extends FileReading {
  fingerprint: string;
}

/**
 * Reads an origin again if the library's tools no longer match its files. If that cannot be decided, the tools stay: a
 * file that is gone or cannot be imported may be back in a moment.
 *
 * @throws LibraryFailed when the file is gone or cannot be imported, or nothing in it can be a tool any more
 */
export async function refreshOrigin(place: Place & { embed?: boolean }): Promise<SourceProblem[]> {
  const { library, origin } = place;
  const known = library.origins().find((each) => each.origin === origin);
  if (!existsSync(placeOf(origin))) throw goneFile(place);
  if (isCurrent(known?.fingerprint ?? "")) return [];
  const last = lastUnstored(place);
  if (last && isCurrent(last.fingerprint)) {
    if (last.error) throw last.error;
    return [];
  }
  const reading = await readFiles(origin);
  const error = unusable(library.name, origin, reading, known !== undefined);
  if (error) {
    noteUnstored(place, { fingerprint: reading.fingerprint, error });
    throw error;
  }
  return (await syncReading({ ...place, reading })).problems;
}

function goneFile({ library, origin }: Place): LibraryFailed {
  return new LibraryFailed({
    library: library.name,
    problem: `the file ${origin} with its functions is gone`,
    hint: `bring it back, or remove its tools with: tulipgraph tools remove --file ${origin} --library ${library.name}`,
  });
}

/**
 * Reads an origin.
 *
 * @throws LibraryFailed when nothing in it can be a tool
 */
export async function readOrigin(library: string, origin: string): Promise<OriginReading> {
  const reading = await readFiles(origin);
  if (reading.tools.length > 0) return reading;
  throw noTools(library, origin, reading);
}

/** Loaded late, because the reader loads the TypeScript compiler. */
async function readFiles(origin: string): Promise<OriginReading> {
  const { readSource } = await import("./index.js");
  const catalog = Object.entries(CATALOGS).find(([, { file }]) => file === origin)?.[0];
  const since = Date.now();
  const reading = await readSource({ file: placeOf(origin), catalog });
  return { ...reading, fingerprint: fingerprintOf({ files: reading.files, since }) };
}

/** Why a reading is not a reason to change the library's tools. */
function unusable(
  library: string,
  origin: string,
  reading: OriginReading,
  isKnown: boolean,
): LibraryFailed | undefined {
  if (reading.tools.length === 0) return noTools(library, origin, reading);
  const broken = reading.problems.find(({ exportName }) => exportName === WHOLE_FILE);
  if (!broken || !isKnown) return undefined;
  return new LibraryFailed({
    library,
    problem: `${origin} cannot be read as a whole`,
    hint: `${broken.file}:${broken.line}: ${broken.problem}`,
  });
}

function noTools(library: string, origin: string, reading: OriginReading): LibraryFailed {
  const [problem, ...others] = reading.problems;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  const declares = holdsDeclarations(origin);
  const hint = declares
    ? 'Write one tool a line: { "name": …, "description": …, "parameters": … }'
    : "Export functions with a TSDoc comment, or LangChain's tools";
  return new LibraryFailed({
    library,
    problem: `${origin} has no ${declares ? "declaration" : "function"} that can be a tool`,
    hint: problem ? `${problem.file}:${problem.line}: ${problem.problem}${more}` : hint,
  });
}

/**
 * Makes an origin's tools exactly those of a reading. A function replaces a declaration with its id, no matter
 * which came first. Any other tool whose id belongs to another origin or a made tool is a problem.
 */
export async function syncReading({
  store,
  library,
  origin,
  reading,
  embed,
}: Place & { embed?: boolean; reading: OriginReading }): Promise<Import> {
  const { fingerprint } = reading;
  const { tools, displaced } = besideOthers(library, reading.tools);
  if (displaced.length > 0) await library.remove(displaced);
  const { conflicts, ...done } = await library.sync({ origin, fingerprint, tools, embed });
  if (conflicts.length > 0) noteUnstored({ store, library, origin }, { fingerprint });
  const taken = conflicts.map(({ id, origin: other }) => ({
    file: placeOf(origin),
    line: 1,
    exportName: exportOf(reading, id),
    problem: takenName(id, other, origin),
  }));
  return { ...done, problems: [...reading.problems, ...(reading.notes ?? []), ...taken] };
}

function takenName(id: string, other: string, origin: string): string {
  const another = `give this one another ${holdsDeclarations(origin) ? "id" : "name with @name"}`;
  return other === GENERATED_ORIGIN
    ? `a tool "${id}" that a model has written is in the library already; ${another}, or remove that one`
    : `a tool "${id}" of ${other} is in the library already; ${another}`;
}

/** The tools a library can take, and the ids of its declarations that they replace with functions. */
function besideOthers(
  library: LibraryEditor,
  tools: readonly ToolDefinition[],
): { tools: ToolDefinition[]; displaced: string[] } {
  const sources = new Map(library.list().map(({ id, source }) => [id, source]));
  const hasFunction = (id: string) => {
    const source = sources.get(id);
    return source !== undefined && isExport(source);
  };
  return {
    tools: tools.filter((tool) => !isDeclared(tool) || !hasFunction(tool.id)),
    displaced: tools
      .filter((tool) => !isDeclared(tool) && sources.get(tool.id)?.kind === "declared")
      .map(({ id }) => id),
  };
}

/** Whether a tool is only declared, without a function. */
export function isDeclared({ source }: Pick<ToolDefinition, "source">): boolean {
  return source.kind === "declared";
}

/** Catalog files are named relative to the package, others absolutely. */
function placeOf(origin: string): string {
  return resolve(packageRoot(), origin);
}

function exportOf({ tools }: FileReading, id: string): string {
  const tool = tools.find((each) => each.id === id);
  return tool === undefined ? id : nameInSource(tool);
}
