import { randomUUID } from "node:crypto";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, SdkError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { packageVersion } from "../../../storage/packageRoot.js";
import type { ConnectedSource } from "../connected.js";
import { START_MS, withinTime } from "./connection.js";
import { causeText, connectionProblem, isLoginWanted } from "./failures.js";
import { McpFailed, reachOf } from "./settings.js";
import { type LoginSteps, credentialsFile, newLogin } from "./storedLogin.js";

/** Milliseconds that a person has for logging in. */
const LOGIN_MS = 300_000;

export interface LoggedIn {
  /** False where the server did not ask for one. */
  wasWanted: boolean;
  /** Where the credentials are kept. */
  file: string;
}

export interface LoginRequest extends Pick<LoginSteps, "scope" | "client"> {
  source: Pick<ConnectedSource, "name" | "settings">;
  /** Shows the person the address to open. */
  show: (address: URL) => void;
  /** Port on loopback that the browser returns to, for servers that accept only a certain one; by default any. */
  port?: number;
  loginMs?: number;
}

/**
 * Logs in to a server with OAuth: shows an address, waits on loopback for the browser to come back, and stores the
 * tokens for later calls. The client library does discovery, registration, PKCE and the exchange.
 *
 * @throws McpFailed when the server has no address, cannot be reached, or refuses the login
 */
export async function login(options: LoginRequest): Promise<LoggedIn> {
  const { source, show, port, scope, client, loginMs = LOGIN_MS } = options;
  const { name } = source;
  const reach = reachOf(source);
  if (!("url" in reach)) {
    const hint = "Give its command what it needs: --env KEY=$VALUE";
    throw new McpFailed({ server: name, problem: "it is a program and takes no login", hint });
  }
  const { url } = reach;
  const { path: file } = credentialsFile({ name, url });
  const back = await listenForBrowser(port);
  try {
    const steps = { redirectUrl: back.url, state: randomUUID(), show, scope, client };
    const authProvider = newLogin({ name, url, steps });
    const transport = new StreamableHTTPClientTransport(url, { authProvider });
    if (!(await wantsLogin(transport, problemOf))) return { wasWanted: false, file };
    const answer = await withinTime(loginMs, () => back.answer);
    requireState(name, answer, steps.state);
    await transport.finishAuth(answer).catch((error: unknown) => {
      throw problemOf(error);
    });
    return { wasWanted: true, file };
  } catch (error) {
    throw error instanceof Error && error.name === "TimeoutError"
      ? notLoggedIn(name, "it was not completed in time")
      : error;
  } finally {
    back.close();
  }

  function problemOf(error: unknown) {
    if (error instanceof SdkError || error instanceof TypeError) {
      return connectionProblem({ name, reach, timeoutMs: START_MS, error, stderr: "" });
    }
    return notLoggedIn(name, causeText(error, reach));
  }
}

/** Whether the server rejects a request without a login. */
async function wantsLogin(
  transport: StreamableHTTPClientTransport,
  problemOf: (error: unknown) => Error,
): Promise<boolean> {
  const client = new Client(
    { name: "tulipgraph", version: packageVersion() },
    { versionNegotiation: { mode: "auto" } },
  );
  try {
    await client.connect(transport, { timeout: START_MS });
    await client.close();
    return false;
  } catch (error) {
    if (isLoginWanted(error)) return true;
    throw problemOf(error);
  }
}

/** An answer with another state was not meant for this login. */
function requireState(name: string, answer: URLSearchParams, state: string) {
  if (answer.get("state") !== state) throw notLoggedIn(name, "the answer belongs to another login");
  // The server's own words cannot be trusted; only its error code is shown.
  const error = answer.get("error");
  if (error !== null)
    throw notLoggedIn(name, `it was refused (${error.replaceAll(/[^\w-]/g, "").slice(0, 40)})`);
}

function notLoggedIn(server: string, why: string): McpFailed {
  const own = "with --client-id if the server does not register clients itself";
  const hint = `Try again: tulipgraph tools login ${server}, ${own}`;
  return new McpFailed({ server, problem: `the login failed: ${why}`, hint });
}

interface BrowserBack {
  url: string;
  answer: Promise<URLSearchParams>;
  close: () => void;
}

const PATH = "/callback";

async function listenForBrowser(wanted = 0): Promise<BrowserBack> {
  const server = createServer();
  const answer = new Promise<URLSearchParams>((resolve) => {
    server.on("request", (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
      const isBack = pathname === PATH;
      const head = { "content-type": "text/plain; charset=utf-8", connection: "close" };
      response.writeHead(isBack ? 200 : 404, head);
      response.end(isBack ? "tulipgraph has its answer. You can close this page." : "");
      if (isBack) resolve(searchParams);
    });
  });
  await listening(server, wanted);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${PATH}`, answer, close: () => void server.close() };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}
