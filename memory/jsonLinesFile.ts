import { randomUUID } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { InvalidSetting, oneLine } from "../common/errors.js";
import { readJsonLines } from "../tools/sources/jsonLines.js";

/** Items that are added in one transaction, or written at once: short enough for others to get in. */
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
export interface ImportedLines {
  added: number;
  /** Items that were there before. */
  known: number;
  /** Lines that hold nothing that can be used. */
  rejected: number;
  /** What is wrong with the first of them; lines count from 1. */
  problems: { line: number; problem: string }[];
  unknownTools: UnknownTool[];
}

/** Gives the ids of the tools of a library, or nothing when the library is not known. */
export type ToolIds = (library: string) => Promise<ReadonlySet<string> | undefined>;

/** What a file holds, for the error that says that it cannot be used. */
export interface FileKind {
  /** Such as "experience file". */
  name: string;
  hint: string;
}

/**
 * Adds what the lines of a JSONL file hold. A line that cannot be used, or that names a tool which its
 * library does not have, is reported and left out; the file is never in memory as a whole.
 *
 * @param options.read the item of a line, or what is wrong with it
 * @param options.toolsOf ids of the tools that an item names
 * @param options.tools asked once for each library; without it, tools are not checked
 * @throws InvalidSetting when there is no such file
 */
export async function importLines<Item extends { library: string }>(options: {
  file: string;
  kind: FileKind;
  read: (row: Record<string, unknown>) => { item: Item } | { problem: string };
  toolsOf: (item: Item) => readonly string[];
  add: (items: readonly Item[]) => { added: number; known: number };
  tools?: ToolIds;
}): Promise<ImportedLines> {
  const { file, kind, read, toolsOf, add, tools } = options;
  await requireFile(file, kind);
  const report = importReport();
  const unknownTool = toolCheck(tools);
  let batch: Item[] = [];
  for await (const line of readJsonLines(file)) {
    const parsed = "row" in line ? read(line.row) : line;
    if ("problem" in parsed) {
      report.problem(line.line, parsed.problem);
      continue;
    }
    const { library } = parsed.item;
    const tool = await unknownTool(library, toolsOf(parsed.item));
    if (tool === undefined) batch.push(parsed.item);
    else report.unknownTool(line.line, { library, tool });
    if (batch.length < BATCH_SIZE) continue;
    report.added(add(batch));
    batch = [];
  }
  report.added(add(batch));
  return report.soFar();
}

/**
 * Writes a file of lines. It is written beside its place and renamed, so that nobody ever sees half of it.
 *
 * @returns the number of lines
 * @throws InvalidSetting when the file cannot be written
 */
export async function writeLines(options: {
  file: string;
  kind: FileKind;
  lines: Iterable<string>;
}): Promise<number> {
  const { file, kind, lines } = options;
  const unfinished = `${file}.${randomUUID()}.unfinished`;
  try {
    const count = await writeAll({ file: unfinished, lines });
    await rename(unfinished, file);
    return count;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw isFileError(error) ? unusableFile({ file, kind, cause: error }) : error;
  }
}

async function writeAll(options: { file: string; lines: Iterable<string> }): Promise<number> {
  const handle = await open(options.file, "wx");
  try {
    let count = 0;
    let text = "";
    for (const line of options.lines) {
      text += `${line}\n`;
      count += 1;
      if (count % BATCH_SIZE > 0) continue;
      await handle.writeFile(text);
      text = "";
    }
    await handle.writeFile(text);
    await handle.sync();
    return count;
  } finally {
    await handle.close();
  }
}

function importReport() {
  const report = { added: 0, known: 0, rejected: 0 };
  const problems: ImportedLines["problems"] = [];
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
    unknownTool: (line: number, { library, tool }: Pick<UnknownTool, "library" | "tool">) => {
      report.rejected += 1;
      const key = JSON.stringify([library, tool]);
      const unknown = unknownTools.get(key) ?? { library, tool, count: 0, lines: [] };
      unknownTools.set(key, unknown);
      unknown.count += 1;
      if (unknown.lines.length < PLACES_KEPT) unknown.lines.push(line);
    },
    soFar: (): ImportedLines => {
      return { ...report, problems, unknownTools: [...unknownTools.values()] };
    },
  };
}

/** Finds the first of some tools that their library does not have. */
function toolCheck(
  tools?: ToolIds,
): (library: string, wanted: readonly string[]) => Promise<string | undefined> {
  const asked = new Map<string, ReadonlySet<string> | undefined>();
  return async (library, wanted) => {
    if (!tools) return undefined;
    if (!asked.has(library)) asked.set(library, await tools(library));
    const known = asked.get(library);
    return known && wanted.find((tool) => !known.has(tool));
  };
}

async function requireFile(file: string, kind: FileKind): Promise<void> {
  try {
    if (!(await stat(file)).isDirectory()) return;
  } catch (error) {
    throw isFileError(error) ? unusableFile({ file, kind, cause: error }) : error;
  }
  throw unusableFile({ file, kind, cause: "is a folder" });
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

function unusableFile(options: {
  file: string;
  kind: FileKind;
  cause: NodeJS.ErrnoException | string;
}): InvalidSetting {
  const { file, kind, cause } = options;
  const problem = typeof cause === "string" ? cause : `cannot be used (${oneLine(cause.message)})`;
  return new InvalidSetting({ setting: `${kind.name} ${file}`, problem, hint: kind.hint });
}
