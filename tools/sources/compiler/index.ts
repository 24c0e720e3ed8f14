import type { ProgramIssue } from "../../../plans/language/program.js";
import type { DraftReading } from "../made/draft.js";
import type { DraftRequest } from "../made/readDraft.js";
import type { ToolRecord, ToolSource } from "../../tool.js";
import type { ReadProgram, ReadingOptions } from "../../../plans/language/readProgram.js";
import { type CompilerEnd, type ProgramTypes, askCompiler } from "./compilerThread.js";

/** Time limit for checking a draft, in milliseconds; an honest one takes a fraction of a second. */
const DRAFT_MS = 20_000;

/** Time limit for a program, in milliseconds; 200 lines take a tenth of it. */
const PROGRAM_MS = 5_000;

/** Characters; longer replies are not searched for a tool. */
const LONGEST_REPLY = 200_000;

/**
 * Reads a model's reply as a tool (`made/readDraft.ts`) in a thread with limits on time and memory, because the
 * types of a hostile draft can keep the compiler busy forever.
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
    const problem = `the types of the tool take too much ${end.met} to check; use simpler types`;
    return refused("types", problem);
  }
  return refused("types", `the code cannot be checked (${end.thrown}); write it more simply`);
}

/** Readings kept: a run reads its program at each visit of a stage. */
const READINGS_KEPT = 100;

const readings = new Map<string, ReadProgram>();

/**
 * Reads a program (`plans/language/readProgram.ts`) in a thread, so that this one need not load the compiler.
 *
 * @throws the signal's reason when it is aborted
 */
export async function programRead(
  text: string,
  options: ReadingOptions,
  signal?: AbortSignal,
): Promise<ReadProgram> {
  const key = JSON.stringify([text, { ...options, functions: [...(options.functions ?? [])] }]);
  const known = readings.get(key);
  if (known) return known;
  const question = { read: "program", request: { text, options } } as const;
  const end = await askCompiler({ question, timeoutMs: PROGRAM_MS, signal });
  if (!("reading" in end)) return { issues: [unchecked("read", end)] };
  const reading = end.reading as ReadProgram;
  readings.set(key, reading);
  const [oldest] = readings.keys();
  if (readings.size > READINGS_KEPT && oldest !== undefined) readings.delete(oldest);
  return reading;
}

/**
 * Checks the types of a program (`plans/language/typeIssues.ts`) in a thread with limits on time and memory, because
 * the schemas of tools come from anywhere. Exceeding a limit is an issue with the whole program.
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
  const end = await askCompiler({ question: { read: "types", request }, timeoutMs, signal });
  return "reading" in end ? (end.reading as ProgramIssue[]) : [unchecked("checked", end)];
}

function unchecked(done: string, end: Exclude<CompilerEnd, { reading: unknown }>): ProgramIssue {
  const why = "met" in end ? `it takes too much ${end.met}` : end.thrown;
  const problem = `the program cannot be ${done} (${why}); write it in fewer and simpler lines`;
  return { kind: "bound", problem };
}

/** Of tools that a reply does not name, only their names and calls are needed. */
function lightTools(tools: readonly ToolRecord[], reply: string): ToolRecord[] {
  return tools.map((tool) => {
    if (reply.includes(tool.id)) return tool;
    const { returns: _unread, ...named } = tool;
    const parameters = { type: "object" as const, properties: {} };
    return { ...named, description: "", parameters, source: lightSource(tool.source) };
  });
}

function lightSource(source: ToolSource): ToolSource {
  if (source.kind === "generated") return { ...source, code: "", program: "", checks: [] };
  if (source.kind !== "program") return source;
  return { ...source, code: "", test: { args: {}, today: "", calls: [], result: null } };
}
