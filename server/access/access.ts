import type { MiddlewareHandler } from "hono";
import type { Environment, Server } from "../server.js";
import { ANYBODY, type Caller } from "./caller.js";

/** A run as a caller asks for it, before it is put into the queue. */
export interface WantedRun {
  graph: string;
  /** Settings, as of state/context.ts, as far as they are given. */
  context: Record<string, unknown>;
}

/** What a run has used, told once it ends. */
export interface RunUse {
  runId: string;
  caller: string;
  modelCalls: number;
  tokens: number;
  usd?: number;
}

/** Who may do what, and how much of it. */
export interface Access {
  /** Before anything else of a request is read: `Host`, `Origin`, size of the body. */
  guard: MiddlewareHandler<Environment>;
  /** Finds out who sent it, sets `caller`, and counts its requests. */
  authenticate: MiddlewareHandler<Environment>;
  /**
   * What of a wanted run may be run: its context within the operator's limits.
   * @throws HttpProblem 402, 403, 422 or 429 when it may not
   */
  admit: (options: { caller: Caller; run: WantedRun }) => Promise<WantedRun>;
  /** Charges what a run has used. */
  charge: (use: RunUse) => Promise<void>;
}

/** The access of a server. */
export function openAccess(_server: Pick<Server, "settings" | "data">): Access {
  return {
    guard: async (_context, next) => await next(),
    authenticate: async (context, next) => {
      context.set("caller", ANYBODY);
      await next();
    },
    admit: async ({ run }) => run,
    charge: async () => undefined,
  };
}
