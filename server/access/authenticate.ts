import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";
import { ANYBODY, type Caller, GUEST, requireScope } from "./caller.js";
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
}): Authentication {
  const { address, policy, keys } = options;
  const token = policy.jwt && openTokens(policy.jwt);
  const requests = countByMinute({ most: policy.requestsPerMinute, what: "requests" });
  const failures = countByMinute({
    most: policy.failuresPerMinute,
    what: "failed authentications",
  });
  const everybody = isCapping(policy) ? GUEST : ANYBODY;
  const isOn = async () => asksByRule(options) ?? (await keys.exist());
  const identify = async (credential: string | undefined): Promise<Caller | undefined> => {
    if (credential === undefined) return undefined;
    if (isSecret(credential)) return await callerOfKey(keys, credential);
    return isToken(credential) ? await token?.(credential) : undefined;
  };
  return {
    authenticate: async (context, next) => {
      const known = (await isOn()) ? await identify(credentialIn(context)) : everybody;
      if (!known) {
        failures.count(senderOf(context));
        context.header("WWW-Authenticate", "Bearer");
        throw unknownCaller();
      }
      requests.count(known.id || senderOf(context));
      const { scopes } = useOf(context.req);
      if (scopes.length > 0) requireScope(known, ...scopes);
      context.set("caller", known);
      await next();
    },
    notices: async () => {
      if (isLoopback(address)) return [];
      if (!(await isOn())) {
        return [`authentication is off: whoever reaches ${address} may use this server`];
      }
      if (token || (await keys.exist())) return [];
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

function unknownCaller(): HttpProblem {
  return new HttpProblem({
    status: 401,
    problem: "no valid key or token came with the request",
    hint: "Send a key as x-api-key or as Authorization: Bearer …; tulipgraph keys create makes one",
  });
}
