import { USD_PER_UNIT } from "../../state/ledger.js";
import { isDeepStrictEqual } from "node:util";
import { TulipgraphError } from "../../common/errors.js";
import { givenFields } from "../../common/givenFields.js";
import { projectGraph } from "../../graphs/projects.js";
import { requireInput } from "../../graphs/requireInput.js";
import { usableModels } from "../../models/firstModel.js";
import { isSetUp } from "../../models/providers.js";
import { readBudget } from "../../state/budgetSetting.js";
import { settingsGoingOn } from "../../state/goingOn.js";
import {
  APPROVALS,
  OFFLINE_MODEL,
  type Settings as RunSettings,
  parseSettings,
  settingsSchema,
} from "../../state/settings.js";
import { forbidden, HttpProblem, notFound } from "../problem.js";
import { ANYBODY, type Caller, requireScope, seesAll } from "./caller.js";
import { isOwnLibrary, libraryPrefix, seesLibrary, sharedLibraries } from "./libraries.js";
import { fits } from "./grants.js";
import { LIMITED_SETTINGS, type Policy } from "./policy.js";

type Settings = Record<string, unknown>;

/** A run as a caller asks for it. */
export interface WantedRun {
  graph: string;
  /** The settings that are given (state/settings.ts): the assistant's, overridden by the run's. */
  context: Settings;
  /** The settings that the run began with, if it goes on: they hold unless others are stricter. */
  begun?: Partial<RunSettings>;
  /** `config.configurable`, which may hold settings, too. */
  configurable?: Settings;
  /** Absent if it goes on with a thread. */
  input?: unknown;
  /** Goes on with a thread otherwise than with an input. */
  command?: { resume?: unknown; update?: unknown; goto?: unknown };
}

const SETTINGS = Object.keys(settingsSchema.shape);

/** Names in `configurable` by which LangGraph tells graphs who the caller is. */
const USER_KEYS = ["langgraph_auth_user", "langgraph_auth_user_id", "langgraph_auth_permissions"];

/**
 * Decides whether a caller may run something, and with which settings. Settings that the operator forces replace what
 * was asked for; limits lower it, and hold if nothing was asked for; other settings that the caller may not choose are
 * refused.
 *
 * @throws HttpProblem 403, 404 or 422 if it may not be run
 */
export function permitRun(caller: Caller, run: WantedRun, policy: Policy) {
  requireCommand(caller, run);
  if (projectGraph(run.graph)) return permitProjectRun(caller, run, policy);
  if (run.input != null) asUnprocessable(() => requireInput(run.input));
  const others = Object.entries(run.configurable ?? {}).filter(
    ([name]) => !SETTINGS.includes(name) && !USER_KEYS.includes(name) && !name.startsWith("__"),
  );
  // Without settings, which are all in the context.
  const configurable = Object.fromEntries(others);
  const asked = settingsOf(run);
  readSettings(asked);
  const { begun } = run;
  const usual = policy.models && !begun ? { model: offeredModels(policy)[0] } : {};
  // A developer's own machine, whose operator has set no limits.
  if (caller === ANYBODY) return { context: goingOn(begun, asked), configurable };
  const context = goingOn(begun, { ...givenFields(usual), ...asked, ...givenFields(policy.force) });
  const chosen = Object.keys(asked).filter((name) => !(name in policy.force));
  const effective = readSettings(context);
  requireNames(run.graph, effective, policy);
  requireLibrary(caller, effective, policy);
  const settings = { ...asked, ...givenFields(policy.force) };
  for (const name of chosen) requireChoice({ name, caller, settings, begun, effective, policy });
  const limited = limitedSettings(effective, policy);
  return { context: { ...context, ...limited }, configurable };
}

/** A project's graph has settings of its own, which are none of our business; it is told who the caller is. */
function permitProjectRun(caller: Caller, run: WantedRun, policy: Policy) {
  if (!projectGraph(run.graph)?.own) requireListed("graph", run.graph, policy.graphs);
  const given = Object.entries(run.configurable ?? {}).filter(
    ([name]) => !USER_KEYS.includes(name) && !name.startsWith("__"),
  );
  const { owner, scopes } = caller;
  const known = { identity: owner, permissions: scopes, is_authenticated: true };
  const { identity, permissions, ...more } = caller.project?.user ?? known;
  const user = caller.id !== "" && {
    langgraph_auth_user: { identity, permissions, ...more },
    langgraph_auth_user_id: identity,
    langgraph_auth_permissions: permissions,
  };
  return { context: run.context, configurable: { ...Object.fromEntries(given), ...user } };
}

/** The models that may be chosen, as far as they are known by name; first the one that holds if none is chosen. */
export function offeredModels({ models }: Policy): string[] {
  const named = (models ?? []).filter((form) => !form.endsWith("*"));
  const { model } = settingsSchema.parse({});
  const known = [...new Set([model, ...named, ...usableModels(), OFFLINE_MODEL])];
  return known.filter((name) => models?.some((form) => fits(name, form)) ?? true);
}

/** Answers and runs need different scopes; writing into a state bypasses approvals. */
function requireCommand(caller: Caller, { command, graph }: WantedRun): void {
  const isWriting = command?.update !== undefined || command?.goto !== undefined;
  // A project's own rules say who may write into the states of its graphs.
  if (isWriting && !(caller.project && projectGraph(graph))) requireScope(caller, "admin");
  requireScope(caller, command?.resume === undefined ? "run" : "approve");
}

