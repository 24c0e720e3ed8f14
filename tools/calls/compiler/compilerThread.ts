import type { Worker } from "node:worker_threads";
import { orAborted } from "../../../common/orAborted.js";
import { openPool } from "../workers/pool.js";
import { thrownText } from "../engine/thrownText.js";
import { startThread } from "../workers/startThread.js";

/** What a thread is to read, and with which function. */
export interface CompilerQuestion {
  /** Address of the file that exports the function. */
  module: string;
  reader: string;
  given: readonly unknown[];
}

/** What a thread sends for each question: first that the needed code is loaded, then its answer. */
export type CompilerMessage<Reading> = "loaded" | CompilerAnswer<Reading>;

/** The reading, or what the compiler threw; after a throw the thread is not used again. */
type CompilerAnswer<Reading> = { reading: Reading } | { thrown: string; tooDeep: boolean };

export type CompilerEnd<Reading = unknown> = CompilerAnswer<Reading> | { met: "time" | "memory" };

/** Heap of the compiler, in megabytes; programs with large packages take some hundreds. */
const MEMORY_MB = 1_024;

/** Stack of the compiler, in megabytes: enough for about 1,500 nested brackets. */
const STACK_MB = 2;

const PLACES = 2;

/** Time limit for loading the compiler, in milliseconds; generous for busy machines. */
const LOAD_MS = 120_000;

/** Most answers are there before the time of the processor is asked for, which takes longer than a look at a clock. */
const UNCOUNTED_MS = 100;

/** How often the time of a limit may pass while other processes keep the machine busy. */
const BUSY = 6;

/** Threads are kept for the next questions, because loading the compiler takes longer than checking a draft. */
const pool = openPool({ name: "the compiler", size: PLACES, start: startCompiler });

/**
 * Asks a thread that runs the TypeScript compiler: the compiler cannot be interrupted, and a few lines of types can
 * keep it busy forever. A thread that exceeds a limit or whose compiler throws is killed; the next question gets a new
 * one.
 *
 * @param request.timeoutMs time limit for the answer, not counting the loading of code; time of the processor, so that a
 *   busy machine refuses no right program, but at most {@link BUSY} times as long by the clock
 * @throws the signal's reason if aborted
 */
export async function askCompiler<Reading>(request: {
  question: CompilerQuestion;
  timeoutMs: number;
  signal?: AbortSignal;
}): Promise<CompilerEnd<Reading>> {
  const { question, timeoutMs, signal = new AbortController().signal } = request;
  signal.throwIfAborted();
  if (loading) await orAborted(signal, loading);
  const asked = () =>
    pool.use((compiler) => compiler.ask<Reading>({ question, timeoutMs, signal }));
  return await pool.enter({ depth: 0, signal, body: asked });
}

let loading: Promise<unknown> | undefined;

/** Has a thread load a module before it is asked, unless one is kept. The next question waits for that. */
export function loadAhead(module: string): void {
  if (pool.hasIdle() || loading) return;
  const question = { module, reader: "", given: [] };
  // Where it fails, the next question says so.
  const asked = askCompiler({ question, timeoutMs: LOAD_MS }).catch(() => undefined);
  loading = asked.finally(() => (loading = undefined));
}

interface Asked {
  question: CompilerQuestion;
  timeoutMs: number;
  signal: AbortSignal;
}

function startCompiler() {
  const thread = startThread(new URL("./compilerEntry.js", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: STACK_MB },
  });
  let hasEnded = false;
  const stop = async () => {
    hasEnded = true;
    await thread.terminate();
  };
  // Without this listener, an error between two questions would end the process.
  thread.on("error", () => undefined);
  thread.on("exit", () => (hasEnded = true));
  return {
    async ask<Reading>(asked: Asked): Promise<CompilerEnd<Reading>> {
      thread.ref();
      let end: CompilerEnd<Reading> | undefined;
      try {
        return (end = await endOf<Reading>({ thread, ...asked }));
      } finally {
        thread.unref();
        if (!end || !("reading" in end)) void stop();
      }
    },
    ended: () => hasEnded,
    end: stop,
  };
}

async function endOf<Reading>(options: Asked & { thread: Worker }): Promise<CompilerEnd<Reading>> {
  const { thread, question, timeoutMs, signal } = options;
  const listening = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<CompilerEnd<Reading>>((resolve, reject) => {
      const on = (event: string, handler: (value: unknown) => void) => {
        thread.on(event, handler);
        listening.signal.addEventListener("abort", () => thread.off(event, handler));
      };
      const startTimer = (ms: number) => {
        clearTimeout(timer);
        const began = performance.now();
        const count = () => {
          const spent = processorMs();
          const look = () => {
            const left = ms - (processorMs() - spent);
            if (left <= 0 || performance.now() - began >= ms * BUSY) resolve({ met: "time" });
            else timer = setTimeout(look, left);
          };
          timer = setTimeout(look, ms);
        };
        timer = setTimeout(count, UNCOUNTED_MS);
      };
      on("message", (message) => {
        if (message === "loaded") startTimer(timeoutMs);
        else resolve(message as CompilerAnswer<Reading>);
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

/** Milliseconds of the processor that this process has used; a thread's own are not known on Node 20. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function crashOf(error: unknown): Exclude<CompilerEnd, { reading: unknown }> {
  const isMemory =
    error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory ? { met: "memory" } : { thrown: thrownText(error), tooDeep: false };
}
