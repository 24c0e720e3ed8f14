import type { Worker } from "node:worker_threads";
import { errorText } from "./errorText.js";
import type { HostMessage, WorkerCall, WorkerMessage } from "./workerMessages.js";

/** A call that a worker runs, and the host's part in it. */
export interface ThreadCall {
  call: WorkerCall;
  /** Aborted when the call has to end: the function is told, and shortly after its thread is ended. */
  signal: AbortSignal;
  /** The file is imported; the function starts when this has returned, and not if it throws. */
  onReady: () => void;
  callTool: (call: { tool: string; args: unknown }) => Promise<unknown>;
}

/** What a tool's function threw, in one line. */
export class ToolError extends Error {}

/** The thread of a call has ended before its function, or its file could not be imported in time. */
export class ThreadLost extends Error {}

/** How long a user's file may take to be imported, in milliseconds. */
const LOAD_MS = 60_000;

type Answer = WorkerMessage & { type: "done" | "failed" };

/**
 * Sends a call to a worker and waits for its answer, which may be that the function has failed.
 *
 * @throws ThreadLost when no answer can come any more; the signal's reason when it is aborted
 */
export async function answerOf({
  worker,
  memoryMb,
  ...request
}: ThreadCall & { worker: Worker; memoryMb: number }): Promise<Answer> {
  const { call, signal } = request;
  const listening = new AbortController();
  let loading: NodeJS.Timeout | undefined;
  const answer = new Promise<Answer>((resolve, reject) => {
    const lose = (problem: string) => reject(new ThreadLost(problem));
    const start = () => {
      clearTimeout(loading);
      try {
        request.onReady();
        worker.postMessage({ type: "start" } satisfies HostMessage, []);
      } catch (error) {
        reject(error);
      }
    };
    const hear = (heard: unknown) => {
      const message = heard as WorkerMessage;
      if (message.type === "ready") start();
      else if (message.type === "callTool") void answerTool({ worker, message, request });
      else if (message.type !== "told") resolve(message);
    };
    const { signal: off } = listening;
    listen({ worker, event: "message", handler: hear, off });
    listen({ worker, event: "messageerror", handler: (error) => lose(errorText(error)), off });
    listen({
      worker,
      event: "error",
      handler: (error) => lose(crashText({ error, memoryMb })),
      off,
    });
    listen({ worker, event: "exit", handler: (code) => lose(exitText(code)), off });
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { signal: listening.signal });
    const seconds = LOAD_MS / 1_000;
    loading = setTimeout(() => lose(`${call.file} did not load within ${seconds} s`), LOAD_MS);
    worker.postMessage({ type: "call", call } satisfies HostMessage, []);
  });
  try {
    return await answer;
  } finally {
    clearTimeout(loading);
    listening.abort();
  }
}

/** Until `off` is aborted. */
function listen({
  worker,
  event,
  handler,
  off,
}: {
  worker: Worker;
  event: string;
  handler: (value: unknown) => void;
  off: AbortSignal;
}): void {
  worker.on(event, handler);
  off.addEventListener("abort", () => worker.off(event, handler), { once: true });
}

function exitText(code: unknown): string {
  return `the function ended its thread (exit code ${String(code)})`;
}

async function answerTool({
  worker,
  message: { id, tool, args },
  request,
}: {
  worker: Worker;
  message: WorkerMessage & { type: "callTool" };
  request: ThreadCall;
}): Promise<void> {
  const reply = await request.callTool({ tool, args }).then(
    (result) => ({ ok: true, result }) as const,
    (error: unknown) => ({
      ok: false as const,
      error: error instanceof Error ? error.message : errorText(error),
    }),
  );
  worker.postMessage({ type: "answer", id, ...reply } satisfies HostMessage, []);
}

function crashText({ error, memoryMb }: { error: unknown; memoryMb: number }): string {
  const isMemory =
    error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory
    ? `the function needed more than ${memoryMb} MB of memory and was ended`
    : `not caught in the function: ${errorText(error)}`;
}
