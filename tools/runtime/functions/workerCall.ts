import type { ChildProcess } from "node:child_process";
import { thrownText } from "../calls/thrownText.js";
import {
  type HostMessage,
  OUT_OF_MEMORY,
  type WorkerCall,
  type WorkerMessage,
} from "./workerMessages.js";

/** A call for a worker, and the host's callbacks. */
export interface ThreadCall {
  call: WorkerCall;
  /** Aborted when the call must end: the function is told, and its process is killed shortly after. */
  signal: AbortSignal;
  /** Called when the file is imported; the function starts once this has succeeded. */
  onReady: () => Promise<void>;
  callTool: (call: { tool: string; args: unknown }) => Promise<unknown>;
}

/** What a tool's function threw, in one line. */
export class ToolError extends Error {}

/** The process died before its function ended, or the file could not be imported in time. */
export class ThreadLost extends Error {}

/** How long a user's file may take to be imported, in milliseconds. */
const LOAD_MS = 60_000;

type Tell = (message: HostMessage) => void;

type Answer = WorkerMessage & { type: "done" | "failed" };

/**
 * Sends a call to a worker and waits for its answer, including a failure of the function.
 *
 * @throws ThreadLost when no answer can come any more; the signal's reason if aborted
 */
export async function answerOf({
  worker,
  tell,
  memoryMb,
  ...request
}: ThreadCall & { worker: ChildProcess; tell: Tell; memoryMb: number }): Promise<Answer> {
  const { call, signal } = request;
  const listening = new AbortController();
  let loading: NodeJS.Timeout | undefined;
  const answer = new Promise<Answer>((resolve, reject) => {
    const lose = (problem: string) => reject(new ThreadLost(problem));
    const start = async () => {
      clearTimeout(loading);
      try {
        await request.onReady();
        signal.throwIfAborted();
        tell({ type: "start" });
      } catch (error) {
        reject(error);
      }
    };
    const hear = (heard: unknown) => {
      const message = heard as WorkerMessage;
      if (message.type === "ready") void start();
      else if (message.type === "callTool") void answerTool(tell, message, request);
      else if (message.type === "crashed") lose(`not caught in the function: ${message.error}`);
      else if (message.type !== "told") resolve(message);
    };
    const fail = (error: unknown) => lose(thrownText(error));
    const exit = (code: number | null, by: string | null) => lose(exitText({ code, by, memoryMb }));
    worker.on("message", hear).on("error", fail).on("exit", exit);
    listening.signal.addEventListener("abort", () => {
      worker.off("message", hear).off("error", fail).off("exit", exit);
    });
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { signal: listening.signal });
    const seconds = LOAD_MS / 1_000;
    loading = setTimeout(() => lose(`${call.file} did not load within ${seconds} s`), LOAD_MS);
    tell({ type: "call", call });
  });
  try {
    return await answer;
  } finally {
    clearTimeout(loading);
    listening.abort();
  }
}

function exitText({
  code,
  by,
  memoryMb,
}: {
  code: number | null;
  /** The signal that killed the process. */
  by: string | null;
  memoryMb: number;
}): string {
  if (by === OUT_OF_MEMORY) {
    return `the function needed more than ${memoryMb} MB of memory and was ended`;
  }
  const how = by ?? `exit code ${String(code)}`;
  return `the function ended its process (${how})`;
}

async function answerTool(
  tell: Tell,
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
  tell({ type: "answer", id, ...reply });
}
