import { readFileSync } from "node:fs";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";
import { schemaExcess } from "../../common/schemas/size.js";
import { type ToolFlow, readFlow } from "../flow/labels.js";
import { pathSteps } from "../threads/exportPath.js";
import type { ParametersSchema, SourceProblem, SourceReading, ToolDefinition } from "../tool.js";
import { sourceFile } from "./file.js";
import { type ListedTool, listInWorker } from "./kitList.js";
import { WHOLE_FILE, sameName } from "./problems.js";
import { COMMON_SETTINGS, statedSettings } from "./settings.js";

/** The tools of kits in a file. */
export interface KitReading extends SourceReading {
  /** Names of the exports that contain them, usable or not. */
  exports: string[];
}

/**
 * Reads the tools in a file's exports that are made with a kit: LangChain's `tool()` and tool classes, `tool()` of
 * Vercel's AI SDK, `createTool()` of Mastra. They may be exported alone, or in arrays and objects. Their schemas exist
 * only at run time, so a worker thread imports the module, with a time-out.
 *
 * Such a tool counts as `write` unless it says otherwise: LangChain's in `metadata` (`effects`, `cost`, `timeoutMs`,
 * `approval`, `flow`), the AI SDK's in `providerOptions.tulipgraph` (the same settings), Mastra's in `mcp.annotations`.
 *
 * @param options.file path of the file
 * @param options.taken tools whose names are taken
 * @param options.timeoutMs time limit for the import
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
  for (const { listed, place } of inSourceOrder(listing.tools, path)) {
    const { tool, problems } = readListed(listed, shownAs, place);
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
 * Whether any file imports what makes tools of a kit, so that running it is worthwhile. Type-only imports do not count:
 * importing a module runs it, so there must be a reason.
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

/** At run time a module's exports are in alphabetical order. */
function inSourceOrder(
  tools: readonly ListedTool[],
  file: string,
): {
  listed: ListedTool;
  place: { file: string; line: number };
}[] {
  const text = readFileSync(file, "utf8");
  return tools
    .map((listed) => ({ listed, place: { file, line: lineOfExport(text, exportOf(listed)) } }))
    .toSorted((left, right) => left.place.line - right.place.line);
}

function readListed(
  listed: ListedTool,
  file: string,
  place: { file: string; line: number },
): { tool?: ToolDefinition; problems: SourceProblem[] } {
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

type KitSettings = Pick<ToolDefinition, "effects" | "cost" | "timeoutMs" | "approval"> & ToolFlow;

const SETTINGS = {
  ...COMMON_SETTINGS,
  approval: { form: "true or false", fits: (value: unknown) => typeof value === "boolean" },
};

/** The settings that a tool of a kit carries for us, and problems with the others. */
function readSettings({ place, values: fields }: ListedTool["settings"]): {
  values: KitSettings;
  problems: string[];
} {
  const shownAs = (key: string): string => `${place}.${key}`;
  const { values, problems } = statedSettings({ settings: SETTINGS, fields, shownAs });
  const settings = { effects: "write", ...values, ...readFlow(values.flow) } as KitSettings;
  return { values: settings, problems };
}

/** A schema as a tool's parameters: an object with `properties`, without `$schema`. */
function rootSchema(schema: unknown): { parameters: ParametersSchema } | { problem: string } {
  if (!isObject(schema) || schema.type !== "object") {
    return { problem: "takes no object; its schema must be an object with named properties" };
  }
  const excess = schemaExcess(schema);
  if (excess !== undefined) return { problem: `cannot be used: ${excess}` };
  const { $schema: _dialect, properties = {}, ...rest } = schema;
  return { parameters: { ...rest, properties } as ParametersSchema };
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
