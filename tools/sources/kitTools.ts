import { readFileSync } from "node:fs";
import { pathSteps } from "../threads/exportPath.js";
import type { SourceProblem, SourceReading, ToolDefinition } from "../tool.js";
import { sourceFile } from "./file.js";
import { type ListedTool, listInWorker } from "./kitList.js";
import { readSettings, rootSchema } from "./kitSettings.js";
import { WHOLE_FILE, sameName } from "./problems.js";

/** The tools of kits in a file. */
export interface KitReading extends SourceReading {
  /** Names of the exports that hold them, usable or not. */
  exports: string[];
}

/**
 * Reads the tools in a file's exports that are made with a kit: LangChain's `tool()` and tool classes, `tool()` of
 * Vercel's AI SDK, `createTool()` of Mastra. They may be exported alone, or in arrays and objects. Their schemas exist
 * only at run time, so the module is imported in a worker thread with a time-out.
 *
 * Such a tool counts as `write` unless it says otherwise: LangChain's in `metadata` (`effects`, `cost`, `timeoutMs`,
 * `approval`, `flow`), the AI SDK's likewise in `providerOptions.tulipgraph`, Mastra's in `mcp.annotations`.
 *
 * @param options.file path of the file
 * @param options.taken tools whose names are taken
 * @param options.timeoutMs how long the import may take
 * @throws InvalidSetting when the file does not exist or is not program text
 */
export async function readKitTools({
  file,
  taken = [],
  timeoutMs = 60_000,
}: {
  file: string;
  taken?: readonly ToolDefinition[];
  timeoutMs?: number;
}): Promise<KitReading> {
  const { path, shownAs } = sourceFile({ file });
  const listing = await listInWorker({ file: path, timeoutMs });
  if ("failure" in listing) {
    const problem = `the tools that it makes when it runs could not be read: ${listing.failure}`;
    const problems = [{ file: path, line: 1, exportName: WHOLE_FILE, problem }];
    return { tools: [], problems, exports: [] };
  }
  const named = new Map(taken.map((tool) => [tool.name, tool]));
  const exports = listing.tools.map((listed) => exportOf(listed));
  const reading: KitReading = { tools: [], problems: [], exports };
  for (const { listed, place } of inSourceOrder({ tools: listing.tools, file: path })) {
    const { tool, problems } = readListed({ listed, file: shownAs, place });
    reading.problems.push(...problems);
    if (tool === undefined) continue;
    const other = named.get(tool.name);
    if (other === undefined) {
      named.set(tool.name, tool);
      reading.tools.push(tool);
    } else {
      const problem = sameName(tool.name, other);
      reading.problems.push({ ...place, exportName: listed.path, problem });
    }
  }
  return reading;
}

/**
 * Whether any file imports what makes tools of a kit, so that running it is worthwhile. Type-only imports do not
 * count, because importing a module runs it.
 */
export function importsKit(files: readonly string[]): boolean {
  return files.some((file) => {
    const text = readFileSync(file, "utf8");
    return KIT_IMPORTS.some((pattern) => pattern.test(text));
  });
}

const KIT_IMPORTS = [
  /\b(?:import|export)\s+(?!type\b)[^;"']*["'](?:langchain|@langchain\/[\w-]+\/tools)(?:\/[^"']*)?["']/,
  /\bimport\s+(?!type\b)[^;"']*\b(?:tool|dynamicTool)\b[^;"']*["']ai["']/,
  /\bimport\s+(?!type\b)[^;"']*\bcreateTool\b[^;"']*["']@mastra\/core(?:\/[^"']*)?["']/,
];

function exportOf({ path }: ListedTool): string {
  return pathSteps(path)[0] ?? path;
}

/** A module's exports are in alphabetical order. */
function inSourceOrder({ tools, file }: { tools: readonly ListedTool[]; file: string }): {
  listed: ListedTool;
  place: { file: string; line: number };
}[] {
  const text = readFileSync(file, "utf8");
  return tools
    .map((listed) => ({ listed, place: { file, line: lineOfExport(text, exportOf(listed)) } }))
    .toSorted((left, right) => left.place.line - right.place.line);
}

function readListed({
  listed,
  file,
  place,
}: {
  listed: ListedTool;
  file: string;
  place: { file: string; line: number };
}): { tool?: ToolDefinition; problems: SourceProblem[] } {
  const { path, kit, name, description, returns } = listed;
  const settings = readSettings(listed.settings);
  const schema =
    listed.problem === undefined ? rootSchema(listed.schema) : { problem: listed.problem };
  const texts = [
    ...(description.trim() === "" ? ["has no description; give tool() one"] : []),
    ...("problem" in schema ? [schema.problem] : []),
    ...settings.problems,
  ];
  if (texts.length > 0 || "problem" in schema) {
    const problems = texts.map((text) => ({
      ...place,
      exportName: path,
      problem: `tool "${name}" ${text}`,
    }));
    return { problems };
  }
  const tool: ToolDefinition = {
    id: name,
    name,
    description: description.trim(),
    parameters: schema.parameters,
    ...(isObject(returns) ? { returns } : {}),
    source: { kind: kit, file, exportName: path },
    ...settings.values,
  };
  return { tool, problems: [] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
