import { startThread } from "../../threads/startThread.js";
import type { ProgramEnd } from "./sandboxMessages.js";
import { type ThreadRun, runInThread } from "./threadRun.js";

/** A thread that runs programs one at a time. */
export interface SandboxThread {
  /**
   * Runs a call to its end, which may be that the program has failed.
   * @throws when it does not come to one in time, or its signal is aborted; the thread has ended then
   */
  run(request: ThreadRun): Promise<ProgramEnd>;
  /** Whether it has ended and can take no more calls. */
  ended(): boolean;
  end(): Promise<void>;
}

/** For values of the thread itself, in megabytes: those of a program lie in its engine's own memory. */
const HEAP_MB = 128;

/**
 * For nested calls of a program, which nest in the thread, too, in megabytes: an engine's own limit is met
 * long before.
 */
const STACK_MB = 16;

/**
 * Starts a thread. Of the process it gets neither environment nor arguments nor streams: should a program
 * get out of its engine, there is nothing to be read here. An idle thread does not keep the process alive.
 */
export function startSandboxThread(): SandboxThread {
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
  // Without this listener an error that comes between two calls would end the whole process.
  worker.on("error", markEnded);
  worker.on("exit", markEnded);
  const end = async () => {
    markEnded();
    await worker.terminate();
  };
  return {
    async run(request) {
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
