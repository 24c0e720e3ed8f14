import { orAborted } from "../../../common/orAborted.js";
import { type ThreadFailed, startAsked } from "../workers/askedThread.js";
import { openPool } from "../workers/pool.js";

/** What a thread is to read, and with which function. */
export interface CompilerQuestion {
  /** Address of the file that exports the function. */
  module: string;
  reader: string;
  given: readonly unknown[];
}

/** The reading, what the compiler threw, or the limit that it met; after either, the thread is not used again. */
export type CompilerEnd<Reading = unknown> =
  | { reading: Reading }
  | { thrown: string }
  | { met: "time" | "memory" };

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
 * @param request.timeoutMs time limit for the answer, not counting the loading of the compiler; time of the processor, so that a
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
  return await pool.enter({ key: "", signal, body: asked });
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
  const { ask, loaded, ended, end } = startAsked(new URL("./compilerEntry.js", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: STACK_MB },
  });
  return {
    ended,
    end,
    async ask<Reading>({ question, timeoutMs, signal }: Asked): Promise<CompilerEnd<Reading>> {
      const limit = timeLimit(LOAD_MS);
      void loaded.then(() => limit.start(timeoutMs));
      const answer = ask(question).then(
        (reading): CompilerEnd<Reading> => ({ reading: reading as Reading }),
        failureOf,
      );
      let found: CompilerEnd<Reading> | undefined;
      try {
        return (found = await orAborted(signal, Promise.race([answer, limit.met])));
      } finally {
        limit.stop();
        if (!found || !("reading" in found)) void end();
      }
    },
  };
}

/** A time limit, which can be started anew. */
function timeLimit(firstMs: number) {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let tell: (() => void) | undefined;
  const met = new Promise<{ met: "time" }>((resolve) => (tell = () => resolve({ met: "time" })));
  const start = (ms: number) => {
    clearTimeout(timer);
    if (isOver) return;
    const began = performance.now();
    timer = setTimeout(() => {
      const spent = processorMs();
      const look = () => {
        const left = ms - (processorMs() - spent);
        if (left <= 0 || performance.now() - began >= ms * BUSY) tell?.();
        else timer = setTimeout(look, left);
      };
      timer = setTimeout(look, ms);
    }, UNCOUNTED_MS);
  };
  start(firstMs);
  return {
    met,
    start,
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** Milliseconds of the processor that this process has used; a thread's own are not known on Node 20. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function failureOf({ message, cause }: ThreadFailed): Exclude<CompilerEnd, { reading: unknown }> {
  const { code } = Object(cause) as { code?: unknown };
  return code === "ERR_WORKER_OUT_OF_MEMORY" ? { met: "memory" } : { thrown: message };
}
