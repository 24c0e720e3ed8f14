import { existsSync, readFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InvalidSetting, messageOf } from "../../common/errors.js";
import { HttpProblem } from "../problem.js";
import { type AuthUser, type Caller, SCOPES, type Scope } from "./caller.js";
import type { AuthEvent } from "./routes.js";

/** What the metadata of the things a caller may see must match: values, or operators on them. */
export type Filters = Record<string, unknown>;

/** The project's own `auth`, as `langgraph.json` names it. */
export interface Hooks {
  /** Absent if it only has handlers, for callers with keys or tokens. */
  authenticate?: (request: Request) => Promise<Caller>;
  /**
   * Asks the handler of an event, which may change the value.
   *
   * @returns what the things that the request names must match
   * @throws HttpProblem if the handler refuses
   */
  authorize: (asked: {
    event: AuthEvent;
    value: Record<string, unknown>;
    user: AuthUser;
  }) => Promise<Filters | undefined>;
}

type Handler = (asked: object) => unknown;

/** What an instance of LangGraph's class `Auth` holds. */
interface Handlers {
  authenticate?: (request: Request) => unknown;
  callbacks?: Record<string, Handler | undefined>;
}

/** Marks our scopes among a user's permissions. */
const PREFIX = "tulipgraph:";

/** The scopes of a user without such permissions. */
const DEFAULT_SCOPES: readonly Scope[] = ["run", "read", "approve"];

/**
 * Loads the `auth` of a project's `langgraph.json`: `{ "auth": { "path": "./auth.ts:auth" } }`.
 *
 * @param folder the project's folder
 * @throws InvalidSetting if there is no such file, or it exports no instance of LangGraph's class Auth
 */
export async function loadHooks(folder: string): Promise<Hooks | undefined> {
  const path = authPath(join(folder, "langgraph.json"));
  if (path === undefined) return undefined;
  // The colon after a drive letter does not end the path.
  const [, file = path, name = "default"] = /^(.+?):([\w$]+)$/.exec(path) ?? [];
  const loaded = await loadModule(resolve(folder, file));
  const handlers: unknown = Reflect.get(Object(loaded[name]), "~handlerCache");
  if (typeof handlers !== "object" || handlers === null) {
    throw unusable(path, `exports no "${name}" of LangGraph's class Auth`);
  }
  return hooksOf(handlers);
}

function authPath(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  let config: unknown;
  try {
    config = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw unusable(file, `is not JSON (${messageOf(error)})`);
  }
  const path: unknown = Reflect.get(Object(Reflect.get(Object(config), "auth")), "path");
  if (path === undefined || typeof path === "string") return path;
  throw unusable(file, "has an auth.path that is no text");
}

async function loadModule(file: string): Promise<Record<string, unknown>> {
  if (!existsSync(file)) throw unusable(file, "does not exist");
  const url = pathToFileURL(file).href;
  if (!/^\.[cm]?tsx?$/.test(extname(file))) {
    return (await import(url)) as Record<string, unknown>;
  }
  const { tsImport } = await import("tsx/esm/api");
  return (await tsImport(url, import.meta.url)) as Record<string, unknown>;
}

function unusable(file: string, problem: string): InvalidSetting {
  return new InvalidSetting({
    setting: "auth of langgraph.json",
    problem: `${file} ${problem}`,
    hint: 'Write "auth": { "path": "./auth.ts:auth" }, where auth is a new Auth() of @langchain/langgraph-sdk/auth',
  });
}

function hooksOf({ authenticate, callbacks = {} }: Handlers): Hooks {
  return {
    authenticate:
      authenticate && (async (request) => callerOf(await answered(() => authenticate(request)))),
    authorize: async ({ event, value, user }) => {
      const [resource = "", action = ""] = event.split(":");
      const names = [event, resource, `*:${action}`, "*"];
      const handler = names.map((name) => callbacks[name]).find((found) => found !== undefined);
      const { permissions } = user;
      const asked = { event, resource, action, value, user, permissions };
      const answer = handler && (await answered(() => handler(asked)));
      if (answer === false) throw new HttpProblem({ status: 403, problem: `${event} is refused` });
      if (answer === undefined || answer === null || answer === true) return undefined;
      if (typeof answer === "object") return { ...answer };
      throw new TypeError(`the handler of ${event} returned neither a boolean nor a filter`);
    },
  };
}

const STATUSES = [400, 401, 402, 403, 404, 409, 413, 422, 429, 500, 503] as const;

/** A handler's answer. What it throws on purpose (LangGraph's HTTPException) is passed to the caller. */
async function answered(ask: () => unknown): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Error) || !("status" in error) || !("headers" in error)) throw error;
    const status = STATUSES.find((known) => known === error.status) ?? 403;
    throw new HttpProblem({ status, problem: error.message });
  }
}

/** The caller that `authenticate` returned: an identity, or a user with an `identity`. */
function callerOf(answer: unknown): Caller {
  const given: Record<string, unknown> =
    typeof answer === "string" ? { identity: answer } : { ...Object(answer) };
  const { identity, is_authenticated: isKnown = true, display_name: name = identity } = given;
  if (typeof identity !== "string" || identity === "") {
    throw new TypeError('authenticate returned neither a text nor an object with "identity"');
  }
  if (isKnown !== true) throw new HttpProblem({ status: 401, problem: "the caller is not known" });
  const permissions = Array.isArray(given["permissions"]) ? given["permissions"].map(String) : [];
  const scopes = SCOPES.filter((scope) => permissions.includes(PREFIX + scope));
  const owner = given["owner"];
  return {
    owner: typeof owner === "string" && owner !== "" ? owner : identity,
    id: `user:${identity}`,
    scopes: scopes.length > 0 ? scopes : DEFAULT_SCOPES,
    user: { ...given, identity, display_name: String(name), is_authenticated: true, permissions },
  };
}

/** The user that handlers see for a caller, also for one with a key or a token. */
export function userOf({ owner, id, scopes, user }: Caller): AuthUser {
  return (
    user ?? {
      identity: owner,
      display_name: id,
      is_authenticated: true,
      permissions: scopes.map((scope) => PREFIX + scope),
    }
  );
}

/** Whether metadata passes a handler's filters. */
export function matches(metadata: Record<string, unknown>, filters: Filters): boolean {
  return Object.entries(filters).every(([key, wanted]) => {
    const found = metadata[key];
    if (typeof wanted !== "object" || wanted === null) return found === wanted;
    const { $eq: equal, $contains: contained } = wanted as Filters;
    if (equal !== undefined) return found === equal;
    if (contained === undefined || !Array.isArray(found)) return false;
    return [contained].flat().every((part) => found.includes(part));
  });
}
