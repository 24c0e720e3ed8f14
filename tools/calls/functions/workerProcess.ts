import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { typeScriptBootstrap } from "../workers/startThread.js";
import {
  type HostMessage,
  MEMORY_VARIABLE,
  type WorkerMessage,
  OUT_OF_MEMORY,
  ThreadLost,
  ToolError,
  type WorkerCall,
} from "./workerMessages.js";
import { thrownText } from "../engine/thrownText.js";
import { SandboxLimit, limitError } from "../sandbox/sandbox.js";

/** A process that runs one call at a time. */
export type WorkerProcess = ReturnType<typeof startWorkerProcess>;

/** Default memory limit for the functions of one process, in megabytes. */
export const MEMORY_MB = 512;

/**
 * How long a function told of an abort may clean up, in milliseconds; and how long a program in the sandbox may exceed its
 * time: the engine checks the clock between steps, and one of them may be a search through an endless list.
 */
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
 * @param memoryMb how much memory the functions may use, besides Node itself
 */
export function startWorkerProcess(memoryMb: number, environment: NodeJS.ProcessEnv = process.env) {
  const worker = spawnWorker(memoryMb, environment);
  unref(worker);
  let hasEnded = false;
  const markEnded = () => void (hasEnded = true);
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
    /**
     * Runs a call to its end.
     * @returns the result as JSON text; undefined if there is none
     * @throws ToolError with what the function threw or what happened to its process; the signal's reason if aborted
     */
    async run(call: ThreadCall): Promise<string | undefined> {
      ref(worker);
      try {
        const answer = await answerOf(worker, memoryMb, call).catch((error: unknown) => {
          // A program has nothing to clean up.
          if ("program" in call.call) void end();
          else endSoon();
          throw error;
        });
        if (answer.type === "done") return answer.resultJson;
        throw answer.isLimit ? new SandboxLimit(answer.error) : new ToolError(answer.error);
      } finally {
        unref(worker);
      }
    },
    ended: () => hasEnded,
    end,
  };
}

function spawnWorker(memoryMb: number, environment: NodeJS.ProcessEnv): ChildProcess {
  const entry = new URL(`./worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
  const heap = `--max-old-space-size=${memoryMb + HEAP_SLACK_MB}`;
  return spawn(process.execPath, [heap, "-e", typeScriptBootstrap(entry)], {
    env: { ...environment, [MEMORY_VARIABLE]: String(memoryMb) },
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

/** A call for a worker, and the host's callbacks. */
export interface ThreadCall {
  call: WorkerCall;
  /** Aborted when the call must end: the function is told, and its process is killed shortly after. */
  signal: AbortSignal;
  /** Called when the file is imported; the function starts once this has succeeded. */
  onReady: () => Promise<void>;
  callTool: (call: { tool: string; args: unknown }) => Promise<unknown>;
}

/** How long a user's file may take to be imported, in milliseconds. */
const LOAD_MS = 60_000;

type Answer = WorkerMessage & { type: "done" | "failed" };

/**
 * Sends a call to a worker and waits for its answer, including a failure of the function.
 *
 * @throws ThreadLost when no answer can come any more; the signal's reason if aborted
 */
async function answerOf(
  worker: ChildProcess,
  memoryMb: number,
  request: ThreadCall,
): Promise<Answer> {
  const { call, signal } = request;
  const listening = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const answer = new Promise<Answer>((resolve, reject) => {
    const lose = (problem: string) => reject(new ThreadLost(problem));
    const start = async () => {
      clearTimeout(timer);
      try {
        await request.onReady();
        signal.throwIfAborted();
        tell(worker, { type: "start" });
      } catch (error) {
        reject(error);
      }
    };
    const hear = (heard: unknown) => {
      const message = heard as WorkerMessage;
      if (message.type === "ready") void start();
      else if (message.type === "callTool") void answerTool(worker, message, request);
      else if (message.type === "crashed") lose(`not caught in the function: ${message.error}`);
      else if (message.type === "waits") clearTimeout(timer);
      else if (message.type === "computes") watch(message.leftMs);
      else if (message.type !== "told") resolve(message);
    };
    const watch = (leftMs: number) => {
      clearTimeout(timer);
      // In two steps, so that messages that arrived while this process was busy are heard in between.
      timer = setTimeout(() => {
        timer = setTimeout(
          () => "limits" in call && reject(limitError("time", call.limits)),
          GRACE_MS,
        );
      }, leftMs);
    };
    const fail = (error: unknown) => lose(thrownText(error));
    const exit = (code: number | null, by: string | null) => {
      if ("limits" in call && by === OUT_OF_MEMORY) reject(limitError("memory", call.limits));
      else lose(exitText(code, by, memoryMb));
    };
    worker.on("message", hear).on("error", fail).on("exit", exit);
    listening.signal.addEventListener("abort", () => {
      worker.off("message", hear).off("error", fail).off("exit", exit);
    });
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { signal: listening.signal });
    const what = "file" in call ? call.file : "the sandbox";
    timer = setTimeout(() => lose(`${what} did not load within ${LOAD_MS / 1_000} s`), LOAD_MS);
    tell(worker, { type: "call", call });
  });
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    listening.abort();
  }
}

/** @param by the signal that killed the process */
function exitText(code: number | null, by: string | null, memoryMb: number): string {
  if (by === OUT_OF_MEMORY)
    return `the function needed more than ${memoryMb} MB of memory and was ended`;
  return `the function ended its process (${by ?? `exit code ${String(code)}`})`;
}

async function answerTool(
  worker: ChildProcess,
  { id, tool, args }: WorkerMessage & { type: "callTool" },
  request: ThreadCall,
): Promise<void> {
  const reply = await request.callTool({ tool, args }).then(
    (result) => ({ ok: true, result }) as const,
    (error: unknown) => ({
      ok: false as const,
      error: error instanceof Error ? error.message : thrownText(error),
    }),
  );
  tell(worker, { type: "answer", id, ...reply });
}
