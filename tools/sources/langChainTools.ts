import { readFileSync } from "node:fs";
import { messageOf } from "../../common/errors.js";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";
import { cleanSchemas } from "../../common/schemas/cleanParameters.js";
import { readFlow } from "../library/records/labels.js";
import { pathSteps } from "../calls/workers/exportPath.js";
import type { ListedTool } from "../calls/functions/listedTools.js";
import { MEMORY_MB, startWorkerProcess } from "../calls/functions/workerProcess.js";
import type { ParametersSchema, SourceProblem, SourceReading, ToolDefinition } from "../tool.js";
import { sourceFile } from "./file.js";
import { WHOLE_FILE, sameName } from "./problems.js";
import { FIELDS, statedSettings } from "./functions/tags.js";

/** The LangChain tools in a file. */
export interface LangChainReading extends SourceReading {
  /** Names of the exports that contain them, usable or not. */
  exports: string[];
}

/**
 * Reads LangChain's tools in a file's exports: those of `tool()` and of tool classes, alone or in arrays and objects.
 * Their schemas exist only at run time, so a process of its own imports the module, with a time-out.
 *
 * Such a tool counts as `write` unless its `metadata` says otherwise (`effects`, `cost`, `timeoutMs`, `approval`,
 * `flow`).
 *
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
}): Promise<LangChainReading> {
  const { path, shownAs } = sourceFile(file);
  const listed = await listIn(path, timeoutMs).catch((error: unknown) => messageOf(error));
  if (typeof listed === "string") {
    const problem = `the tools that it makes when it runs could not be read: ${listed}`;
    const problems = [{ file: path, line: 1, exportName: WHOLE_FILE, problem }];
    return { tools: [], problems, exports: [] };
  }
  const named = new Map(taken.map((tool) => [tool.name, tool]));
  const exports = listed.map(({ path: at }) => pathSteps(at)[0] ?? at);
  const reading: LangChainReading = { tools: [], problems: [], exports };
  for (const one of listed) {
    const { tool, problems } = readListed(one, shownAs);
    const other = tool && named.get(tool.name);
    if (other) problems.push(sameName(tool.name, other));
    else if (tool) {
      named.set(tool.name, tool);
      reading.tools.push(tool);
    }
    reading.problems.push(
      ...problems.map((problem): SourceProblem => ({
        file: path,
        line: 1,
        exportName: one.path,
        problem,
      })),
    );
  }
  return reading;
}

/**
 * Imports a module in a process of its own, as for a call of its functions, and lists the tools in its exports.
 *
 * @throws Error in one line for a module that takes too long, exits or fails
 */
async function listIn(file: string, timeoutMs: number): Promise<ListedTool[]> {
  const worker = startWorkerProcess(MEMORY_MB);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const call = { file, exportName: "", kind: "listing" as const, args: [] };
    const json = await worker.run({ call, signal, onReady: NOTHING, callTool: NOTHING });
    return JSON.parse(json ?? "[]") as ListedTool[];
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`importing the module did not end within ${timeoutMs / 1000} s`, {
      cause: error,
    });
  } finally {
    await worker.end();
  }
}

/** Importing a module calls no tools. */
const NOTHING = async () => undefined;

/**
 * Whether any file imports from LangChain, so that running it is worthwhile. Type-only imports do not count: importing a
 * module runs it, so there must be a reason.
 */
export function importsLangChain(files: readonly string[]): boolean {
  return files.some((file) => LANGCHAIN_IMPORT.test(readFileSync(file, "utf8")));
}

const LANGCHAIN_IMPORT =
  /\b(?:import|export)\s+(?!type\b)[^;"']*["'](?:langchain|@langchain\/[\w-]+)(?:\/[^"']*)?["']/;

function readListed(
  { path, name, description, schema, metadata, problem }: ListedTool,
  file: string,
): { tool?: ToolDefinition; problems: string[] } {
  const settings = statedSettings(FIELDS, metadata, (key) => `metadata.${key}`);
  const root = problem === undefined ? rootSchema(name, schema) : { problem };
  const texts = [
    ...(description.trim() === "" ? ["has no description; give tool() one"] : []),
    ...("problem" in root ? [root.problem] : []),
    ...settings.problems,
  ];
  if (texts.length > 0 || "problem" in root)
    return { problems: texts.map((text) => `tool "${name}" ${text}`) };
  const tool = {
    id: name,
    name,
    description: description.trim(),
    parameters: root.parameters,
    source: { kind: "langchain", file, exportName: path },
    effects: "write",
    ...settings.values,
    ...readFlow(settings.values.flow),
  } as ToolDefinition;
  return { tool, problems: root.losses === undefined ? [] : [root.losses] };
}

/** A schema as a tool's parameters: cleaned, and without `$schema`. */
function rootSchema(
  name: string,
  schema: unknown,
): { parameters: ParametersSchema; losses?: string } | { problem: string } {
  if (!isObject(schema)) return { problem: NO_OBJECT };
  const { schemas, losses, excess } = cleanSchemas(`tool "${name}"`, { parameters: schema });
  if (!schemas) return { problem: excess === undefined ? NO_OBJECT : `cannot be used: ${excess}` };
  const { $schema: _dialect, ...parameters } = schemas.parameters;
  return { parameters, ...(losses && { losses }) };
}

const NO_OBJECT = "takes no object; its schema must be an object with named properties";
