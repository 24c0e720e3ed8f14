import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";
import { cleanParameters, lossesText } from "../../common/schemas/cleanParameters.js";
import { schemaExcess } from "../../common/schemas/size.js";
import { readFlow } from "../library/records/labels.js";
import { pathSteps } from "../calls/workers/exportPath.js";
import { typeScriptBootstrap } from "../calls/workers/startThread.js";
import type { ParametersSchema, SourceProblem, SourceReading, ToolDefinition } from "../tool.js";
import { sourceFile } from "./file.js";
import { WHOLE_FILE, sameName } from "./problems.js";
import { FIELDS, statedSettings } from "./functions/tags.js";

/** One LangChain tool in a module's exports, as plain data. */
export interface ListedTool {
  /** Where it is in the exports (`tools/calls/workers/exportPath.ts`). */
  path: string;
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  schema?: unknown;
  metadata: Record<string, unknown>;
  /** Why it cannot be used. */
  problem?: string;
}

/** The answer of the thread that imports a module. */
export type Listing = { tools: ListedTool[] } | { failure: string };

/** The LangChain tools in a file. */
export interface LangChainReading extends SourceReading {
  /** Names of the exports that contain them, usable or not. */
  exports: string[];
}

/**
 * Reads LangChain's tools in a file's exports: those of `tool()` and of tool classes, alone or in arrays and objects.
 * Their schemas exist only at run time, so a worker thread imports the module, with a time-out.
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
  const listing = await listInThread(path, timeoutMs);
  if ("failure" in listing) {
    const problem = `the tools that it makes when it runs could not be read: ${listing.failure}`;
    const problems = [{ file: path, line: 1, exportName: WHOLE_FILE, problem }];
    return { tools: [], problems, exports: [] };
  }
  const named = new Map(taken.map((tool) => [tool.name, tool]));
  const exports = listing.tools.map(({ path: at }) => pathSteps(at)[0] ?? at);
  const reading: LangChainReading = { tools: [], problems: [], exports };
  for (const listed of listing.tools) {
    const { tool, problems } = readListed(listed, shownAs);
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
        exportName: listed.path,
        problem,
      })),
    );
  }
  return reading;
}

/**
 * Imports a module in a worker thread and lists the tools in its exports. A module that takes too long, exits or fails
 * costs only the thread; the answer is then a `failure` in words.
 */
async function listInThread(file: string, timeoutMs: number): Promise<Listing> {
  const extension = extname(new URL(import.meta.url).pathname);
  const entry = new URL(`./langChainThread${extension}`, import.meta.url);
  const options = { eval: true, workerData: { file }, execArgv: [] };
  const worker = new Worker(typeScriptBootstrap(entry), options);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      const fail = (failure: string): void => resolve({ failure });
      timer = setTimeout(
        () => fail(`importing the module did not end within ${timeoutMs / 1000} s`),
        timeoutMs,
      );
      worker.once("message", (listing: Listing) => resolve(listing));
      worker.once("error", (error) => fail(firstLine(error)));
      worker.once("exit", (code) =>
        fail(`the module ended its process (exit code ${code}) while it was imported`),
      );
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** An error's message without the lines that show code. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split("\n", 1)[0] ?? text;
}

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
  const excess = schemaExcess(schema);
  if (excess !== undefined) return { problem: `cannot be used: ${excess}` };
  const taken = isObject(schema) ? cleanParameters(schema) : undefined;
  if (!taken)
    return { problem: "takes no object; its schema must be an object with named properties" };
  const { $schema: _dialect, ...parameters } = taken.parameters;
  const losses = lossesText(`tool "${name}"`, taken.losses);
  return { parameters, ...(losses && { losses }) };
}
