/** What a worker runs. */
export type WorkerCall = FunctionCall | ProgramCall;

/** A function of a user's file. */
export interface FunctionCall {
  file: string;
  /** The way to it in the file's exports. */
  exportName: string;
  /** What to do with it; `listing`: list LangChain's tools in the file. */
  kind: "function" | "langchain" | "listing";
  /** The arguments as the function takes them, without the context. */
  args: unknown[];
  /** Set if the function takes a context as its last argument. */
  context?: { threadId: string; callId: string };
}

/** A call of a program in the sandbox: only texts and numbers. */
export interface ProgramCall {
  program: string;
  functionName: string;
  /** JSON text: the values, and the places of those that are missing. */
  args: string;
  limits: SandboxLimits;
}

export interface SandboxLimits {
  /** Computing time without waiting for tools, in milliseconds. */
  computeMs: number;
  memoryMb: number;
  resultChars: number;
}

/** What a function threw, in one line. */
export class ToolError extends Error {}

/** The process died before its function ended, or the file could not be imported in time. */
export class ThreadLost extends Error {}

export type HostMessage =
  | { type: "call"; call: WorkerCall }
  | { type: "start" }
  | { type: "abort" }
  | { type: "answer"; id: number; ok: true; result: unknown }
  | { type: "answer"; id: number; ok: false; error: string };

export type WorkerMessage =
  /** The user's file is imported, or the sandbox is there; the function starts when the host says so. */
  | { type: "ready" }
  | { type: "callTool"; id: number; tool: string; args: unknown }
  /** `resultJson` is absent if there is no result. */
  | { type: "done"; resultJson?: string }
  | { type: "failed"; error: string; isLimit?: boolean }
  /** A program in the sandbox now computes, for at most `leftMs`. */
  | { type: "computes"; leftMs: number }
  | { type: "waits" }
  /** An uncaught error; the process is unusable. */
  | { type: "crashed"; error: string }
  /** The function has been told that its call was ended. */
  | { type: "told" };

/** The signal with which a worker that needs too much memory kills itself, so that its host recognises it. */
export const OUT_OF_MEMORY = "SIGUSR2";

/** Environment variable with a worker's memory limit, in megabytes. */
export const MEMORY_VARIABLE = "TULIPGRAPH_WORKER_MB";
