import { randomUUID } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { InvalidSetting, oneLine } from "../errors.js";
import { readJsonLines } from "../tools/sources/jsonLines.js";
import type { ExperienceStore, Usage } from "./experience.js";
import { lineOfUsage, usageOfLine } from "./usageLine.js";

/** Usages that are added in one transaction, or written at once: short enough for others to get in. */
const BATCH_SIZE = 500;

/** Places in a file that are kept for a report; all are counted. */
const PLACES_KEPT = 1000;

/** A tool that its library does not have. */
export interface UnknownTool {
  library: string;
  tool: string;
  /** Lines that name it. */
  count: number;
  /** The numbers of the first of them, from 1. */
  lines: number[];
}

/** What has become of the lines of a file. */
export interface ImportedExperience {
  added: number;
  /** Usages that were there before, by their id. */
  known: number;
  /** Lines that hold no usage. */
  rejected: number;
  /** What is wrong with the first of them; lines count from 1. */
  problems: { line: number; problem: string }[];
  unknownTools: UnknownTool[];
}

/** Gives the ids of the tools of a library, or nothing when the library is not known. */
export type ToolIds = (library: string) => Promise<ReadonlySet<string> | undefined>;

/**
 * Adds the usages of a JSONL file. A line that cannot be used, or whose tool its library does not have,
 * is reported and left out; the file is never in memory as a whole.
 *
 * @param options.library the library of lines that name none
 * @param options.tools asked once for each library; without it, tools are not checked
 * @throws InvalidSetting when there is no such file
 */
export async function importExperience(options: {
  store: Pick<ExperienceStore, "add">;
  file: string;
  library?: string;
  tools?: ToolIds;
}): Promise<ImportedExperience> {
  const { store, file, library, tools } = options;
  await requireFile(file);
  const report = importReport();
  const isKnownTool = toolCheck(tools);
  const at = Date.now();
  let batch: Usage[] = [];
  for await (const read of readJsonLines(file)) {
    const { line } = read;
    const parsed = "row" in read ? usageOfLine({ row: read.row, library, at }) : read;
    if ("problem" in parsed) report.problem(line, parsed.problem);
    else if (await isKnownTool(parsed.usage)) batch.push(parsed.usage);
    else report.unknownTool(line, parsed.usage);
    if (batch.length < BATCH_SIZE) continue;
    report.added(store.add(batch));
    batch = [];
  }
  report.added(store.add(batch));
  return report.soFar();
}

/**
 * Writes the usages of a library, or of all, as a JSONL file that {@link importExperience} reads. It is
 * written beside its place and renamed, so that nobody ever sees half of it.
 *
 * @returns the number of usages
 * @throws InvalidSetting when the file cannot be written
 */
export async function exportExperience(options: {
  store: Pick<ExperienceStore, "usages">;
  file: string;
  library?: string;
}): Promise<number> {
  const { store, file, library } = options;
  const unfinished = `${file}.${randomUUID()}.unfinished`;
  try {
    const count = await writeUsages({ file: unfinished, usages: store.usages({ library }) });
    await rename(unfinished, file);
    return count;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw isFileError(error) ? unusableFile(file, error) : error;
  }
}

async function writeUsages({
  file,
  usages,
}: {
  file: string;
  usages: Iterable<Usage>;
}): Promise<number> {
  const handle = await open(file, "wx");
  try {
    let count = 0;
    let lines = "";
    for (const usage of usages) {
      lines += `${lineOfUsage(usage)}\n`;
      count += 1;
      if (count % BATCH_SIZE > 0) continue;
      await handle.writeFile(lines);
      lines = "";
    }
    await handle.writeFile(lines);
    await handle.sync();
    return count;
  } finally {
    await handle.close();
  }
}

function importReport() {
  const report = { added: 0, known: 0, rejected: 0 };
  const problems: ImportedExperience["problems"] = [];
  const unknownTools = new Map<string, UnknownTool>();
  return {
    added: ({ added, known }: { added: number; known: number }) => {
      report.added += added;
      report.known += known;
    },
    problem: (line: number, problem: string) => {
      report.rejected += 1;
      if (problems.length < PLACES_KEPT) problems.push({ line, problem });
    },
    unknownTool: (line: number, { library, tool }: Usage) => {
      report.rejected += 1;
      const key = JSON.stringify([library, tool]);
      const unknown = unknownTools.get(key) ?? { library, tool, count: 0, lines: [] };
      unknownTools.set(key, unknown);
      unknown.count += 1;
      if (unknown.lines.length < PLACES_KEPT) unknown.lines.push(line);
    },
    soFar: (): ImportedExperience => {
      return { ...report, problems, unknownTools: [...unknownTools.values()] };
    },
  };
}

function toolCheck(tools?: ToolIds): (usage: Usage) => Promise<boolean> {
  const asked = new Map<string, ReadonlySet<string> | undefined>();
  return async ({ library, tool }) => {
    if (!tools) return true;
    if (!asked.has(library)) asked.set(library, await tools(library));
    return asked.get(library)?.has(tool) ?? true;
  };
}

async function requireFile(file: string): Promise<void> {
  try {
    if ((await stat(file)).isDirectory()) throw unusableFile(file, "is a folder");
  } catch (error) {
    throw isFileError(error) ? unusableFile(file, error) : error;
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

function unusableFile(file: string, cause: NodeJS.ErrnoException | string): InvalidSetting {
  const problem = typeof cause === "string" ? cause : `cannot be used (${oneLine(cause.message)})`;
  return new InvalidSetting({
    setting: `experience file ${file}`,
    problem,
    hint: "Name a file with one call of a tool as JSON on each line, or a place where one can be written",
  });
}
