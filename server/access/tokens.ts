import {
  type JWTPayload,
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  jwtVerify,
} from "jose";
import { beginning } from "../../common/text.js";
import { HttpProblem } from "../problem.js";
import { type Caller, SCOPES } from "./caller.js";
import { ownerOfTokens } from "./owners.js";
import type { Policy } from "./policy.js";

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

/** What looks like a token. */
export const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;

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
export function openTokens(
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
      if (error instanceof errors.JOSEError && OF_TOKEN.test(error.code))
        return refusalOf(error, token, settings);
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

/** Codes of errors by which the token is at fault, rather than the connection to the issuer. */
const OF_TOKEN = /^ERR_(?:JWT|JWS|JOSE_ALG|JOSE_NOT|JWKS_NO_MATCHING|JWKS_MULTIPLE)_/;

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
