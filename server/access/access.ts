import type { MiddlewareHandler } from "hono";
import { loadGraph } from "../../graphs/index.js";
import { findGraph } from "../../graphs/openGraph.js";
import { parseContext } from "../../state/context.js";
import { HttpProblem } from "../problem.js";
import type { Environment, Server } from "../server.js";
import {
  type PermittedRun,
  type WantedRun,
  askedDollars,
  permitRun,
  seesLibraryBy,
} from "./admission.js";
import { openAuthentication } from "./authenticate.js";
import { type RunUse, openBudgets } from "./budgets.js";
import type { Caller } from "./caller.js";
import { openGuard } from "./guard.js";
import { openKeys } from "./keys.js";
import { type Policy, readPolicy } from "./policy.js";

export type { WantedRun } from "./admission.js";
export type { RunUse } from "./budgets.js";

/** A run as it may be put into the queue. */
export interface AdmittedRun extends PermittedRun {
  /**
   * Not before this time (ms), because the day's budget is used up: it waits for the next day, or for somebody who
   * may approve to release it.
   */
  notBefore?: number;
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
   * What of a wanted run may be run, with its settings within the operator's limits.
   *
   * @throws HttpProblem 402, 403, 404, 422, 429 or 503 when it may not
   */
  admit: (options: { caller: Caller; run: WantedRun }) => Promise<AdmittedRun>;
  /** Takes back what was set aside for an admitted run that does not come into the queue after all. */
  withdraw: (runId: string) => Promise<void>;
  /** Charges what a run has used. */
  charge: (use: RunUse) => Promise<void>;
  /** Counts a run that waits for another day's budget to today's, because somebody lets it begin. */
  release: (runId: string) => Promise<void>;
  /** Whether a caller may search a library and run with it. */
  seesLibrary: (options: { caller: Caller; library: string }) => boolean;
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
  const { authenticate, notices } = openAuthentication({
    address,
    policy,
    keys: openKeys(data),
    data,
    folder: settings.folder ?? process.cwd(),
  });
  const budgets = openBudgets({ data, policy });
  return {
    guard: openGuard({ rules: { address, hosts, origins }, bodyBytes }),
    authenticate,
    notices,
    admit: async ({ caller, run }) => {
      if (hasDollars(policy)) await requireEnforced(run.graph);
      const { context, configurable } = permitRun({ caller, run, policy });
      const asked = askedDollars(parseContext(context));
      const { usd, notBefore } = await budgets.reserve({
        runId: run.runId,
        caller: caller.id,
        usd: asked,
      });
      // A run may spend what was set aside for it, so that many at once do not spend more than there is.
      const budget = usd === undefined ? {} : { budget: `$${usd}` };
      return { context: { ...context, ...budget }, configurable, notBefore };
    },
    withdraw: budgets.withdraw,
    charge: budgets.charge,
    release: budgets.release,
    seesLibrary: (options) => seesLibraryBy({ ...options, policy }),
  };
}

function hasDollars({ limits, budgets }: Policy): boolean {
  return limits.usd !== undefined || budgets?.usd !== undefined;
}

/** @throws HttpProblem 403 for a graph that spends more than its budget: published baselines do */
async function requireEnforced(graph: string): Promise<void> {
  const { budget } = await loadGraph(findGraph(graph));
  if (budget === "enforced") return;
  throw new HttpProblem({
    status: 403,
    problem: `graph "${graph}" does not keep to a budget of dollars, and the operator's file sets one`,
    hint: "Choose another graph, such as tulip",
  });
}
