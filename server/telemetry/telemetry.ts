import type { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { MiddlewareHandler } from "hono";
import type { Environment, Server } from "../server.js";

/** A run that a process works on. */
export interface WorkedRun {
  runId: string;
  threadId: string;
  graph: string;
  /** Milliseconds in which it waited for its turn. */
  queuedMs: number;
}

/** How a run's work ended in this process. */
export interface RunEnd {
  /** As the client sees it: success · error · interrupted · timeout; `given up` where another process goes on. */
  status: string;
  error?: string;
}

/** What is seen of a server from outside: metrics, traces, logs. */
export interface Telemetry {
  /** Counts and times requests. */
  observe: MiddlewareHandler<Environment>;
  /** Follows one run: `callbacks` go into its config, `end` is called once. */
  follow: (run: WorkedRun) => { callbacks: BaseCallbackHandler[]; end: (end: RunEnd) => void };
  /** Prometheus' text. */
  metrics: () => Promise<string>;
  log: (
    entry: { level: "info" | "warn" | "error"; event: string } & Record<string, unknown>,
  ) => void;
  close: () => Promise<void>;
}

/** The telemetry of a server. */
export function openTelemetry(_server: Pick<Server, "settings" | "data">): Telemetry {
  return {
    observe: async (_context, next) => await next(),
    follow: () => ({ callbacks: [], end: () => undefined }),
    metrics: async () => "",
    log: () => undefined,
    close: async () => undefined,
  };
}
