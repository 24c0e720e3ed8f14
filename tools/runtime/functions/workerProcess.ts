import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { typeScriptBootstrap } from "../../threads/startThread.js";
import { type ThreadCall, ToolError, answerOf } from "./workerCall.js";
import {
  type HostMessage,
  MEMORY_VARIABLE,
  type WorkerMessage,
  type WorkerResult,
} from "./workerMessages.js";

/** A process that runs one call at a time. */
export interface WorkerProcess {
  /**
   * Runs a call to its end.
   * @throws ToolError with what the function threw or what happened to its process; the signal's reason if
   * aborted
   */
  run(call: ThreadCall): Promise<WorkerResult>;
  /** Whether it has ended, by itself or by an abort, and takes no more calls. */
  ended(): boolean;
  end(): Promise<void>;
}

/** How long a function told of an abort may clean up, in milliseconds. */
const GRACE_MS = 250;

/**
 * How long a process may take to notice an abort, in milliseconds. A computing function only notices it afterwards, and
 * a busy machine may delay it.
 */
const HEARING_MS = 2_000;

/** Heap beyond the limit, in megabytes, so that the watch sees the limit first and reports it in words. */
const HEAP_SLACK_MB = 1_024;

/**
 * Starts a process for users' functions: whatever they do to it (`process.kill`, a crash of a native module,
 * memory) costs the call and not the program. It has this process's environment, because tools take their keys
 * from it. An idle one does not keep this process alive and ends with it.
 *
 * @param request.memoryMb how much memory the functions may use, besides Node itself
 */
export function startWorkerProcess({ memoryMb }: { memoryMb: number }): WorkerProcess {
  const worker = spawnWorker(memoryMb);
  unref(worker);
  let hasEnded = false;
  const markEnded = () => {
    hasEnded = true;
  };
  // Without this listener, a process that cannot be started would end this one.
  worker.on("error", markEnded);
  worker.on("exit", markEnded);
  const terminate = () => void worker.kill("SIGKILL");
  // After the call is answered, nobody is left to tell about a failure.
  worker.on("message", ({ type }: WorkerMessage) => {
    if (type !== "crashed") return;
    markEnded();
    terminate();
  });
  const end = async () => {
    // Do not cut the clean-up short.
    if (hasEnded) return;
    markEnded();
    const gone = once(worker, "exit");
    ref(worker);
    terminate();
    await gone;
  };
  const endSoon = () => {
    // Nothing can be told to a process that has ended.
    if (hasEnded) return;
    markEnded();
    const hearing = setTimeout(terminate, HEARING_MS);
    worker.once("exit", () => clearTimeout(hearing));
    worker.on("message", ({ type }: WorkerMessage) => {
      if (type !== "told") return;
      clearTimeout(hearing);
      setTimeout(terminate, GRACE_MS);
    });
    tell(worker, { type: "abort" });
  };
  return {
    async run(call) {
      ref(worker);
      try {
        const answer = await answerOf({
          ...call,
          worker,
          tell: (said) => tell(worker, said),
          memoryMb,
        });
        if (answer.type === "failed") throw new ToolError(answer.error);
        return answer.result;
      } catch (error) {
        if (!(error instanceof ToolError)) endSoon();
        throw error;
      } finally {
        unref(worker);
      }
    },
    ended: () => hasEnded,
    end,
  };
}

function spawnWorker(memoryMb: number): ChildProcess {
  const entry = new URL(`./worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
  const heap = `--max-old-space-size=${memoryMb + HEAP_SLACK_MB}`;
  return spawn(process.execPath, [heap, "-e", typeScriptBootstrap(entry)], {
    env: { ...process.env, [MEMORY_VARIABLE]: String(memoryMb) },
    // Functions print for people, and standard output is for this process's results.
    stdio: ["ignore", 2, 2, "ipc"],
    serialization: "advanced",
    // Its own process group: a terminal's Ctrl-C is for this process, which ends its calls properly.
    detached: true,
  });
}

/** Failures are handled by the process's events. */
function tell(worker: ChildProcess, message: HostMessage): void {
  worker.send(message, () => undefined);
}

function ref(worker: ChildProcess): void {
  worker.ref();
  worker.channel?.ref();
}

function unref(worker: ChildProcess): void {
  worker.unref();
  worker.channel?.unref();
}
