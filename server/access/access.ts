import { InvalidSetting } from "../../common/errors.js";
import { aboutGraph } from "../../graphs/openGraph.js";
import { projectGraph } from "../../graphs/projects.js";
import { parseSettings } from "../../state/settings.js";
import { forbidden } from "../problem.js";
import type { ServerSettings } from "../server.js";
import { type WantedRun, askedDollars, offeredModels, permitRun } from "./admission.js";
import { openAuthentication } from "./authenticate.js";
import { openBudgets } from "./budgets.js";
import type { Behalf } from "../../tools/remote.js";
import type { Caller } from "./caller.js";
import { openGuard } from "./guard.js";
import { openKeys } from "./keys.js";
import { seesLibrary } from "./libraries.js";
import { type Grantee, fits, grantedTo } from "./grants.js";
import { readPolicy, requireWebhook } from "./policy.js";
import { askProject } from "./askProject.js";
import type { ProjectAuth } from "./projectAuth.js";
import { openRevocations } from "./revocations.js";
import type { ServerStore } from "../schema.js";

/** Who may do what, and how much of it. */
export type Access = ReturnType<typeof openAccess>;

/**
 * Opens the access control of a server, as its operator's file says.
 *
 * @throws InvalidSetting if the file is unusable
 */
export function openAccess(settings: ServerSettings, data: ServerStore, project?: ProjectAuth) {
  const policy = readPolicy(settings.policyFile);
  if (project && policy.jwt)
    throw new InvalidSetting({
      setting: "auth",
      problem: "the project says who comes in, and so does jwt in the operator's file",
      hint: "Take one of them out",
    });
  const { host: address } = settings;
  const { hosts, origins, bodyBytes, limits } = policy;
  const hasDollars = limits.usd !== undefined || policy.budgets?.usd !== undefined;
  const budgets = openBudgets(data, policy);
  const authentication = openAuthentication({ address, policy, keys: openKeys(data), project });
  return {
    revocations: openRevocations(data),
    policy,
    /** Runs before anything else of a request is read: checks `Host`, `Origin` and the size of the body. */
    guard: openGuard({ address, hosts, origins }, bodyBytes),
    ...authentication,
    /** Asks a project's own rules about the requests of its users. */
    askProject: askProject(project),
    /** Whether a project lets its user do something, and what they see for it; everybody else sees what is theirs. */
    permit: project?.permit ?? (async ({ caller }: { caller: Caller }) => caller),
    /**
     * Decides whether a run may be queued, and brings its settings within the operator's limits.
     *
     * @returns what it may have; the queue sets aside what it may use
     * @throws HttpProblem 403, 404 or 422 if it may not be run
     */
    admit: async ({ caller, run }: { caller: Caller; run: WantedRun }) => {
      if (hasDollars) await requireEnforced(run.graph);
      const { context: settings, configurable } = permitRun(caller, run, policy);
      const asked = projectGraph(run.graph) ? undefined : askedDollars(parseSettings(settings));
      return { context: settings, configurable, reserve: budgets.reserve(caller.id, asked) };
    },
    /** What `admit` decides first. */
    permitRun: (caller: Caller, run: WantedRun) => permitRun(caller, run, policy),
    /** @throws HttpProblem 403 for an address that may not be told of the end of a run */
    requireWebhook: (webhook: string) =>
      requireWebhook(webhook, policy, settings.app !== undefined),
    charge: budgets.charge,
    /** Whether the operator's file lets a graph be run. */
    allowsGraph: (graph: string) => policy.graphs?.some((form) => fits(graph, form)) ?? true,
    /** The models that may be chosen, as far as they are known by name; the usual one first. */
    models: () => offeredModels(policy),
    /** What somebody may find and call; undefined if that is every tool. */
    grantedTo: (who: Grantee) => grantedTo(who, policy.grants),
    /** On whose behalf a caller's own searches and calls are made. */
    behalfOf: ({ id: caller, ...who }: Caller): Behalf => ({
      owner: who.owner,
      threadOwner: who.owner,
      caller,
      isGranted: grantedTo(who, policy.grants),
    }),
    /** Whether a caller may search a library and run with it. */
    seesLibrary: (options: { caller: Caller; library: string }) =>
      seesLibrary({ ...options, policy }),
  };
}

/** @throws HttpProblem 403 for a graph that may exceed its budget, as published baselines do */
async function requireEnforced(graph: string): Promise<void> {
  const { budget } = await aboutGraph(graph);
  if (budget === "enforced") return;
  throw forbidden(
    `graph "${graph}" does not enforce a dollar budget, which the operator's file requires`,
    "Choose another graph, such as tulip",
  );
}
