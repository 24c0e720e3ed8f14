import type { TakenCredentials, ConnectedSource, Behalf } from "../../remote.js";
import { sha256 } from "../../library/records/hash.js";
import { metadataOf } from "../mcp/discovery.js";
import { claimsIn } from "./claims.js";
import { guardedFetch } from "./guardedFetch.js";
import { type ConnectionStore, tokenName } from "./store.js";

/** A token is not used any more this long before its end (ms). */
const MARGIN_MS = 5_000;

/**
 * The token for a source that a caller's token is passed on to: the caller's own if it is meant for that source, else
 * one that its issuer gives for it (RFC 8693). With the id under which the caller's own is kept.
 *
 * @returns undefined if the caller has no token, or it has expired
 * @throws Error in one line when the token is of another issuer, or is not exchanged
 */
export async function passedToken(options: {
  source: ConnectedSource;
  store: ConnectionStore;
  behalf: Behalf;
}): Promise<{ bearer: string; id: string } | undefined> {
  const { source, store, behalf } = options;
  const kept = await store.find(behalf.owner, tokenName(behalf.caller));
  if (!kept || isOver(kept.expiresAt)) return undefined;
  const { id, secret } = kept;
  const token = String(secret["token"]);
  const { issuer, audience } = source.settings as TakenCredentials;
  const { iss, aud } = claimsIn(token) ?? {};
  if (iss !== issuer || audience === undefined)
    throw new Error(`${source.name} takes tokens of ${issuer}, and yours is of ${String(iss)}`);
  if ([aud].flat().includes(audience)) return { id, bearer: token };
  try {
    return { id, bearer: await exchanged({ token, issuer: String(issuer), audience }) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const problem = `your token is not for ${audience}, and ${issuer} cannot be reached to exchange it`;
    throw new Error(problem, { cause: error });
  }
}

function isOver(expiresAt: number | undefined): boolean {
  return expiresAt !== undefined && expiresAt - MARGIN_MS < Date.now();
}

/** Tokens that issuers have given in exchange, by the hash of the token and the audience. */
const given = new Map<string, { token: string; expiresAt: number }>();

/** Tokens that are kept at once; those beyond are asked for again. */
const MOST_KEPT = 1_000;

/** Milliseconds for which a token is used if its issuer does not say. */
const USED_MS = 60_000;

const TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

async function exchanged(asked: {
  token: string;
  issuer: string;
  audience: string;
}): Promise<string> {
  const { token, issuer, audience } = asked;
  const key = sha256(`${audience}\n${token}`);
  const kept = given.get(key);
  if (kept && !isOver(kept.expiresAt)) return kept.token;
  const fetching = guardedFetch(new URL(issuer));
  const metadata = await metadataOf(issuer, fetching);
  if (!metadata)
    throw new Error(`${issuer} says nothing about itself, so no token can be exchanged there`);
  const { token_endpoint: endpoint, grant_types_supported: grants = [] } = metadata;
  if (!grants.includes(EXCHANGE) || !endpoint)
    throw new Error(`your token is not for ${audience}, and ${issuer} exchanges none`);
  const body = new URLSearchParams({
    grant_type: EXCHANGE,
    subject_token: token,
    subject_token_type: TOKEN_TYPE,
    requested_token_type: TOKEN_TYPE,
    audience,
  });
  const response = await fetching(endpoint, { method: "POST", body });
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const { access_token: made, expires_in: seconds } = answer;
  if (!response.ok || typeof made !== "string")
    throw new Error(`${issuer} gave no token for ${audience} (${response.status})`);
  if (given.size >= MOST_KEPT) given.clear();
  const lasts = typeof seconds === "number" ? seconds * 1000 : USED_MS;
  given.set(key, { token: made, expiresAt: Date.now() + lasts });
  return made;
}
