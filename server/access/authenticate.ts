import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";
import type { Store } from "../../storage/database.js";
import type { ServerTables } from "../schema.js";
import { authorizeRequest } from "./authorize.js";
import { ANYBODY, type Caller, GUEST, requireScope } from "./caller.js";
import { type Hooks, loadHooks } from "./hooks.js";
import { type Keys, isSecret } from "./keys.js";
import { type Policy, isCapping } from "./policy.js";
import { countByMinute } from "./rates.js";
import { useOf } from "./routes.js";
import { isToken, openTokens } from "./tokens.js";
import { isLoopback } from "./webRules.js";

/** How a server finds out who its callers are. */
export interface Authentication {
  authenticate: MiddlewareHandler<Environment>;
  /** What whoever starts the server should know, a line each. */
  notices: () => Promise<string[]>;
}

/** Finds out who sent a request, by a key, a token or the project's own `auth`. */
export function openAuthentication(options: {
  address: string;
  policy: Policy;
  keys: Keys;
  data: Store<ServerTables>;
  /** Where the project's `langgraph.json` is. */
  folder: string;
}): Authentication {
  const { address, policy, keys, data, folder } = options;
  const token = policy.jwt && openTokens(policy.jwt);
  const requests = countByMinute({ most: policy.requestsPerMinute, what: "requests" });
  const failures = countByMinute({
    most: policy.failuresPerMinute,
    what: "failed authentications",
  });
  const everybody = isCapping(policy) ? GUEST : ANYBODY;
  let loading: Promise<Hooks | undefined> | undefined;
  const hooks = () => (loading ??= loadHooks(folder));
  const isOn = async () => {
    const byRule = asksByRule(options);
    if (byRule !== undefined) return byRule;
    return (await hooks())?.authenticate !== undefined || (await keys.exist());
  };
  const identify = async (context: Context<Environment>): Promise<Caller | HttpProblem> => {
    const credential = credentialIn(context) ?? "";
    if (isSecret(credential)) return (await callerOfKey(keys, credential)) ?? unknownCaller();
    const byToken = isToken(credential) ? await token?.(credential) : undefined;
    const byHooks = byToken ?? (await (await hooks())?.authenticate?.(withoutBody(context)));
    return byHooks ?? unknownCaller();
  };
  return {
    authenticate: async (context, next) => {
      const known = (await isOn()) ? await identify(context).catch(asUnknown) : everybody;
      if (known instanceof HttpProblem) {
        failures.count(senderOf(context));
        context.header("WWW-Authenticate", "Bearer");
        throw known;
      }
      requests.count(known.id || senderOf(context));
      const { scopes, event, ids } = useOf(context.req);
      if (scopes.length > 0) requireScope(known, ...scopes);
      context.set("caller", known);
      const asked = known.id === "" ? undefined : await hooks();
      if (!asked || !event) return await next();
      await authorizeRequest({ hooks: asked, data, context, event, ids }, next);
    },
    notices: async () => {
      // An `auth` that cannot be loaded is told at the start.
      const own = (await hooks())?.authenticate;
      if (!(await isOn())) {
        if (isLoopback(address)) return [];
        return [`authentication is off: whoever reaches ${address} may use this server`];
      }
      if (token || own || (await keys.exist())) return [];
      return [
        "nobody may use this server yet; make a key with: tulipgraph keys create --scope run --scope read",
      ];
    },
  };
}

/**
 * Whether everybody has to say who they are: as the operator says, else where others than programs of this machine may
 * come, or there is something to be known by. Undefined where it depends on whether there are keys.
 */
function asksByRule({ address, policy }: { address: string; policy: Policy }): boolean | undefined {
  const { authentication, hosts, jwt } = policy;
  if (authentication !== undefined) return authentication === "on";
  // A server with further names stands behind another one that others reach.
  return !isLoopback(address) || hosts.length > 0 || jwt !== undefined || undefined;
}

async function callerOfKey(keys: Keys, secret: string): Promise<Caller | undefined> {
  const key = await keys.find(secret);
  return key && { owner: key.owner, id: key.id, scopes: key.scopes };
}

function credentialIn({ req }: Context<Environment>): string | undefined {
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(req.header("authorization") ?? "") ?? [];
  return req.header("x-api-key") ?? bearer;
}

/** The address of whoever sent a request; that of the proxy, behind one. */
function senderOf({ env }: Context<Environment>): string {
  const { incoming } = (env ?? {}) as { incoming?: IncomingMessage };
  return incoming?.socket.remoteAddress ?? "";
}

/** A request as the project's `authenticate` sees it, which has no business with its body. */
function withoutBody({ req }: Context<Environment>): Request {
  return new Request(req.url, { method: req.method, headers: req.raw.headers });
}

/** What the project's `authenticate` refuses counts as what is no key. */
function asUnknown(error: unknown): HttpProblem {
  if (error instanceof HttpProblem && error.details.status === 401) return error;
  throw error;
}

function unknownCaller(): HttpProblem {
  return new HttpProblem({
    status: 401,
    problem: "no valid key or token came with the request",
    hint: "Send a key as x-api-key or as Authorization: Bearer …; tulipgraph keys create makes one",
  });
}
