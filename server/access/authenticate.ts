import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";
import type { Access } from "./access.js";
import { ANYBODY, type Caller, GUEST, requireScope } from "./caller.js";
import { type Keys, isSecret } from "./keys.js";
import { type Policy, isCapping } from "./policy.js";
import { scopesFor } from "./routes.js";
import { isToken, openTokens } from "./tokens.js";
import { isLoopback } from "./webRules.js";

const MINUTE_MS = 60_000;

/** Callers and addresses counted at once; when there are more, all counts start again. */
const MOST_COUNTED = 10_000;

/** Identifies the sender of a request by a key or a token. */
export function openAuthentication(options: {
  address: string;
  policy: Policy;
  keys: Keys;
}): Pick<Access, "authenticate" | "notices"> {
  const { address, policy, keys } = options;
  const token = policy.jwt && openTokens(policy.jwt);
  const countRequest = countByMinute("requests", policy.requestsPerMinute);
  const countFailure = countByMinute("failed authentications", policy.failuresPerMinute);
  const everybody = isCapping(policy) ? GUEST : ANYBODY;
  const isOn = async () => asksByRule(options) ?? (await keys.exist());
  const identify = async (context: Context<Environment>): Promise<Caller | HttpProblem> => {
    const credential = credentialIn(context) ?? "";
    if (isSecret(credential)) return (await callerOfKey(keys, credential)) ?? unknownCaller();
    return (isToken(credential) && (await token?.(credential))) || unknownCaller();
  };
  return {
    authenticate: async (context, next) => {
      const known = (await isOn()) ? await identify(context) : everybody;
      if (known instanceof HttpProblem) {
        countFailure(senderOf(context));
        context.header("WWW-Authenticate", "Bearer");
        throw known;
      }
      countRequest(known.id || senderOf(context));
      const scopes = scopesFor(context.req);
      if (scopes.length > 0) requireScope(known, ...scopes);
      context.set("caller", known);
      await next();
    },
    notices: async () => {
      if (!(await isOn())) {
        if (isLoopback(address)) return [];
        return [`authentication is off: anybody who reaches ${address} may use this server`];
      }
      if (token || (await keys.exist())) return [];
      return [
        "nobody may use this server yet; make a key with: tulipgraph keys create --scope run --scope read",
      ];
    },
  };
}

/**
 * Whether every caller must be identified: as the operator's file says, else if the server can be reached from outside
 * this machine, or accepts tokens. Undefined if that depends on whether there are keys.
 */
function asksByRule({ address, policy }: { address: string; policy: Policy }): boolean | undefined {
  const { authentication, hosts, jwt } = policy;
  if (authentication !== undefined) return authentication === "on";
  // Further names mean that a proxy stands in front, which others can reach.
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

/** The address of the sender; behind a proxy, the proxy's. */
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

/**
 * Limits how often something may happen in a minute, for each name. Each process counts for itself: with several
 * servers behind one address, a caller may reach that many times the limit.
 *
 * @param most undefined for no limit
 * @param what what is counted, in words, for the message
 * @returns counts one more; throws HttpProblem 429 if that is one too many
 */
function countByMinute(what: string, most?: number): (name: string) => void {
  const counts = new Map<string, number>();
  let minute = 0;
  return (name) => {
    if (most === undefined) return;
    const present = Math.floor(Date.now() / MINUTE_MS);
    if (present !== minute || counts.size > MOST_COUNTED) counts.clear();
    minute = present;
    const count = counts.get(name) ?? 0;
    if (count >= most) {
      throw new HttpProblem({
        status: 429,
        problem: `more than ${most} ${what} a minute`,
        hint: "Wait for the next minute",
        retryAfter: Math.ceil(((minute + 1) * MINUTE_MS - Date.now()) / 1000),
      });
    }
    counts.set(name, count + 1);
  };
}
