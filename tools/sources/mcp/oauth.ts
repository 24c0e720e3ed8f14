import {
  type AuthProvider,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  auth,
  checkResourceAllowed,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from "@modelcontextprotocol/client";
import { guardedFetch } from "../credentials/guardedFetch.js";
import { loginWanted } from "./failures.js";
import { isSameAddress, lenientLogins } from "./lenientLogins.js";

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

/** @throws McpFailed when the login is no longer valid */
async function refresh(
  name: string,
  place: LoginPlace,
  { response, serverUrl }: UnauthorizedContext,
): Promise<void> {
  let worthless: string | undefined;
  const provider: OAuthClientProvider = {
    ...clientOf(UNUSED_REDIRECT),
    clientInformation: async () => (await place.read())?.client,
    async tokens() {
      const known = (await place.read())?.tokens;
      return known?.refresh_token === worthless ? undefined : known;
    },
    async saveTokens(tokens) {
      const known = await place.read();
      if (known) await place.renew({ ...known, tokens });
    },
    // Another process may have used this refresh token and stored new tokens, which are valid.
    async invalidateCredentials() {
      worthless = (await place.read())?.tokens?.refresh_token;
    },
    redirectToAuthorization() {
      throw loginWanted(name);
    },
    saveCodeVerifier() {},
    codeVerifier: () => "",
  };
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  const fetchFn = lenientLogins(guardedFetch(new URL(serverUrl)));
  try {
    await auth(provider, { serverUrl, resourceMetadataUrl, scope, fetchFn });
  } catch (error) {
    // Unless the connection broke, only a person can log in again.
    throw error instanceof TypeError ? error : loginWanted(name, { cause: error });
  }
}

/** A login that has begun. It can be stored while a person is in the browser. */
export interface BegunLogin extends Login {
  redirectUrl: string;
  verifier: string;
  /** Whether the server was in a private network: what it said then must not gain weight by what its name says later. */
  isPrivate: boolean;
  discovered?: OAuthDiscoveryState;
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
  const { url, redirectUrl, state, scope = "", client } = options;
  const guarded = guardedFetch(url);
  const challenge = await guarded(url, { method: "POST", headers: PROBE_HEADERS, body: PROBE });
  await challenge.body?.cancel();
  if (challenge.status !== 401 && !(await isProtected(url, guarded))) return undefined;
  const { resourceMetadataUrl, scope: wanted } = extractWWWAuthenticateParams(challenge);
  const isPrivate = await guarded.isPrivate();
  const begun: BegunLogin = { redirectUrl, verifier: "", isPrivate, ...(client && { client }) };
  let open: URL | undefined;
  const provider: OAuthClientProvider = {
    ...providerOf(begun),
    state: () => state,
    redirectToAuthorization(address) {
      const scopes = `${address.searchParams.get("scope") ?? ""} ${scope}`.trim().split(/\s+/);
      if (scope) address.searchParams.set("scope", [...new Set(scopes)].join(" "));
      open = address;
    },
  };
  const fetchFn = lenientLogins(guarded);
  await auth(provider, { serverUrl: url, resourceMetadataUrl, scope: wanted, fetchFn });
  // A browser must not be sent to a script or a file.
  if (!open || !/^https?:$/.test(open.protocol)) throw new Error("it names no page for logins");
  return { begun, open };
}

/** Some servers ask for a login only when tools are listed or called. */
async function isProtected(url: URL, send: FetchLike): Promise<boolean> {
  return await discoverOAuthProtectedResourceMetadata(url, {}, lenientLogins(send)).then(
    ({ authorization_servers: servers = [] }) => servers.length > 0,
    () => false,
  );
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
  const { isPrivate, discovered } = begun;
  const issuer = discovered?.authorizationServerMetadata?.issuer;
  const { iss } = answer;
  await auth(providerOf(begun), {
    serverUrl: url,
    authorizationCode: answer.code,
    iss: iss !== undefined && issuer !== undefined && isSameAddress(iss, issuer) ? issuer : iss,
    fetchFn: lenientLogins(guardedFetch(url, { isPrivate })),
  });
  const { client, tokens } = begun;
  return { client, tokens };
}

function providerOf(begun: BegunLogin): OAuthClientProvider {
  return {
    ...clientOf(begun.redirectUrl),
    clientInformation: () => begun.client,
    saveClientInformation(client) {
      begun.client = client;
    },
    tokens: () => begun.tokens,
    saveTokens(tokens) {
      begun.tokens = tokens;
    },
    redirectToAuthorization() {},
    saveCodeVerifier(verifier) {
      begun.verifier = verifier;
    },
    codeVerifier: () => begun.verifier,
    saveDiscoveryState(state) {
      begun.discovered = state;
    },
    discoveryState: () => begun.discovered,
  };
}

/** Required by the client library; during calls, nobody is redirected. */
const UNUSED_REDIRECT = "http://127.0.0.1/";

function clientOf(redirectUrl: string) {
  return {
    redirectUrl,
    validateResourceURL,
    clientMetadata: {
      client_name: "tulipgraph",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
  };
}

/** What a token is asked for: the server as it names itself, also with another slash at the end. */
async function validateResourceURL(server: string | URL, resource?: string) {
  if (resource === undefined) return undefined;
  const isAllowed =
    isSameAddress(resource, String(server)) ||
    // Behind a proxy, a server may not know that it is reached over TLS.
    isSameAddress(resource.replace(/^http:/, "https:"), String(server)) ||
    checkResourceAllowed({ requestedResource: server, configuredResource: resource });
  if (isAllowed) return new URL(resource);
  throw new Error(`it names another resource, ${resource}, which is not ${String(server)}`);
}
