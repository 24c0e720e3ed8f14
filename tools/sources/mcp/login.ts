import { randomUUID } from "node:crypto";
import { SdkError, type StoredOAuthClientInformation } from "@modelcontextprotocol/client";
import { listenForBrowser } from "../credentials/listenForBrowser.js";
import type { ConnectedSource } from "../../remote.js";
import { START_MS, withinTime } from "./connection.js";
import { causeText, connectionProblem } from "./failures.js";
import { type Login, beginLogin, finishLogin } from "./oauth.js";
import { McpFailed, reachOf } from "./settings.js";

/** Milliseconds that a person has for logging in. */
export const LOGIN_MS = 300_000;

interface LoginRequest {
  source: Pick<ConnectedSource, "name" | "settings">;
  /** Shows the person the address to open. */
  show: (address: URL) => void;
  /** Rights to request besides those that the server names, separated by spaces. */
  scope?: string;
  /** The client to log in as, if the server does not register clients itself. */
  client?: StoredOAuthClientInformation;
  /** Port on loopback that the browser returns to, for servers that accept only a certain one; by default any. */
  port?: number;
  loginMs?: number;
}

/**
 * Logs in to a server with OAuth: shows an address, and waits on loopback for the browser to come back.
 *
 * @returns what is to be stored; undefined where the server wants no login
 * @throws McpFailed when the server has no address, cannot be reached, or refuses the login
 */
export async function login(options: LoginRequest): Promise<Login | undefined> {
  const { source, show, port, scope, client, loginMs = LOGIN_MS } = options;
  const { name } = source;
  const url = loginAddress(source);
  const back = await listenForBrowser({ port });
  const state = randomUUID();
  try {
    const asked = { url, redirectUrl: back.url, state, scope, client };
    const begun = await beginLogin(asked).catch(failing(source));
    if (!begun) return undefined;
    show(begun.open);
    const answer = await withinTime(loginMs, () => back.answer);
    if (answer.get("state") !== state)
      throw notLoggedIn(name, "the answer belongs to another login");
    const given = givenCode(name, answer);
    return await finishLogin({ url, begun: begun.begun, answer: given }).catch(failing(source));
  } catch (error) {
    throw error instanceof Error && error.name === "TimeoutError"
      ? notLoggedIn(name, "it was not completed in time")
      : error;
  } finally {
    back.close();
  }
}

/** The address of a server that people can log in to. @throws McpFailed for a program */
export function loginAddress(source: LoginRequest["source"]): URL {
  const reach = reachOf(source);
  if ("url" in reach) return reach.url;
  const hint = "Give its command what it needs: --env KEY=$VALUE";
  const problem = "it is a program and takes no login";
  throw new McpFailed({ server: source.name, problem, hint });
}

/** What a browser brings back from a login. @throws McpFailed if it was refused */
export function givenCode(server: string, answer: URLSearchParams): { code: string; iss?: string } {
  const error = answer.get("error");
  // The server's own words cannot be trusted; only its error code is shown.
  if (error !== null)
    throw notLoggedIn(server, `it was refused (${error.replaceAll(/[^\w-]/g, "").slice(0, 40)})`);
  const iss = answer.get("iss");
  const code = answer.get("code");
  if (!code) throw notLoggedIn(server, "the answer carries no code");
  return { code, ...(iss === null ? {} : { iss }) };
}

/** Says in one line why a step of a login failed. */
export function failing(source: LoginRequest["source"]): (error: unknown) => never {
  const { name } = source;
  const reach = reachOf(source);
  return (error) => {
    if (error instanceof SdkError || error instanceof TypeError)
      throw connectionProblem({ name, reach, timeoutMs: START_MS, error, stderr: "" });
    throw error instanceof McpFailed ? error : notLoggedIn(name, causeText(error, reach));
  };
}

function notLoggedIn(server: string, why: string): McpFailed {
  const own = "with --client-id if the server does not register clients itself";
  const hint = `Try again: tulipgraph tools login ${server}, ${own}`;
  return new McpFailed({ server, problem: `the login failed: ${why}`, hint });
}
