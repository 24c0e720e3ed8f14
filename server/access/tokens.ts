import { type JWTPayload, createRemoteJWKSet, errors, jwtVerify } from "jose";
import { HttpProblem } from "../problem.js";
import { type Caller, SCOPES } from "./caller.js";
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

/** Whether a credential looks like a token. */
export function isToken(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
}

/**
 * Reads tokens of the issuer that the operator's file names.
 *
 * @returns the caller with a token, undefined if it is not valid; throws HttpProblem 503 if the issuer's keys cannot
 * be fetched
 */
export function openTokens(
  settings: NonNullable<Policy["jwt"]>,
): (token: string) => Promise<Caller | undefined> {
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
      if (isOfToken(error)) return undefined;
      throw new HttpProblem({
        status: 503,
        problem: "the issuer's keys, which tokens are checked with, cannot be fetched",
        hint: "Try again; if this persists, the operator should check jwt.jwks",
        retryAfter: RETRY_SECONDS,
      });
    }
  };
}

/** Whether the token is at fault, rather than the connection to the issuer. */
function isOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}

function callerOf(payload: JWTPayload, settings: NonNullable<Policy["jwt"]>): Caller | undefined {
  const { ownerClaim, scopesClaim, scopesPrefix, defaultScopes } = settings;
  const owner = payload[ownerClaim];
  const subject = payload.sub ?? owner;
  if (typeof owner !== "string" || typeof subject !== "string") return undefined;
  if (owner === "" || owner.length > LONGEST_OWNER) return undefined;
  const given = payload[scopesClaim];
  const words = typeof given === "string" ? given.split(" ") : given;
  const scopes = Array.isArray(words)
    ? SCOPES.filter((scope) => words.includes(scopesPrefix + scope))
    : defaultScopes;
  // The prefix keeps a subject from being charged as a key of the same name.
  return { owner, id: `sub:${subject}`, scopes };
}
