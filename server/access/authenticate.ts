import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import {
  type JWTPayload,
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  jwtVerify,
} from "jose";
import { beginning } from "../../common/text.js";
import { HttpProblem } from "../problem.js";
import type { Environment } from "../server.js";
import { ANYBODY, type Caller, GUEST, SCOPES, requireScope, scopesFor } from "./caller.js";
import { type Keys, isSecret } from "./keys.js";
import { ownerOfTokens } from "./owners.js";
import { type Policy, isCapping } from "./policy.js";
import { isLoopback } from "./guard.js";

const MINUTE_MS = 60_000;

/** Callers and addresses counted at once; when there are more, all counts start again. */
const MOST_COUNTED = 10_000;

/** Identifies the sender of a request by a key or a token. */
export function openAuthentication(options: { address: string; policy: Policy; keys: Keys }) {
  const { address, policy, keys } = options;
  const token = policy.jwt && openTokens(policy.jwt);
  const countRequest = countByMinute("requests", policy.requestsPerMinute);
  const countFailure = countByMinute("failed authentications", policy.failuresPerMinute);
  const everybody = isCapping(policy) ? GUEST : ANYBODY;
  const isOn = async () => asksByRule(options) ?? (await keys.exist());
  const identify = async (context: Context<Environment>): Promise<Caller | HttpProblem> => {
    const credential = credentialIn(context) ?? "";
    const refuse = (detail: string, problem?: string) => {
      context.set("refused", detail);
      return unknownCaller(problem);
    };
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
  };
  return {
    authenticate,
    /** What the person who starts the server should know, one line each. */
    notices: async () => {
      if (!(await isOn())) {
        if (isLoopback(address)) return [];
        return [`authentication is off: anyone who can reach ${address} can use this server`];
      }
      if (token || (await keys.exist())) return [];
      return [
        "nobody can use this server yet; create a key with: tulipgraph keys create --scope run --scope read",
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
  if (problem !== undefined) {
    return new HttpProblem({ status: 401, problem, hint: "Get a new token from its issuer" });
  }
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

/** Only signatures with a public key: with a shared secret, each of our servers could sign tokens, too. */
const ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

/** How long to wait for an answer of the issuer (ms). */
const PATIENCE_MS = 5000;

/** How often, at most, the issuer is asked for a key that is not known yet (ms). */
const COOL_DOWN_MS = 1000;

/** How long the issuer's keys are kept (ms): a withdrawn one is accepted that long. */
const KEEP_MS = 600_000;

/** `Retry-After` when the issuer cannot be reached. */
const RETRY_SECONDS = 5;

/** Characters of an owner's name. */
const LONGEST_OWNER = 200;

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Why a token is not accepted: as its bearer is told, and as the log has it. */
interface Refusal {
  problem: string;
  detail: string;
}

/**
 * Reads tokens of the issuer that the operator's file names.
 *
 * @returns the caller with a token, or why it is not valid; throws HttpProblem 503 if the issuer's keys cannot be
 * fetched
 */
function openTokens(
  settings: NonNullable<Policy["jwt"]>,
): (token: string) => Promise<Caller | Refusal> {
  const { issuer, audience, toleranceSeconds: clockTolerance } = settings;
  const keys = createRemoteJWKSet(new URL(settings.jwks), {
    timeoutDuration: PATIENCE_MS,
    cooldownDuration: COOL_DOWN_MS,
    cacheMaxAge: KEEP_MS,
  });
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        clockTolerance,
        algorithms: ALGORITHMS,
        requiredClaims: ["exp"],
      });
      return callerOf(payload, settings);
    } catch (error) {
      const fault = OF_TOKEN.find((kind) => error instanceof kind);
      if (fault) return refusalOf(error as Error, token, settings);
      throw new HttpProblem({
        status: 503,
        problem: "the issuer's keys, which tokens are checked with, cannot be fetched",
        hint: "Try again; if this persists, the operator should check jwt.jwks",
        retryAfter: RETRY_SECONDS,
      });
    }
  };
}

/** What is wrong with a token by the claim that failed. */
const CLAIM_PROBLEMS: Record<string, string> = {
  exp: "the token has no expiry time",
  nbf: "the token is not valid yet",
  aud: "the token is for another audience",
  iss: "the token is from another issuer",
};

/** Claims are checked after the signature, so only a bearer of a real token learns which of them is wrong. */
function refusalOf(
  error: Error,
  token: string,
  { issuer, audience }: NonNullable<Policy["jwt"]>,
): Refusal {
  if (error instanceof errors.JWTExpired) {
    const { exp = 0 } = error.payload;
    const problem = `the token expired at ${new Date(exp * 1000).toISOString()}`;
    return { problem, detail: `${error.message} (sub ${error.payload.sub})` };
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, payload } = error;
    const problem = CLAIM_PROBLEMS[claim] ?? `the token's claim "${claim}" is not valid`;
    const came = JSON.stringify(payload[claim]) ?? "nothing";
    const wanted = { aud: `, wanted ${audience}`, iss: `, wanted ${issuer}` }[claim] ?? "";
    return { problem, detail: `${error.message} (${came}${wanted}; sub ${payload.sub})` };
  }
  return {
    problem: "the token has no valid signature",
    detail: `${error.message} (${headerText(token)})`,
  };
}

/** What a token says of its signature, for the log. */
function headerText(token: string): string {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return beginning(`alg ${alg}, kid ${kid}`, LONGEST_OWNER);
  } catch {
    return "its header cannot be read";
  }
}

/** Errors by which the token is at fault, rather than the connection to the issuer. */
const OF_TOKEN = [
  errors.JWTClaimValidationFailed,
  errors.JWTExpired,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

function callerOf(payload: JWTPayload, settings: NonNullable<Policy["jwt"]>): Caller | Refusal {
  const { issuer, ownerClaim, scopesClaim, scopesPrefix, defaultScopes } = settings;
  const owner = payload[ownerClaim];
  const subject = payload.sub ?? owner;
  const isNamed = typeof owner === "string" && owner !== "" && owner.length <= LONGEST_OWNER;
  if (!isNamed || typeof subject !== "string") {
    const problem = `the token names no owner in its claim "${ownerClaim}"`;
    return { problem, detail: `${problem} (sub ${payload.sub})` };
  }
  const given = payload[scopesClaim];
  const words = typeof given === "string" ? given.split(" ") : given;
  const scopes = Array.isArray(words)
    ? SCOPES.filter((scope) => words.includes(scopesPrefix + scope))
    : defaultScopes;
  // The prefix keeps a subject from being charged as a key of the same name.
  const named = payload[settings.groupsClaim];
  const groups = [named ?? []].flat().filter((each) => typeof each === "string");
  return { owner: ownerOfTokens(issuer, owner), id: `sub:${subject}`, scopes, groups };
}
