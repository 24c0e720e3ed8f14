import type { Worker } from "node:worker_threads";
import { startThread } from "../workers/startThread.js";
import { jsonResult } from "../engine/jsonResult.js";
import { thrownText } from "../engine/thrownText.js";
import {
  errorLine,
  limitError,
  type SandboxCall,
  type SandboxLimits,
  type HostMessage,
  type ProgramCall,
  type ProgramEnd,
  type ThreadMessage,
  type ToolAnswer,
} from "./sandbox.js";

/** A call for the thread, and the host's callbacks. */
interface ThreadRun extends Pick<SandboxCall, "signal" | "onStarted" | "callTool"> {
  request: ProgramCall;
}

/** For the thread's own values, in megabytes; those of a program are in its engine's memory. */
const HEAP_MB = 128;

/** In megabytes. Nested calls of a program nest in the thread too; the engine's own limit is reached long before. */
const STACK_MB = 16;

/** How long a thread may take to start, in milliseconds. */
const START_MS = 30_000;

/**
 * The engine checks the clock between steps. If a step exceeds the program's time by this much (such as a
 * search through an endless list), the thread is killed; in milliseconds.
 */
const GRACE_MS = 250;

/**
 * Starts a thread without the process's environment, arguments and streams, so that a program escaping its
 * engine would find nothing to read. An idle thread does not keep the process alive.
 */
export function startSandboxThread() {
  const worker = startThread(new URL("./sandboxEntry.js", import.meta.url), {
    env: {},
    argv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, stackSizeMb: STACK_MB },
  });
  worker.unref();
  let hasEnded = false;
  const markEnded = () => {
    hasEnded = true;
  };
  // Without this listener, an error between two calls would end the whole process.
  worker.on("error", markEnded);
  worker.on("exit", markEnded);
  const end = async () => {
    markEnded();
    await worker.terminate();
  };
  return {
    /**
     * Runs a call to its end, including a failure of the program.
     * @throws when it does not end in time or its signal is aborted; the thread is dead then
     */
    async run(request: ThreadRun): Promise<ProgramEnd> {
      worker.ref();
      try {
        return await runInThread({ worker, ...request });
      } catch (error) {
        void end();
        throw error;
      } finally {
        worker.unref();
      }
    },
    ended: () => hasEnded,
    end,
  };
}

/**
 * Sends a call to a thread and waits for its end, including a failure of the program.
 *
 * @throws SandboxLimit, Error or the signal's reason when it gives up waiting; the thread may still be
 * computing and must be killed
 */
async function runInThread({
  worker,
  ...run
}: ThreadRun & { worker: Worker }): Promise<ProgramEnd> {
  const { request, signal } = run;
  const listening = new AbortController();
  const off = { signal: listening.signal };
  const end = new Promise<ProgramEnd>((resolve, reject) => {
    const watch = watchdog(reject, listening.signal);
    watch.expect(START_MS, () => new Error(`the sandbox did not start within ${START_MS} ms`));
    let isStarted = false;
    const hear = (message: ThreadMessage) => {
      if (message.type === "callTool") void answerTool(worker, message, run, listening.signal);
      else if (message.type === "waits") watch.stop();
      else if (message.type === "computes") {
        watch.expect(message.leftMs, () => limitError("time", request.limits));
        if (!isStarted) run.onStarted?.();
        isStarted = true;
      } else resolve(message);
    };
    const lose = (error: unknown) => reject(lostError(error, request.limits));
    signal.addEventListener("abort", () => reject(signal.reason), off);
    worker.on("message", hear).on("error", lose).on("exit", lose);
    off.signal.addEventListener("abort", () => {
      worker.off("message", hear).off("error", lose).off("exit", lose);
    });
    worker.postMessage({ type: "call", call: request } satisfies HostMessage, []);
  });
  try {
    return await end;
  } finally {
    listening.abort();
  }
}

/** Gives up if the expected message does not come in time. */
function watchdog(giveUp: (error: Error) => void, off: AbortSignal) {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  off.addEventListener("abort", stop);
  return {
    expect(ms: number, why: () => Error) {
      stop();
      // In two steps, so that messages that arrived while this process was busy are heard in between.
      timer = setTimeout(() => {
        timer = setTimeout(() => giveUp(why()), GRACE_MS);
      }, ms);
    },
    stop,
  };
}

function lostError(error: unknown, limits: SandboxLimits): Error {
  const isMemory =
    error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  if (isMemory) return limitError("memory", limits);
  const why = typeof error === "number" ? `exit code ${error}` : thrownText(error);
  return new Error(`the thread of the sandbox has ended: ${why}`);
}

/** Call numbers restart with each program, so answers after the end are dropped. */
async function answerTool(
  worker: Worker,
  { id, tool, json }: ThreadMessage & { type: "callTool" },
  { callTool, request }: ThreadRun,
  off: AbortSignal,
): Promise<void> {
  const { resultChars } = request.limits;
  const resultOf = async () => {
    if (callTool === undefined) throw new Error("no tools can be called from here");
    const result = jsonResult(await callTool({ tool, args: JSON.parse(json) as unknown }));
    if (result === undefined || result.length <= resultChars) return result;
    throw new Error(`${tool}: its result has more than ${resultChars} characters as JSON`);
  };
  const answer = await resultOf().then(
    (result): ToolAnswer => ({ type: "answer", id, ok: true, json: result }),
    // The program gets the error, because it may have an alternative.
    (error: unknown): ToolAnswer => ({
      type: "answer",
      id,
      ok: false,
      error: errorLine(error instanceof Error ? error.message : thrownText(error)),
    }),
  );
  if (!off.aborted) worker.postMessage(answer satisfies HostMessage, []);
}