/** The context overrides the configurable, as in graphs. Forms send null for empty fields. */
function settingsOf({ context: settings, configurable = {} }: WantedRun): Settings {
  const configured = Object.entries(configurable).filter(([name]) => SETTINGS.includes(name));
  return { ...givenFields(Object.fromEntries(configured)), ...givenFields(settings) };
}

/** The settings of a run, which has begun with others if it goes on. */
function goingOn(begun: WantedRun["begun"], settings: Settings): Settings {
  return begun ? givenFields(settingsGoingOn(begun, settings)) : settings;
}

type Effective = ReturnType<typeof parseSettings>;

/** @throws HttpProblem 422 for invalid settings */
function readSettings(settings: Settings): Effective {
  return asUnprocessable(() => {
    const context = parseSettings(settings);
    readBudget(context);
    return context;
  });
}

/** @throws HttpProblem 422 for what cannot be used */
export function asUnprocessable<Result>(read: () => Result, place = ""): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TulipgraphError)) throw error;
    throw new HttpProblem({ status: 422, problem: place + error.message });
  }
}

function requireNames(graph: string, effective: Effective, policy: Policy): void {
  const { force } = policy;
  requireListed("graph", graph, policy.graphs);
  for (const kind of ["model", "embeddings"] as const) {
    const wanted = effective[kind];
    const allowed = policy[kind === "model" ? "models" : "embeddings"];
    if (allowed) requireListed(kind, wanted, allowed);
    // What the operator has chosen as the default, or for every run, is not the caller's choice.
    else if (!(kind in force) && wanted !== readSettings({})[kind]) requireSetUp(kind, wanted);
  }
}

function requireListed(kind: string, wanted: string, allowed: readonly string[] | undefined): void {
  if (!allowed || allowed.some((form) => fits(wanted, form))) return;
  throw forbidden(
    `${kind} "${wanted}" may not be chosen`,
    `The operator's file allows: ${allowed.join(", ")}`,
  );
}

/** Otherwise a caller could have the server connect to a program beside it, or fetch and load files. */
function requireSetUp(kind: "model" | "embeddings", wanted: string): void {
  if (isSetUp(kind, wanted) && !namesFile(wanted)) return;
  const field = kind === "model" ? "models" : "embeddings";
  throw forbidden(
    `${kind} "${wanted}" may not be chosen: the server has neither a key nor an address for its provider`,
    `The operator can set one, or allow it in the operator's file (${field})`,
  );
}

/** A model's name may be a folder on the server (models/embeddings/transformers.ts). */
function namesFile(name: string): boolean {
  return /^[^:]*:(?:[.~/\\]|[A-Za-z]:[/\\])|\.\./.test(name);
}

function requireLibrary(caller: Caller, { library }: Effective, policy: Policy): void {
  if (seesLibrary({ caller, policy, library })) return;
  throw notFound(
    `unknown library "${library}"; available: ${sharedLibraries(policy).join(", ") || "none"}`,
    `Your own begin with ${libraryPrefix(caller.owner)}; the operator may share others (libraries.shared)`,
  );
}

interface Choice {
  /** The setting that the caller has chosen. */
  name: string;
  caller: Caller;
  settings: Settings;
  begun: WantedRun["begun"];
  effective: Effective;
  policy: Policy;
}

/** @throws HttpProblem 403 for a setting that the caller may not choose, unless the choice changes nothing */
function requireChoice(choice: Choice): void {
  const { name, settings, begun, effective, policy } = choice;
  if (policy.settings ? policy.settings.includes(name) : isHarmless(choice)) return;
  const { [name]: _asked, ...without } = settings;
  const before = Reflect.get(readSettings(goingOn(begun, without)), name);
  if (isDeepStrictEqual(before, Reflect.get(effective, name))) return;
  throw forbidden(
    policy.settings
      ? `the setting ${name} may not be chosen`
      : `the setting ${name} may not have this value`,
    policy.settings
      ? `The operator's file allows: ${policy.settings.join(", ") || "none"}`
      : "The operator's file may allow it (settings)",
  );
}

/** Whether a choice lifts no protection of files, approvals, or what others see. */
function isHarmless({ name, caller, effective, policy }: Choice): boolean {
  const { library, madeTools, remember, approval } = effective;
  const mayWrite =
    isOwnLibrary(caller, library) || policy.libraries?.writable === true || seesAll(caller);
  switch (name) {
    case "flowRules":
      return false;
    case "approval":
      return APPROVALS.indexOf(approval) >= APPROVALS.indexOf(readSettings({}).approval);
    case "madeTools":
      return madeTools === "thread" || mayWrite;
    case "remember":
      return !remember || mayWrite;
    default:
      return true;
  }
}

function limitedSettings(effective: Effective, policy: Policy): Settings {
  const limited: Settings = {};
  for (const name of LIMITED_SETTINGS) {
    const limit = policy.limits[name];
    // A setting without a default could be more than the limit.
    if (limit !== undefined) limited[name] = Math.min(effective[name] ?? limit, limit);
  }
  const { usd } = policy.limits;
  if (usd === undefined) return limited;
  return { ...limited, budget: `$${Math.min(askedDollars(effective) ?? usd, usd)}` };
}

/** What a run may spend by its own budget, in dollars. */
export function askedDollars(settings: Pick<Effective, "budget">): number | undefined {
  const budget = readBudget(settings);
  if (!budget) return undefined;
  return budget.unit === "usd" ? budget.amount : budget.amount * USD_PER_UNIT;
}
