import {
  type AuthProvider,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  auth,
  extractWWWAuthenticateParams,
} from "@modelcontextprotocol/client";
import { loginWanted } from "../connectionProblem.js";
import { type Credentials, type CredentialsFile, credentialsFile } from "./credentials.js";

type UnauthorizedContext = Parameters<NonNullable<AuthProvider["onUnauthorized"]>>[0];

/** A login that a person is led through. */
export interface LoginSteps {
  /** Where the browser is sent back to. */
  redirectUrl: string;
  /** Comes back with the browser, so that nobody else's answer is taken for it. */
  state: string;
  /** Shows a person where to log in. */
  show: (address: URL) => void;
  /** Rights that are wanted beside those that the server names, separated by spaces. */
  scope?: string;
  /** As whom to ask, where the server registers nobody by itself. */
  client?: { client_id: string; client_secret?: string };
}

/**
 * The login of `tulipgraph tools login`, whose token is refreshed when it has expired; undefined where nobody has
 * logged in. When it no longer holds, nothing is begun anew: that takes a person.
 */
export function storedLogin(options: { name: string; url: URL }): AuthProvider | undefined {
  const { name } = options;
  const file = credentialsFile(options);
  if (!file.read()?.tokens) return undefined;
  let refreshing: Promise<void> | undefined;
  let refreshedAt = 0;
  return {
    token: async () => file.read()?.tokens?.access_token,
    // Several requests find out at once that a token has expired, and a refresh token can be used once.
    async onUnauthorized(context) {
      if (Date.now() - refreshedAt < JUST_NOW_MS) return;
      refreshing ??= refresh({ name, file, context }).finally(() => {
        refreshing = undefined;
      });
      await refreshing;
      refreshedAt = Date.now();
    },
  };
}

/** Milliseconds for which a token that was just given is not given up. */
const JUST_NOW_MS = 5_000;

/** @throws McpFailed when the login no longer holds */
async function refresh(options: {
  name: string;
  file: CredentialsFile;
  context: UnauthorizedContext;
}): Promise<void> {
  const { name, file, context } = options;
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
    // Another process may have used the refresh token, and its tokens hold.
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
    // Anything but a broken connection says that there is no way on without a person.
    throw error instanceof TypeError ? error : loginWanted(name, { cause: error });
  }
}

/**
 * A login from its beginning: it registers anew, for a redirect to another port, unless it is told as whom to ask, and
 * is kept once it has succeeded.
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

/** Without the headers of the server, which are not for the one that gives tokens; nor is a token for anybody else. */
const withoutRedirects: FetchLike = (url, init) => fetch(url, { ...init, redirect: "error" });

/** While calls are made nobody is sent anywhere. */
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
