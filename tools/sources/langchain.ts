import { readFileSync } from "node:fs";
import type { SourceProblem, SourceReading, ToolDefinition } from "../tool.js";
import { sourceFile } from "./file.js";
import { type ListedExport, listInWorker } from "./langchainList.js";
import { readSettings, rootSchema } from "./langchainSettings.js";
import { WHOLE_FILE, sameName } from "./problems.js";

/**
 * Reads a file's exports made with LangChain's `tool()` or its tool classes. Their schemas exist only at run
 * time, so the module is imported in a worker thread with a time-out.
 *
 * Such a tool counts as `write` unless its `metadata.effects` is `read`; `metadata.cost`,
 * `metadata.timeoutMs`, `metadata.approval` and `metadata.flow` are read likewise.
 *
 * @param options.file path of the file
 * @param options.taken tools whose names are taken
 * @param options.timeoutMs how long the import may take
 * @throws InvalidSetting when the file does not exist or is not program text
 */
export async function readLangChainTools({
  file,
  taken = [],
  timeoutMs = 60_000,
}: {
  file: string;
  taken?: readonly ToolDefinition[];
  timeoutMs?: number;
}): Promise<SourceReading> {
  const { path, shownAs } = sourceFile({ file });
  const listing = await listInWorker({ file: path, timeoutMs });
  if ("failure" in listing) {
    const problem = `its LangChain tools could not be read: ${listing.failure}`;
    return { tools: [], problems: [{ file: path, line: 1, exportName: WHOLE_FILE, problem }] };
  }
  const named = new Map(taken.map((tool) => [tool.name, tool]));
  const reading: SourceReading = { tools: [], problems: [] };
  for (const { listed, place } of inSourceOrder({ exports: listing.exports, file: path })) {
    const { tool, problems } = readExport({ listed, file: shownAs, place });
    reading.problems.push(...problems);
    const other = named.get(listed.name);
    if (tool === undefined) continue;
    if (other === undefined) {
      named.set(tool.name, tool);
      reading.tools.push(tool);
    } else {
      const problem = sameName(tool.name, other);
      reading.problems.push({ ...place, exportName: listed.exportName, problem });
    }
  }
  return reading;
}

/**
 * Whether any file imports LangChain's tools, so that importing it is worthwhile. Type-only imports do not
 * count, because importing a module runs it.
 */
export function importsLangChain(files: readonly string[]): boolean {
  return files.some((file) => LANGCHAIN_IMPORT.test(readFileSync(file, "utf8")));
}

const LANGCHAIN_IMPORT =
  /\b(?:import|export)\s+(?!type\b)[^;"']*["'](?:langchain|@langchain\/[\w-]+\/tools)(?:\/[^"']*)?["']/;

/** A module's exports are in alphabetical order. */
function inSourceOrder({ exports, file }: { exports: readonly ListedExport[]; file: string }): {
  listed: ListedExport;
  place: { file: string; line: number };
}[] {
  const text = readFileSync(file, "utf8");
  return exports
    .map((listed) => ({ listed, place: { file, line: lineOfExport(text, listed.exportName) } }))
    .toSorted((left, right) => left.place.line - right.place.line);
}

function readExport({
  listed,
  file,
  place,
}: {
  listed: ListedExport;
  file: string;
  place: { file: string; line: number };
}): { tool?: ToolDefinition; problems: SourceProblem[] } {
  const { exportName, name, description } = listed;
  const settings = readSettings(listed.metadata);
  const schema = "schema" in listed ? rootSchema(listed.schema) : { problem: listed.schemaProblem };
  const texts = [
    ...(description.trim() === "" ? ["has no description; give tool() one"] : []),
    ...("problem" in schema ? [schema.problem] : []),
    ...settings.problems,
  ];
  if (texts.length > 0 || "problem" in schema) {
    const problems = texts.map((text) => ({
      ...place,
      exportName,
      problem: `tool "${name}" ${text}`,
    }));
    return { problems };
  }
  const tool: ToolDefinition = {
    id: name,
    name,
    description: description.trim(),
    parameters: schema.parameters,
    source: { kind: "langchain", file, exportName },
    ...settings.values,
  };
  return { tool, problems: [] };
}

/** The line on which an export is declared or listed; 1 if the text does not show it, as with `export *`. */
function lineOfExport(text: string, exportName: string): number {
  const lines = text.split("\n");
  const name = exportName.replaceAll("$", "\\$");
  const declared = new RegExp(`^\\s*export\\s.*(?<![\\w$])${name}(?![\\w$])`);
  const mentioned = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
  const index = lines.findIndex((line) => declared.test(line));
  const line = index >= 0 ? index : lines.findIndex((candidate) => mentioned.test(candidate));
  return Math.max(line, 0) + 1;
}
