import { startThread } from "../../threads/startThread.js";
import type { ProgramEnd } from "./sandboxMessages.js";
import { type ThreadRun, runInThread } from "./threadRun.js";

/** A thread that runs programs one at a time. */
export interface SandboxThread {
  /**
   * Runs a call to its end, including a failure of the program.
   * @throws when it does not end in time or its signal is aborted; the thread is dead then
   */
  run(request: ThreadRun): Promise<ProgramEnd>;
  /** Whether it is dead and takes no more calls. */
  ended(): boolean;
  end(): Promise<void>;
}

/** For the thread's own values, in megabytes; those of a program are in its engine's memory. */
const HEAP_MB = 128;

/**
 * In megabytes. Nested calls of a program nest in the thread too; the engine's own limit is reached long
 * before.
 */
const STACK_MB = 16;

/**
 * Starts a thread without the process's environment, arguments and streams, so that a program escaping its
 * engine would find nothing to read. An idle thread does not keep the process alive.
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
  // Without this listener, an error between two calls would end the whole process.
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
