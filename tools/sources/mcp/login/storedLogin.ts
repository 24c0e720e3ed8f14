import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import { loginWanted } from "../connectionProblem.js";
import { type Credentials, credentialsFile } from "./credentials.js";

/** A login that a person is led through. */
export interface LoginSteps {
  /** Where the browser is sent back to. */
  redirectUrl: string;
  /** Comes back with the browser, so that nobody else's answer is taken for it. */
  state: string;
  /** Shows a person where to log in. */
  show: (address: URL) => void;
}

/**
 * The login of `tulipgraph tools login`, whose tokens the client library refreshes by itself; undefined where nobody
 * has logged in. When it no longer holds, nothing is begun anew: that takes a person.
 */
export function storedLogin(options: { name: string; url: URL }): OAuthClientProvider | undefined {
  const { name } = options;
  const file = credentialsFile(options);
  if (!file.read()?.tokens) return undefined;
  return {
    ...clientOf({ redirectUrl: UNUSED_REDIRECT }),
    clientInformation: () => file.read()?.client,
    tokens: () => file.read()?.tokens,
    saveTokens(tokens) {
      const known = file.read();
      if (known) file.write({ ...known, tokens });
    },
    redirectToAuthorization() {
      throw loginWanted(name);
    },
    saveCodeVerifier() {},
    codeVerifier: () => "",
  };
}

/** A login from its beginning: it registers anew, for a redirect to another port, and is kept once it has succeeded. */
export function newLogin(options: {
  name: string;
  url: URL;
  steps: LoginSteps;
}): OAuthClientProvider {
  const { url, steps } = options;
  const begun: Credentials = { url: url.href };
  let verifier = "";
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
    redirectToAuthorization: steps.show,
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
  };
}

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
