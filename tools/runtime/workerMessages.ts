/** Which function a worker runs, and with what. */
export interface WorkerCall {
  /** Absolute path of the user's file. */
  file: string;
  exportName: string;
  /** `invoke`: the export is a LangChain tool. */
  kind: "function" | "langchain";
  /** The arguments as the function takes them, without the context. */
  args: unknown[];
  /** Given when the function takes a context as its last argument. */
  context?: { threadId: string; callId: string; world: unknown };
}

/** How a call in a worker has ended well. */
export interface WorkerResult {
  /** JSON text of the result; left out when there is none. */
  resultJson?: string;
  /** The world as the call has left it. */
  world?: unknown;
}

/** What the host says to a worker. */
export type HostMessage =
  | { type: "call"; call: WorkerCall }
  /** The answer to `ready`. */
  | { type: "start" }
  | { type: "abort" }
  | { type: "answer"; id: number; ok: true; result: unknown }
  | { type: "answer"; id: number; ok: false; error: string };

/** What a worker says to its host. */
export type WorkerMessage =
  /** The user's file is imported; the function starts when the host says so. */
  | { type: "ready" }
  | { type: "callTool"; id: number; tool: string; args: unknown }
  | { type: "done"; result: WorkerResult }
  | { type: "failed"; error: string }
  /** Something that nobody caught; the process is of no use any more. */
  | { type: "crashed"; error: string }
  /** The function knows that its call was ended. */
  | { type: "told" };

/** The signal by which a worker that needs too much memory ends itself, for its host to know it by. */
export const OUT_OF_MEMORY = "SIGUSR2";

/** The variable in which a worker finds its limit of memory, in megabytes. */
export const MEMORY_VARIABLE = "TULIPGRAPH_WORKER_MB";
