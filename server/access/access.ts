import type { MiddlewareHandler } from "hono";
import type { Environment, Server } from "../server.js";
import { openAuthentication } from "./authenticate.js";
import { type Caller, seesAll } from "./caller.js";
import { openGuard } from "./guard.js";
import { openKeys } from "./keys.js";
import { readPolicy } from "./policy.js";

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
  /** Finds out who sent it, sets `caller`, counts its requests, and asks for the scope that the route takes. */
  authenticate: MiddlewareHandler<Environment>;
  /** What whoever starts the server should know, a line each. */
  notices: () => Promise<string[]>;
  /**
   * What of a wanted run may be run: its context within the operator's limits.
   * @throws HttpProblem 402, 403, 422 or 429 when it may not
   */
  admit: (options: { caller: Caller; run: WantedRun }) => Promise<WantedRun>;
  /** Whether a caller may look into a library. */
  seesLibrary: (options: { caller: Caller; library: string }) => boolean;
  /** Charges what a run has used. */
  charge: (use: RunUse) => Promise<void>;
}

/**
 * The access of a server, by its operator's file.
 *
 * @throws InvalidSetting or UnknownName for an unusable file
 */
export function openAccess({ settings, data }: Pick<Server, "settings" | "data">): Access {
  const policy = readPolicy(settings.policyFile);
  const { host: address } = settings;
  const { hosts, origins, bodyBytes } = policy;
  const { authenticate, notices } = openAuthentication({ address, policy, keys: openKeys(data) });
  return {
    guard: openGuard({ rules: { address, hosts, origins }, bodyBytes }),
    authenticate,
    notices,
    admit: async ({ run }) => run,
    // Where callers are told apart, only those who see everything.
    seesLibrary: ({ caller }) => caller.id === "" || seesAll(caller),
    charge: async () => undefined,
  };
}
