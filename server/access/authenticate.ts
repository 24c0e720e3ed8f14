import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";
import { ANYBODY, type Caller, GUEST, requireScope, scopesFor } from "./caller.js";
import { type Keys, isSecret } from "./keys.js";
import { type Policy, isCapping } from "./policy.js";
import { isLoopback } from "./guard.js";
import type { ProjectAuth } from "./projectAuth.js";
import { TOKEN, openTokens } from "./tokens.js";

const MINUTE_MS = 60_000;

/** Callers and addresses counted at once; when there are more, all counts start again. */
const MOST_COUNTED = 10_000;

/** Identifies the sender of a request by a key or a token. */
export function openAuthentication(options: {
  address: string;
  policy: Policy;
  keys: Keys;
  project?: ProjectAuth;
}) {
  const { address, policy, keys, project } = options;
  const token = policy.jwt && openTokens(policy.jwt);
  const countRequest = countByMinute("requests", policy.requestsPerMinute);
  const countFailure = countByMinute("failed authentications", policy.failuresPerMinute);
  const everybody = isCapping(policy) ? GUEST : ANYBODY;
  const isOn = async () => project !== undefined || (asksByRule(options) ?? (await keys.exist()));
  const identify = async (context: Context<Environment>): Promise<Caller | HttpProblem> => {
    const credential = credentialIn(context) ?? "";
    const refuse = (detail: string, problem?: string) => {
      context.set("refused", detail);
      return unknownCaller(problem);
    };
    if (project && !isSecret(credential)) return await project.identify(context.req.raw);
    if (credential === "") return refuse("no key or token");
    if (isSecret(credential)) {
      const key = await keys.find(credential);
      if (!key) return refuse("a key that is unknown, revoked or expired");
      return { owner: key.owner, id: key.id, scopes: key.scopes };
    }
    if (!token || !TOKEN.test(credential)) return refuse("neither a key nor a token");
    const read = await token(credential);
    if (!("owner" in read)) return refuse(read.detail, read.problem);
    context.set("token", credential);
    return read;
  };
  /** Identifies the caller, sets `caller`, counts its requests, and requires the scope that the route needs. */
  const authenticate: MiddlewareHandler<Environment> = async (context, next) => {
    const known = (await isOn()) ? await identify(context).catch(asRefusal) : everybody;
    if (known instanceof HttpProblem) {
      countFailure(senderOf(context));
      context.header("WWW-Authenticate", "Bearer");
      throw known;
    }
    context.set("caller", known);
    count(context);
    const scopes = scopesFor(context.req);
    // What a project's users may do is asked of the project, once its own routes are passed.
    if (scopes.length > 0 && !known.project) requireScope(known, ...scopes);
    await next();
  };
  /** Counts one more request of a known caller. @throws HttpProblem 429 if that is one too many in this minute */
  const count = (context: Context<Environment>) =>
    countRequest(context.get("caller").id || senderOf(context));
  return {
    authenticate,
    count,
    /** What is to be known of who may use the server, one line each. */
    notices: async () => {
      if (!(await isOn())) {
        if (isLoopback(address)) return [];
        return [`authentication is off: anyone who can reach ${address} can use this server`];
      }
      if (token || project || (await keys.exist())) return [];
      return [
        "nobody can use this server yet; create a key with: tulipgraph keys create --scope run --scope read",
      ];
    },
  };
}

/** A project's refusal counts as a failed authentication. */
function asRefusal(error: unknown): HttpProblem {
  if (error instanceof HttpProblem && error.details.status !== 503) return error;
  throw error;
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

function credentialIn({ req }: Context<Environment>): string | undefined {
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(req.header("authorization") ?? "") ?? [];
  return req.header("x-api-key") ?? bearer;
}

/** The address of the sender; behind a proxy, the proxy's. */
function senderOf({ env }: Context<Environment>): string {
  const { incoming } = (env ?? {}) as { incoming?: IncomingMessage };
  return incoming?.socket.remoteAddress ?? "";
}

function unknownCaller(problem?: string): HttpProblem {
  if (problem !== undefined)
    return new HttpProblem({ status: 401, problem, hint: "Get a new token from its issuer" });
  return new HttpProblem({
    status: 401,
    problem: "no valid key or token came with the request",
    hint: "Send a key as x-api-key or as Authorization: Bearer …; tulipgraph keys create creates one",
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
    if (count >= most)
      throw new HttpProblem({
        status: 429,
        problem: `more than ${most} ${what} a minute`,
        hint: "Wait for the next minute",
        retryAfter: Math.ceil(((minute + 1) * MINUTE_MS - Date.now()) / 1000),
      });
    counts.set(name, count + 1);
  };
}
