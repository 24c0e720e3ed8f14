import type { CheckedFunction } from "../../../plans/language/check/callProblem.js";
import type { Program, ProgramIssue } from "../../../plans/language/program.js";
import type { ReadProgram, ReadingOptions } from "../../../plans/language/readProgram.js";
import { type CompilerEnd, askCompiler, loadAhead } from "./compilerThread.js";
import { Latest } from "../../../common/bounds.js";

/** Time limit for a program, in milliseconds; 200 lines take a tenth of it. */
const PROGRAM_MS = 5_000;

const MODULES = {
  readProgram: new URL("../../../plans/language/readProgram.js", import.meta.url).href,
  typeIssues: new URL("../../../plans/language/typeIssues.js", import.meta.url).href,
};

/** Readings kept: a run reads its program at each visit of a stage. */
const READINGS_KEPT = 100;

const readings = new Latest<string, ReadProgram>(READINGS_KEPT);

/** Begins to load what reads programs, as while a model is writing one. */
export function loadReader(): void {
  loadAhead(MODULES.readProgram);
}

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
  const question = { module: MODULES.readProgram, reader: "readProgram", given: [text, options] };
  const end = await askCompiler<ReadProgram>({ question, timeoutMs: PROGRAM_MS, signal });
  if (!("reading" in end)) return { issues: [unchecked("read", end)] };
  const { reading } = end;
  readings.set(key, reading);
  return reading;
}

/**
 * Checks the types of a program (`plans/language/typeIssues.ts`) in a thread with limits on time and memory, because
 * the schemas of tools come from anywhere. Exceeding a limit is an issue with the whole program.
 *
 * @throws the signal's reason when it is aborted
 */
export async function checkProgramTypes(options: {
  program: Program;
  /** The functions that it may call. */
  functions: readonly CheckedFunction[];
  timeoutMs?: number;
  signal?: AbortSignal;
}): Promise<ProgramIssue[]> {
  const { program, functions, timeoutMs = PROGRAM_MS, signal } = options;
  const called = new Set(program.calls.map(({ name }) => name));
  const given = [program, functions.filter(({ name }) => called.has(name))];
  const question = { module: MODULES.typeIssues, reader: "typeIssues", given };
  const end = await askCompiler<ProgramIssue[]>({ question, timeoutMs, signal });
  return "reading" in end ? end.reading : [unchecked("checked", end)];
}

function unchecked(done: string, end: Exclude<CompilerEnd, { reading: unknown }>): ProgramIssue {
  const why = "met" in end ? `it takes too much ${end.met}` : end.thrown;
  const problem = `the program cannot be ${done} (${why}); write it in fewer and simpler lines`;
  return { kind: "bound", problem };
}
