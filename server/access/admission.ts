import { isDeepStrictEqual } from "node:util";
import { TulipgraphError } from "../../common/errors.js";
import { readBudget } from "../../state/budgetSetting.js";
import { contextSchema, parseContext } from "../../state/context.js";
import { HttpProblem } from "../problem.js";
import { ANYBODY, type Caller, requireScope, seesAll } from "./caller.js";
import { isOwnLibrary, libraryPrefix, seesLibrary } from "./libraries.js";
import { LIMITED_SETTINGS, type Policy, policySchema } from "./policy.js";

type Settings = Record<string, unknown>;

/** A run as a caller asks for it, before it is put into the queue. */
export interface WantedRun {
  runId: string;
  graph: string;
  /** Settings, as of state/context.ts, as far as they are given: the assistant's, then the run's. */
  context: Settings;
  /** `config.configurable`, where settings may stand, too. */
  configurable?: Settings;
  /** Goes on with a thread in another way than by an input. */
  command?: { resume?: unknown; update?: unknown; goto?: unknown };
}

/** The same as it may be run. */
export interface PermittedRun {
  context: Settings;
  /** Without settings, which stand in the context alone. */
  configurable: Settings;
}

const SETTINGS = Object.keys(contextSchema.shape);

/** From what asks a person least to what asks most. */
const APPROVALS = ["none", "declared", "writes", "plan"];

/** Names in `configurable` by which LangGraph tells graphs who has called. */
const USER_KEYS = ["langgraph_auth_user", "langgraph_auth_user_id", "langgraph_auth_permissions"];

/**
 * What of a wanted run may be run. Settings that the operator forces replace what was asked for, limits lower it and
 * stand where nothing was asked; whatever else a caller may not choose is refused.
 *
 * @throws HttpProblem 403, 404 or 422 when it may not be run
 */
export function permitRun({
  caller,
  run,
  policy,
}: {
  caller: Caller;
  run: WantedRun;
  policy: Policy;
}): PermittedRun {
  requireCommand(caller, run);
  const others = Object.entries(run.configurable ?? {}).filter(
    ([name]) => !SETTINGS.includes(name) && !USER_KEYS.includes(name) && !name.startsWith("__"),
  );
  const configurable = { ...Object.fromEntries(others), ...userOf(caller) };
  const asked = settingsOf(run);
  readSettings(asked);
  // A developer's own machine, whose operator has set no limits.
  if (caller === ANYBODY) return { context: asked, configurable };
  const context = { ...asked, ...given(policy.force) };
  const chosen = Object.keys(asked).filter((name) => !(name in policy.force));
  const effective = readSettings(context);
  requireNames({ graph: run.graph, effective, policy });
  requireLibrary({ caller, effective, policy });
  for (const name of chosen) requireChoice({ name, caller, context, effective, policy });
  const limited = limitedSettings({ context, effective, policy });
  return { context: { ...context, ...limited }, configurable };
}

/** An answer takes another scope than a run, and whoever writes into a state goes around approvals. */
function requireCommand(caller: Caller, { command }: WantedRun): void {
  if (command?.update !== undefined || command?.goto !== undefined) requireScope(caller, "admin");
  requireScope(caller, command?.resume === undefined ? "run" : "approve");
}

/** The context goes before the configurable, as graphs read them; forms send null for empty fields. */
function settingsOf({ context, configurable = {} }: WantedRun): Settings {
  const configured = Object.entries(configurable).filter(([name]) => SETTINGS.includes(name));
  return { ...given(Object.fromEntries(configured)), ...given(context) };
}

function given(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value != null));
}

type Effective = ReturnType<typeof parseContext>;

/** @throws HttpProblem 422 for settings that no run takes */
function readSettings(settings: Settings): Effective {
  try {
    const context = parseContext(settings);
    readBudget(context);
    return context;
  } catch (error) {
    if (!(error instanceof TulipgraphError)) throw error;
    throw new HttpProblem({ status: 422, problem: error.message });
  }
}

function requireNames(options: { graph: string; effective: Effective; policy: Policy }): void {
  const { graph, effective, policy } = options;
  const { model, reasoningModel, embeddings } = effective;
  requireListed({ kind: "graph", wanted: graph, allowed: policy.graphs });
  requireListed({ kind: "model", wanted: model, allowed: policy.models });
  requireListed({ kind: "model", wanted: reasoningModel ?? model, allowed: policy.models });
  requireListed({ kind: "embeddings", wanted: embeddings, allowed: policy.embeddings });
}

function requireListed(options: {
  kind: string;
  wanted: string;
  allowed: readonly string[] | undefined;
}): void {
  const { kind, wanted, allowed } = options;
  if (allowed === undefined && !namesFile(wanted)) return;
  if (allowed?.some((form) => fits(wanted, form))) return;
  const which = allowed
    ? `those that may be: ${allowed.join(", ")}`
    : "files of the server may not be";
  throw new HttpProblem({
    status: 403,
    problem: `${kind} "${wanted}" may not be chosen`,
    hint: `The operator's file says which; ${which}`,
  });
}

