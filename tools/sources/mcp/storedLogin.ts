import { chmodSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  type AuthProvider,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  auth,
  extractWWWAuthenticateParams,
} from "@modelcontextprotocol/client";
import { sha256 } from "../../library/records/hash.js";
import { loginWanted } from "./failures.js";
import { makeFolder } from "../../../storage/makeFolder.js";

type UnauthorizedContext = Parameters<NonNullable<AuthProvider["onUnauthorized"]>>[0];

export interface LoginSteps {
  /** Where the browser returns to. */
  redirectUrl: string;
  /** Comes back with the browser, so that an answer to another login is not accepted. */
  state: string;
  /** Shows a person where to log in. */
  show: (address: URL) => void;
  /** Rights to request besides those that the server names, separated by spaces. */
  scope?: string;
  /** The client to log in as, if the server does not register clients itself. */
  client?: { client_id: string; client_secret?: string };
}

/**
 * The login of `tulipgraph tools login`, whose token is refreshed when it has expired; undefined if nobody has logged
 * in. When it is no longer valid, no new login starts: that takes a person.
 */
export function storedLogin(options: { name: string; url: URL }): AuthProvider | undefined {
  const { name } = options;
  const file = credentialsFile(options);
  if (!file.read()?.tokens) return undefined;
  let refreshing: Promise<void> | undefined;
  let refreshedAt = 0;
  return {
    token: async () => file.read()?.tokens?.access_token,
    // Several requests may find at once that a token has expired, but a refresh token can be used only once.
    async onUnauthorized(context) {
      if (Date.now() - refreshedAt < JUST_NOW_MS) return;
      refreshing ??= refresh(name, file, context).finally(() => {
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
  file: ReturnType<typeof credentialsFile>,
  context: UnauthorizedContext,
): Promise<void> {
  const { response, serverUrl } = context;
  let worthless: string | undefined;
  const tokens = () => {
    const known = file.read()?.tokens;
    return known?.refresh_token === worthless ? undefined : known;
  };
  const provider: OAuthClientProvider = {
    ...clientOf({ redirectUrl: UNUSED_REDIRECT }),
    clientInformation: () => file.read()?.client,
    tokens,
    saveTokens(given) {
      const known = file.read();
      if (known) file.write({ ...known, tokens: given });
    },
    // Another process may have used this refresh token and stored new tokens, which are valid.
    invalidateCredentials: () => void (worthless = file.read()?.tokens?.refresh_token),
    redirectToAuthorization() {
      throw loginWanted(name);
    },
    saveCodeVerifier() {},
    codeVerifier: () => "",
  };
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  try {
    await auth(provider, { serverUrl, resourceMetadataUrl, scope, fetchFn: withoutRedirects });
  } catch (error) {
    // Unless the connection broke, only a person can log in again.
    throw error instanceof TypeError ? error : loginWanted(name, { cause: error });
  }
}

/**
 * A new login. It registers a new client, because the port of its redirect differs each time, unless a client is given.
 * It is stored once it has succeeded.
 */
export function newLogin(options: {
  name: string;
  url: URL;
  steps: LoginSteps;
}): OAuthClientProvider {
  const { url, steps } = options;
  const begun: Credentials = { url: url.href, client: steps.client };
  let verifier = "";
  let discovered: OAuthDiscoveryState | undefined;
  return {
    ...clientOf(steps),
    state: () => steps.state,
    clientInformation: () => begun.client,
    saveClientInformation(client) {
      begun.client = client;
    },
    tokens: () => begun.tokens,
    saveTokens(tokens) {
      begun.tokens = tokens;
      credentialsFile(options).write(begun);
    },
    redirectToAuthorization(address) {
      if (steps.scope) {
        const scopes = [address.searchParams.get("scope") ?? "", steps.scope]
          .join(" ")
          .split(/\s+/);
        address.searchParams.set("scope", [...new Set(scopes)].join(" ").trim());
      }
      steps.show(address);
    },
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(state) {
      discovered = state;
    },
    discoveryState: () => discovered,
  };
}

/** Tokens must not go to another host, so redirects are refused; the server's own headers are not sent, either. */
const withoutRedirects: FetchLike = (url, init) => fetch(url, { ...init, redirect: "error" });

/** Required by the client library; during calls, nobody is redirected. */
const UNUSED_REDIRECT = "http://127.0.0.1/";

function clientOf({ redirectUrl }: Pick<LoginSteps, "redirectUrl">) {
  return {
    redirectUrl,
    clientMetadata: {
      client_name: "tulipgraph",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
  };
}

interface Credentials {
  /** The address they are for: a server with the same name at another address does not get them. */
  url: string;
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
}

/**
 * The credentials of a server, in the user's own settings and not in a home, which may be copied and committed:
 * `$XDG_CONFIG_HOME/tulipgraph/credentials`, by default in `~/.config`.
 */
export function credentialsFile({ name, url }: { name: string; url: URL }) {
  const config = process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  const folder = join(config, "tulipgraph", "credentials");
  const { href } = url;
  const path = join(folder, `${name}-${sha256(href).slice(0, 12)}.json`);
  return {
    path,
    /** Undefined if there are none. */
    read(): Credentials | undefined {
      try {
        const credentials = JSON.parse(readFileSync(path, "utf8")) as Credentials;
        return credentials.url === href ? credentials : undefined;
      } catch {
        // None yet, or a file damaged by a crash, which a new login will replace.
        return undefined;
      }
    },
    write(credentials: Credentials): void {
      makeFolder(folder, 0o700);
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(credentials), { mode: 0o600 });
      // `writeFileSync` sets the mode only of a new file.
      chmodSync(draft, 0o600);
      renameSync(draft, path);
    },
  };
}
