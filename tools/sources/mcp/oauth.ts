import {
  type AuthProvider,
  type FetchLike,
  OAuthError,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  exchangeAuthorization,
  refreshAuthorization,
  startAuthorization,
} from "@modelcontextprotocol/client";
import { oneLine } from "../../../common/errors.js";
import { following, guardedFetch } from "../credentials/guardedFetch.js";
import { type Discovered, discoverLogins } from "./discovery.js";
import { loginWanted } from "./failures.js";
import { limitedFetch } from "./limitedFetch.js";
import { PUT_OFF, answerOf, isSameAddress, tokenFetch } from "./lenientLogins.js";
import { McpFailed } from "./settings.js";

type UnauthorizedContext = Parameters<NonNullable<AuthProvider["onUnauthorized"]>>[0];

/** What a login has brought. */
export interface Login {
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
}

/** Where a login is stored. */
export interface LoginPlace {
  read: () => Promise<Login | undefined>;
  /** Stores new tokens of the same login. */
  renew: (login: Login) => Promise<void>;
}

/**
 * A login whose token is refreshed when it has expired. When it is no longer valid, no new login starts: that takes a
 * person.
 */
export function storedLogin({ name, place }: { name: string; place: LoginPlace }): AuthProvider {
  let refreshing: Promise<void> | undefined;
  let refreshedAt = 0;
  return {
    token: async () => (await place.read())?.tokens?.access_token,
    // Several requests may find at once that a token has expired, but a refresh token can be used only once.
    async onUnauthorized(context) {
      if (Date.now() - refreshedAt < JUST_NOW_MS) return;
      refreshing ??= refresh(name, place, context).finally(() => {
        refreshing = undefined;
      });
      await refreshing;
      refreshedAt = Date.now();
    },
  };
}

/** Milliseconds for which a new token is not refreshed again. */
const JUST_NOW_MS = 5_000;

/** @throws McpFailed when the login is no longer valid, or cannot be renewed now */
async function refresh(
  name: string,
  place: LoginPlace,
  { response, serverUrl }: UnauthorizedContext,
): Promise<void> {
  const known = await place.read();
  const { client, tokens } = known ?? {};
  const { refresh_token: refreshToken, issuer } = tokens ?? {};
  if (!client || refreshToken === undefined) throw loginWanted(name);
  try {
    const url = new URL(serverUrl);
    const send = limitedFetch(guardedFetch(url));
    const discovered = await discoverLogins({ url, challenge: response, send });
    // What one provider gave is not shown to another.
    if (!discovered || !isSameAddress(issuer ?? issuerOf(discovered), issuerOf(discovered)))
      throw loginWanted(name);
    const renewed = await refreshAuthorization(discovered.authorizationServerUrl, {
      ...askedWith({ discovered, client, send }),
      refreshToken,
    });
    await place.renew({ ...known, tokens: { ...tokens, ...renewed } });
  } catch (error) {
    // Another process may have used this refresh token and stored new tokens, which are valid.
    if ((await place.read())?.tokens?.refresh_token !== refreshToken) return;
    throw error instanceof McpFailed ? error : notRenewed(name, error);
  }
}

/** Unless the provider refuses the tokens themselves, a later try may go well. */
function notRenewed(name: string, error: unknown): McpFailed {
  if (error instanceof OAuthError && error.code !== PUT_OFF)
    return loginWanted(name, { cause: error });
  const why = oneLine(error instanceof Error ? error.message : String(error));
  const hint = `Try again later, or log in again: tulipgraph tools login ${name}`;
  const problem = `its login cannot be renewed now (${why})`;
  return new McpFailed({ server: name, problem, hint, isUnreached: true }, { cause: error });
}

function issuerOf(discovered: Discovered): string {
  return discovered.authorizationServerMetadata?.issuer ?? discovered.authorizationServerUrl;
}

/** What each request for tokens carries. */
function askedWith(options: {
  discovered: Discovered;
  client: StoredOAuthClientInformation;
  send: FetchLike;
}) {
  const { discovered, client, send } = options;
  const { authorizationServerMetadata: metadata, resourceMetadata } = discovered;
  const methods = metadata?.token_endpoint_auth_methods_supported;
  return {
    metadata,
    clientInformation: client,
    resource: resourceMetadata?.resource,
    fetchFn: tokenFetch(send, { client, methods }),
    // In its own ways.
    addClientAuthentication() {},
  };
}

/** A login that has begun. It can be stored while a person is in the browser. */
export interface BegunLogin extends Login {
  redirectUrl: string;
  verifier: string;
  /** Whether the server was in a private network: what it said then must not gain weight by what its name says later. */
  isPrivate: boolean;
  discovered: Discovered;
  client: StoredOAuthClientInformation;
}

