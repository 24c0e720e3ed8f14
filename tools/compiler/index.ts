import type { ProgramIssue } from "../../plans/program/program.js";
import type { DraftReading } from "../generated/draft.js";
import type { DraftRequest } from "../generated/readDraft.js";
import type { FunctionsReading } from "../sources/functions.js";
import { WHOLE_FILE } from "../sources/problems.js";
import { sourceFile } from "../sources/file.js";
import type { ToolRecord, ToolSource } from "../tool.js";
import { type CompilerEnd, askCompiler } from "./compilerThread.js";
import type { ProgramTypes } from "./compilerMessages.js";

/** How long checking a draft may take, in milliseconds; honest ones take a fraction of a second. */
const DRAFT_MS = 20_000;

/** For a user's file, which may import packages with large declarations. */
const FILE_MS = 120_000;

/** For a program, which only has its tools' types; 200 lines take a tenth of this. */
const PROGRAM_MS = 5_000;

/** Longer replies are not searched for a tool. */
const LONGEST_REPLY = 200_000;

/**
 * Reads a model's reply as a tool (`generated/readDraft.ts`) in a thread with limits of time and memory,
 * because the types of a hostile draft can keep the compiler busy forever.
 *
 * @throws the signal's reason when it is aborted
 */
export async function checkedDraft(
  request: DraftRequest,
  { timeoutMs = DRAFT_MS, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<DraftReading> {
  const { reply, tools } = request;
  const code = reply.slice(0, LONGEST_REPLY);
  const refused = (kind: "rules" | "types", problem: string): DraftReading => ({
    ok: false,
    code,
    problems: [{ kind, problem }],
  });
  if (reply.length > LONGEST_REPLY) {
    return refused("rules", `the reply has ${reply.length} characters; at most ${LONGEST_REPLY}`);
  }
  const question = {
    read: "draft",
    request: { ...request, tools: lightTools(tools, reply) },
  } as const;
  const end = await askCompiler({ question, timeoutMs, signal });
  if ("reading" in end) return end.reading as DraftReading;
  if ("met" in end) {
    const limit = end.met === "time" ? "time" : "memory";
    return refused(
      "types",
      `the types of the tool take too much ${limit} to check; use simpler types`,
    );
  }
  return refused("types", `the code cannot be checked (${end.thrown}); write it more simply`);
}

/**
 * Checks the types of a program (`plans/program/typeIssues.ts`) in a thread with limits of time and memory,
 * because schemas of tools come from anywhere. Exceeding a limit is an issue of the whole program.
 *
 * @throws the signal's reason when it is aborted
 */
export async function checkProgramTypes({
  program,
  functions,
  timeoutMs = PROGRAM_MS,
  signal,
}: ProgramTypes & { timeoutMs?: number; signal?: AbortSignal }): Promise<ProgramIssue[]> {
  const called = new Set(program.calls.map(({ name }) => name));
  const request = { program, functions: functions.filter(({ name }) => called.has(name)) };
  const end = await askCompiler({ question: { read: "program", request }, timeoutMs, signal });
  if ("reading" in end) return end.reading as ProgramIssue[];
  const why =
    "met" in end
      ? `checking them takes too much ${end.met}`
      : `they cannot be checked: ${end.thrown}`;
  const problem = `the types of the program are not known (${why}); write it in fewer and simpler lines`;
  return [{ kind: "bound", problem }];
}

/**
 * Reads the exported functions of a file (`sources/functions.ts`) in a thread with limits of time and memory. A
 * file that exceeds one, or nests too deep for the compiler, is a problem as a whole.
 *
 * @throws InvalidSetting when the file does not exist or is not program text
 */
export async function functionsOf(
  request: { file: string; catalog?: string },
  timeoutMs = FILE_MS,
): Promise<FunctionsReading> {
  const { path } = sourceFile(request);
  const end = await askCompiler({ question: { read: "functions", request }, timeoutMs });
  if ("reading" in end) return end.reading as FunctionsReading;
  const problem = `${unreadable(end, timeoutMs)}. Nothing of the file can be used until it is mended`;
  return {
    tools: [],
    problems: [{ file: path, line: 1, exportName: WHOLE_FILE, problem }],
    files: [path],
    others: [],
  };
}

function unreadable(end: Exclude<CompilerEnd, { reading: unknown }>, timeoutMs: number): string {
  if ("thrown" in end) {
    return end.tooDeep
      ? "the file is nested too deep to be read"
      : `the file cannot be read (${end.thrown})`;
  }
  return end.met === "time"
    ? `reading the types of the file did not end within ${timeoutMs / 1_000} s`
    : "reading the types of the file takes too much memory";
}

/** For tools a reply does not name, only their names and calls are needed. */
function lightTools(tools: readonly ToolRecord[], reply: string): ToolRecord[] {
  return tools.map((tool) => (reply.includes(tool.id) ? tool : lightTool(tool)));
}

function lightSource(source: ToolSource): ToolSource {
  if (source.kind === "generated") return { ...source, code: "", program: "", checks: [] };
  if (source.kind !== "program") return source;
  return { ...source, code: "", test: { args: {}, today: "", calls: [], result: null } };
}

function lightTool({ returns: _unread, ...tool }: ToolRecord): ToolRecord {
  const { source } = tool;
  return {
    ...tool,
    description: "",
    parameters: { type: "object", properties: {} },
    source: lightSource(source),
  };
}