/** Models may be folders of the server's (models/transformers.ts). */
function namesFile(name: string): boolean {
  return /^[^:]*:(?:[.~/\\]|[A-Za-z]:[/\\])|\.\./.test(name);
}

/** `openai:*` stands for all that begins so. */
function fits(name: string, form: string): boolean {
  return form.endsWith("*") ? name.startsWith(form.slice(0, -1)) : name === form;
}

/** What everybody sees where the operator's file says nothing about libraries. */
const USUAL_LIBRARIES = policySchema.shape.libraries.unwrap().parse({});

/** Whether a caller sees a library; where nobody is asked who they are and no file says otherwise, all are seen. */
export function seesLibraryBy(options: {
  caller: Caller;
  policy: Policy;
  library: string;
}): boolean {
  const { caller, policy, library } = options;
  if (caller.id === "" && policy.libraries === undefined) return true;
  return seesLibrary({ caller, library, libraries: policy.libraries ?? USUAL_LIBRARIES });
}

function requireLibrary(options: { caller: Caller; effective: Effective; policy: Policy }): void {
  const { caller, effective, policy } = options;
  const { library } = effective;
  if (seesLibraryBy({ caller, policy, library })) return;
  const { shared } = policy.libraries ?? USUAL_LIBRARIES;
  throw new HttpProblem({
    status: 404,
    problem: `unknown library "${library}"; available: ${shared.join(", ") || "none"}`,
    hint: `Own ones begin with ${libraryPrefix(caller.owner)}, and the operator shares others (libraries.shared)`,
  });
}

/** @throws HttpProblem 403 for a setting that is not the caller's to choose, unless it changes nothing */
function requireChoice(options: {
  name: string;
  caller: Caller;
  context: Settings;
  effective: Effective;
  policy: Policy;
}): void {
  const { name, context, effective, policy } = options;
  if (policy.settings ? policy.settings.includes(name) : isHarmless(options)) return;
  const { [name]: _asked, ...without } = context;
  const before = Reflect.get(readSettings(without), name);
  if (isDeepStrictEqual(before, Reflect.get(effective, name))) return;
  throw new HttpProblem({
    status: 403,
    problem: `the setting ${name} may not be chosen${policy.settings ? "" : " so"}`,
    hint: policy.settings
      ? `The operator's file says which may be: ${policy.settings.join(", ") || "none"}`
      : "The operator's file may allow it (settings)",
  });
}

/** Whether a choice lifts no protection: files, approvals, what others see, the worth of a unit. */
function isHarmless(options: {
  name: string;
  caller: Caller;
  effective: Effective;
  policy: Policy;
}): boolean {
  const { name, caller, effective, policy } = options;
  const { library, madeTools, remember, approval, approveEdits } = effective;
  const mayWrite =
    isOwnLibrary(caller, library) || policy.libraries?.writable === true || seesAll(caller);
  switch (name) {
    case "flowRules":
      return false;
    case "approval":
      return APPROVALS.indexOf(approval) >= APPROVALS.indexOf(readSettings({}).approval);
    case "approveEdits":
      return approveEdits;
    case "madeTools":
      return madeTools === "thread" || mayWrite;
    case "remember":
      return !remember || mayWrite;
    case "usdPerUnit":
      return policy.limits.usd === undefined && policy.budgets?.usd === undefined;
    default:
      return true;
  }
}

function limitedSettings(options: {
  context: Settings;
  effective: Effective;
  policy: Policy;
}): Settings {
  const { effective, policy } = options;
  const limited: Settings = {};
  for (const name of LIMITED_SETTINGS) {
    const limit = policy.limits[name];
    // What has no default is unknown, and may be more.
    if (limit !== undefined) limited[name] = Math.min(effective[name] ?? limit, limit);
  }
  const { usd } = policy.limits;
  return usd === undefined ? limited : { ...limited, budget: dollars(effective, usd) };
}

/** The budget of a run within a limit of dollars. */
export function dollars(settings: Pick<Effective, "budget" | "usdPerUnit">, limit: number): string {
  const asked = askedDollars(settings);
  return `$${asked === undefined ? limit : Math.min(asked, limit)}`;
}

/** What a run may spend by its own budget, in dollars. */
export function askedDollars(
  settings: Pick<Effective, "budget" | "usdPerUnit">,
): number | undefined {
  const budget = readBudget(settings);
  if (!budget) return undefined;
  return budget.unit === "usd" ? budget.amount : budget.amount * settings.usdPerUnit;
}

/** Who has called, as graphs of LangGraph read it. */
function userOf({ user }: Caller): Settings {
  if (!user) return {};
  return {
    langgraph_auth_user: user,
    langgraph_auth_user_id: user.identity,
    langgraph_auth_permissions: user.permissions,
  };
}
