import type { Worker } from "node:worker_threads";
import { thrownText } from "../../calls/engine/thrownText.js";
import { createGates } from "../../calls/engine/gate.js";
import { startThread } from "../../calls/workers/startThread.js";
import type { CheckedFunction } from "../../../plans/language/check/callProblem.js";
import type { Program, ProgramIssue } from "../../../plans/language/program.js";
import type { ReadProgram, ReadingOptions } from "../../../plans/language/readProgram.js";
import type { DraftReading } from "../made/draft.js";
import type { DraftRequest } from "../made/readDraft.js";
import type { FunctionsReading } from "../functions/functions.js";

export type CompilerQuestion =
  | { read: "draft"; request: DraftRequest }
  | { read: "functions"; request: { file: string; catalog?: string } }
  | { read: "program"; request: { text: string; options: ReadingOptions } }
  | { read: "types"; request: ProgramTypes };

/** A model-written program and the functions it may call. */
export interface ProgramTypes {
  program: Program;
  functions: readonly CheckedFunction[];
}

/** What a thread sends for each question: first that the needed code is loaded, then its answer. */
export type CompilerMessage = "loaded" | CompilerAnswer;

/** The reading, or what the compiler threw; after a throw the thread is not used again. */
type CompilerAnswer =
  | { reading: DraftReading | FunctionsReading | ReadProgram | ProgramIssue[] }
  | { thrown: string; tooDeep: boolean };

export type CompilerEnd = CompilerAnswer | { met: "time" | "memory" };

/** Heap of the compiler, in megabytes; programs with large packages take some hundreds. */
const MEMORY_MB = 1_024;

/** Stack of the compiler, in megabytes: enough for about 1,500 nested brackets. */
const STACK_MB = 2;

const PLACES = 2;

/** Time limit for loading the compiler, in milliseconds; generous for busy machines. */
const LOAD_MS = 120_000;

const gates = createGates(PLACES);

/** Kept for the next questions, because loading the compiler takes longer than checking a draft. */
const idle = new Set<Worker>();

/**
 * Asks a thread that runs the TypeScript compiler: the compiler cannot be interrupted, and a few lines of types can
 * keep it busy forever. A thread that exceeds a limit or whose compiler throws is killed; the next question gets a new
 * one.
 *
 * @param request.timeoutMs time limit for the answer, not counting the loading of code
 * @throws the signal's reason if aborted
 */
export async function askCompiler({
  question,
  timeoutMs,
  signal = new AbortController().signal,
}: {
  question: CompilerQuestion;
  timeoutMs: number;
  signal?: AbortSignal;
}): Promise<CompilerEnd> {
  signal.throwIfAborted();
  const body = async () => {
    const [kept] = idle;
    const thread = kept ?? startCompiler();
    idle.delete(thread);
    thread.ref();
    try {
      const end = await endOf({ thread, question, timeoutMs, signal });
      thread.unref();
      if ("reading" in end) idle.add(thread);
      return end;
    } finally {
      if (!idle.has(thread)) void thread.terminate();
    }
  };
  return await gates.enter({ key: "compiler", signal, body });
}

function startCompiler(): Worker {
  const thread = startThread(new URL("./compilerEntry.js", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: STACK_MB },
  });
  // Without this listener, an error between two questions would end the process.
  thread.on("error", () => undefined);
  thread.on("exit", () => idle.delete(thread));
  return thread;
}

async function endOf({
  thread,
  question,
  timeoutMs,
  signal,
}: {
  thread: Worker;
  question: CompilerQuestion;
  timeoutMs: number;
  signal: AbortSignal;
}): Promise<CompilerEnd> {
  const listening = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<CompilerEnd>((resolve, reject) => {
      const on = (event: string, handler: (value: unknown) => void) => {
        thread.on(event, handler);
        listening.signal.addEventListener("abort", () => thread.off(event, handler));
      };
      const startTimer = (ms: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => resolve({ met: "time" }), ms);
      };
      on("message", (message) => {
        if (message === "loaded") startTimer(timeoutMs);
        else resolve(message as CompilerAnswer);
      });
      on("error", (error) => resolve(crashOf(error)));
      on("exit", (code) => resolve({ thrown: `it ended with ${String(code)}`, tooDeep: false }));
      const cancel = () => reject(signal.reason);
      signal.addEventListener("abort", cancel, { signal: listening.signal });
      startTimer(LOAD_MS);
      thread.postMessage(question, []);
    });
  } finally {
    clearTimeout(timer);
    listening.abort();
  }
}

function crashOf(error: unknown): CompilerEnd {
  const isMemory =
    error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory ? { met: "memory" } : { thrown: thrownText(error), tooDeep: false };
}
