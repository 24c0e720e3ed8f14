import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { typeScriptBootstrap } from "../threads/bootstrap.js";
import { type ThreadCall, ToolError, answerOf } from "./workerCall.js";
import type { HostMessage, WorkerMessage, WorkerResult } from "./workerMessages.js";

/** A worker thread that runs one call at a time. */
export interface WorkerThread {
  /**
   * Runs a call to its end.
   * @throws ToolError with what the function threw or what became of its thread; the signal's reason
   * when it is aborted
   */
  run(call: ThreadCall): Promise<WorkerResult>;
  /** Whether it has ended, by itself or by an abort, and can take no more calls. */
  ended(): boolean;
  end(): Promise<void>;
}

/** A function that was told of an abort gets this long to put things in order, in milliseconds. */
const GRACE_MS = 250;

/**
 * A thread that computes hears of an abort only afterwards, and one on a busy machine when it gets its turn:
 * it gets this long to hear of it, in milliseconds.
 */
const HEARING_MS = 2_000;

/**
 * Starts a thread. It has a copy of the process's environment, because tools take their keys from it.
 * An idle thread does not keep the process alive.
 *
 * @param request.memoryMb how much memory the functions' values may take
 */
export function startWorkerThread({ memoryMb }: { memoryMb: number }): WorkerThread {
  const entry = new URL(`./worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
  const worker = new Worker(typeScriptBootstrap(entry), {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  worker.unref();
  let hasEnded = false;
  const markEnded = () => {
    hasEnded = true;
  };
  // What fails after its call has been answered has nobody left to tell. Without this listener it
  // would end the whole process.
  worker.on("error", markEnded);
  worker.on("exit", markEnded);
  const end = async () => {
    // One that is given its time to put things in order is not cut short.
    if (hasEnded) return;
    markEnded();
    await worker.terminate();
  };
  const endSoon = () => {
    // One that has ended by itself can be told no more.
    if (hasEnded) return;
    markEnded();
    const terminate = () => void worker.terminate();
    const hearing = setTimeout(terminate, HEARING_MS);
    worker.once("exit", () => clearTimeout(hearing));
    worker.on("message", ({ type }: WorkerMessage) => {
      if (type !== "told") return;
      clearTimeout(hearing);
      setTimeout(terminate, GRACE_MS);
    });
    worker.postMessage({ type: "abort" } satisfies HostMessage, []);
  };
  return {
    async run(call) {
      worker.ref();
      try {
        const answer = await answerOf({ ...call, worker, memoryMb });
        if (answer.type === "failed") throw new ToolError(answer.error);
        return answer.result;
      } catch (error) {
        if (!(error instanceof ToolError)) endSoon();
        throw error;
      } finally {
        worker.unref();
      }
    },
    ended: () => hasEnded,
    end,
  };
}
