import { UnknownName } from "../../common/errors.js";
import { exportExperience, importExperience } from "../../memory/experienceFile.js";
import type { ExperienceStats, ExperienceStore } from "../../memory/experience.js";
import type { ImportedLines, ToolIds } from "../../memory/jsonLinesFile.js";
import { libraryNames, openStoredLibrary } from "../../nodes/workspace/libraries.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { parseSettings } from "../../state/settings.js";
import type { ToolRecord } from "../../tools/tool.js";
import { EXIT } from "../exit.js";
import { openLibrary } from "../tools/openLibrary.js";
import { whileWorking } from "../printing/longWork.js";
import { printJson, printTable } from "../printing/print.js";

/** Options of all commands on experience. */
export interface MemoryOptions {
  library?: string;
  json?: boolean;
}

/** Problems of a file that are printed on stderr; the rest are only counted. */
const PROBLEMS_SHOWN = 20;

/**
 * `memory import FILE`
 *
 * @returns the exit code: a file without a usable line counts as wrong usage
 */
export async function importMemory(file: string, options: MemoryOptions): Promise<number> {
  const { library, json } = options;
  const store = openWorkspace().experience();
  const imported = await whileWorking(`reading ${file}`, async () =>
    importExperience({ store, file, library, tools: toolIds() }),
  );
  return reportImport({ file, imported, json });
}

/**
 * Prints how many lines of a file were added, known or rejected.
 *
 * @returns the exit code: a file without a usable line counts as wrong usage
 */
export function reportImport(options: {
  file: string;
  imported: ImportedLines;
  json?: boolean;
}): number {
  const { file, imported, json } = options;
  printProblems(file, imported);
  const { added, known, rejected } = imported;
  const parts = [`${added} added`, `${known} known`, `${rejected} rejected`];
  if (json) printJson(imported);
  else process.stdout.write(`${parts.join(", ")}\n`);
  return rejected > 0 && added + known === 0 ? EXIT.usage : EXIT.done;
}

/** Looks up the tools of libraries that exist or ship; undefined for others, since experience may come before its library. */
export function toolIds(): ToolIds {
  return async (library) => {
    if (!(await libraryNames(openWorkspace().store)).includes(library)) return undefined;
    return new Set((await storedTools(library)).map(({ id }) => id));
  };
}

/**
 * The tools of a library, as stored if it is: its sources need not exist, nor its tools be embedded.
 *
 * @throws UnknownName for a library that neither exists nor ships
 */
export async function storedTools(library: string): Promise<ToolRecord[]> {
  const { store } = openWorkspace();
  const context = parseSettings({ library });
  const opened = (await store.describe(library))
    ? await openStoredLibrary({ store, context })
    : await openLibrary(context);
  return opened.list();
}

function printProblems(file: string, imported: ImportedLines): void {
  const unknown = imported.unknownTools.flatMap(({ library, tool, lines }) =>
    lines.map((line) => ({ line, problem: `library ${library} has no tool "${tool}"` })),
  );
  const problems = [...imported.problems, ...unknown].toSorted((a, b) => a.line - b.line);
  for (const { line, problem } of problems.slice(0, PROBLEMS_SHOWN)) {
    process.stderr.write(`${file}:${line}: ${problem}\n`);
  }
  const more = imported.rejected - Math.min(problems.length, PROBLEMS_SHOWN);
  if (more > 0) process.stderr.write(`${file}: ${more} more unusable lines\n`);
}

/** `memory export FILE` */
export async function exportMemory(file: string, options: MemoryOptions): Promise<void> {
  const { library, json } = options;
  const store = openWorkspace().experience();
  await requireKnown(store, library);
  const calls = await whileWorking(`writing ${file}`, async () =>
    exportExperience({ store, file, library }),
  );
  if (json) printJson({ file, usages: calls });
  else process.stdout.write(`${calls} calls written to ${file}\n`);
}

/** `memory list` */
export async function memoryStats(options: MemoryOptions): Promise<void> {
  const { library, json } = options;
  const store = openWorkspace().experience();
  await requireKnown(store, library);
  const names = library === undefined ? await store.libraries() : [library];
  const stats: (ExperienceStats & { library: string })[] = [];
  for (const name of names)
    stats.push({ library: name, ...(await store.stats({ library: name })) });
  if (json) return printJson(stats);
  if (stats.length === 0) process.stderr.write("there is no experience yet\n");
  for (const [index, { library, ...numbers }] of stats.entries()) {
    if (index > 0) process.stdout.write("\n");
    printTable({ rows: [["library", library], ...rowsOf(numbers)] });
  }
}

const LABELS: Record<keyof ExperienceStats, string> = {
  usages: "calls",
  queries: "requests",
  tools: "tools",
  helpful: "helpful",
  unhelpful: "unhelpful",
  unjudged: "not judged",
};

function rowsOf(stats: ExperienceStats): string[][] {
  return (Object.keys(LABELS) as (keyof ExperienceStats)[]).map((number) => [
    LABELS[number],
    String(stats[number]),
  ]);
}

/** @throws UnknownName for a library of which nothing is remembered */
async function requireKnown(store: ExperienceStore, library: string | undefined): Promise<void> {
  const available = await store.libraries();
  if (library === undefined || available.includes(library)) return;
  const hint = "import experience with: tulipgraph memory import FILE";
  throw new UnknownName({ kind: "library with experience", wanted: library, available, hint });
}