/**
 * Begins a login: discovery, registration of a client unless one is given, and PKCE. Each login registers a client,
 * because the place that it returns to differs.
 *
 * @param options.state comes back with the browser, so that an answer to another login is not accepted
 * @param options.scope rights to request besides those that the server names, separated by spaces
 * @returns undefined for a server that wants no login
 */
export async function beginLogin(options: {
  url: URL;
  redirectUrl: string;
  state: string;
  scope?: string;
  client?: StoredOAuthClientInformation;
}): Promise<{ begun: BegunLogin; open: URL } | undefined> {
  const { url, redirectUrl, state } = options;
  const guarded = guardedFetch(url);
  const send = limitedFetch(guarded);
  const asked = { method: "POST", headers: PROBE_HEADERS, body: PROBE };
  const challenge = await following(send)(url, asked);
  await challenge.body?.cancel();
  const discovered = await discoverLogins({ url, challenge, send });
  if (!discovered) return undefined;
  const { authorizationServerMetadata: metadata, resourceMetadata } = discovered;
  if (metadata && !metadata.authorization_endpoint)
    throw new Error("it offers no login in a browser");
  const scope = scopeFor(discovered, options.scope);
  const client = options.client ?? (await registered({ discovered, redirectUrl, scope, send }));
  const { authorizationUrl: open, codeVerifier: verifier } = await startAuthorization(
    discovered.authorizationServerUrl,
    {
      metadata,
      clientInformation: client,
      redirectUrl,
      state,
      scope,
      resource: resourceMetadata?.resource,
    },
  );
  // A browser must not be sent to a script or a file.
  if (!/^https?:$/.test(open.protocol)) throw new Error("it names no page for logins");
  const isPrivate = await guarded.isPrivate();
  return { begun: { redirectUrl, verifier, isPrivate, client, discovered }, open };
}

/** The rights to ask for: those that the server names, longer-lived access where it is offered, and those wanted besides. */
function scopeFor(discovered: Discovered, wanted = ""): string | undefined {
  const { scope = "", authorizationServerMetadata: metadata } = discovered;
  const isLasting = scope && metadata?.scopes_supported?.includes("offline_access");
  const all = `${scope} ${isLasting ? "offline_access" : ""} ${wanted}`.split(/\s+/);
  return [...new Set(all)].join(" ").trim() || undefined;
}

/** Registers a client, with what it needs alone if the provider does not take the rest. @throws Error if it is refused */
async function registered(options: {
  discovered: Discovered;
  redirectUrl: string;
  scope: string | undefined;
  send: FetchLike;
}): Promise<StoredOAuthClientInformation> {
  const { discovered, redirectUrl, scope, send } = options;
  const { authorizationServerUrl: server, authorizationServerMetadata: metadata } = discovered;
  if (metadata && !metadata.registration_endpoint)
    throw new Error("it registers no clients itself");
  const place = metadata?.registration_endpoint ?? new URL("/register", server);
  const needed = { client_name: "tulipgraph", redirect_uris: [redirectUrl] };
  const wished = {
    ...needed,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    // It can keep no secret.
    token_endpoint_auth_method: "none",
    application_type: redirectUrl.startsWith("https:") ? "web" : "native",
    scope,
  };
  const ask = async (asked: object) => {
    const headers = { "content-type": "application/json", accept: "application/json" };
    const body = JSON.stringify(asked);
    return await answerOf(await send(place, { method: "POST", headers, body }), "client_id");
  };
  const first = await ask(wished);
  const isAgain = "status" in first && (first.status === 400 || first.status === 422);
  const second = isAgain ? await ask(needed) : first;
  const answer = "fields" in second ? second : first;
  if ("fields" in answer) {
    const { client_id, client_secret, token_endpoint_auth_method } = answer.fields;
    const client = { client_id, client_secret, token_endpoint_auth_method };
    return { ...client, issuer: issuerOf(discovered) } as StoredOAuthClientInformation;
  }
  throw new Error(`it registers no client for this (HTTP ${answer.status}): ${answer.why}`);
}

/** Asked of a server to learn whether it wants a login; an answer would begin nothing. */
const PROBE = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
const PROBE_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** Finishes a login with what the browser has brought back. */
export async function finishLogin(options: {
  url: URL;
  begun: BegunLogin;
  answer: { code: string; iss?: string };
}): Promise<Login> {
  const { url, begun, answer } = options;
  const { isPrivate, discovered, client, verifier, redirectUrl } = begun;
  const issuer = issuerOf(discovered);
  const { iss } = answer;
  const tokens = await exchangeAuthorization(discovered.authorizationServerUrl, {
    ...askedWith({ discovered, client, send: limitedFetch(guardedFetch(url, { isPrivate })) }),
    authorizationCode: answer.code,
    iss: iss !== undefined && isSameAddress(iss, issuer) ? issuer : iss,
    codeVerifier: verifier,
    redirectUri: redirectUrl,
  });
  return { client, tokens: { ...tokens, issuer } };
}
