import { setTimeout as pause } from "node:timers/promises";
import { parseRetryAfterMs } from "@langchain/core/utils/async_caller";
import { Client } from "@langchain/langgraph-sdk";
import { InvalidSetting, TulipgraphError, UnknownName, oneLine } from "../../common/errors.js";
import { jsonOrNothing } from "../files.js";

/** A graph API that cannot be used, or a run that failed there. */
export class ServerFailed extends TulipgraphError {
  readonly code = "SERVER_FAILED";

  constructor(
    readonly details: { server: string; problem: string; hint?: string },
    options?: ErrorOptions,
  ) {
    super(
      [`server ${details.server}: ${details.problem}`, details.hint].filter(Boolean).join(". "),
      options,
    );
  }
}

/** Where a graph API is. */
export interface ServerAddress {
  url: string;
  /** Sent as `x-api-key`. The environment is not searched for one: it may hold the key of another server. */
  apiKey?: string;
}

/** Tries after a failed request; the SDK doubles its pauses from a second. */
const MAX_RETRIES = 4;

/** If a server asks for a longer pause, the user is told instead of waiting for it. */
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Time limit for each answer while the server is checked. */
const CHECK_TIMEOUT_MS = 10_000;

/** The most that the API lists at once. */
const MOST_ASSISTANTS = 1000;

/**
 * A client that retries requests where that may help, after the pause that the server asks for, until the
 * signal is aborted.
 */
export function openClient(options: {
  server: ServerAddress;
  signal?: AbortSignal;
  maxRetries?: number;
}): Client {
  const { server, signal, maxRetries = MAX_RETRIES } = options;
  return new Client({
    apiUrl: server.url,
    apiKey: server.apiKey ?? null,
    callerOptions: {
      maxRetries,
      onFailedResponseHook: (response) => pauseAsAsked({ server, response, signal }),
      fetch: (...request: Parameters<typeof fetch>) => fetchUnlessAborted(signal, request),
    },
  });
}

/**
 * The SDK recognises an abort by its message alone. It takes any other error for one of the network and keeps
 * retrying for half a minute, for which the process would have to wait.
 */
async function fetchUnlessAborted(
  signal: AbortSignal | undefined,
  request: Parameters<typeof fetch>,
): Promise<Response> {
  try {
    return await fetch(...request);
  } catch (error) {
    throw signal?.aborted ? new Error("AbortError", { cause: error }) : error;
  }
}

/** The SDK itself ignores `Retry-After`. Its own pause is added to this one. */
async function pauseAsAsked(options: {
  server: ServerAddress;
  response?: Response;
  signal?: AbortSignal;
}): Promise<boolean> {
  const { server, response, signal } = options;
  const wanted = parseRetryAfterMs(response?.headers.get("retry-after"));
  if (wanted === undefined) return true;
  if (wanted > LONGEST_PAUSE_MS) {
    throw new ServerFailed({
      server: server.url,
      problem: `asks to be left alone for ${Math.round(wanted / 1000)} s (HTTP ${response?.status})`,
      hint: "Try again later",
    });
  }
  await pause(wanted, undefined, { signal });
  return true;
}

/** @throws InvalidSetting unless it is the address of a server */
export function requireAddress(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new InvalidSetting({
    setting: "url",
    problem: `"${url}" is not the address of a server`,
    hint: "Give one such as http://127.0.0.1:2024",
  });
}

/**
 * Checks that a graph API answers and serves these graphs, before anything is spent.
 *
 * @throws InvalidSetting unless the address is one
 * @throws ServerFailed if it cannot be reached, refuses the key or is something else
 * @throws UnknownName for a graph that it does not serve
 */
export async function checkServer(server: ServerAddress, graphs: readonly string[]): Promise<void> {
  requireAddress(server.url);
  const client = openClient({ server, maxRetries: 0 });
  const search = async (query: { graphId?: string; limit: number }): Promise<string[]> => {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    const found: unknown = await client.assistants
      .search({ ...query, signal })
      .catch((error: unknown) => Promise.reject(serverFailure(server, error)));
    return graphIdsOf(server, found);
  };
  const served = new Set(await search({ limit: MOST_ASSISTANTS }));
  for (const graphId of graphs) {
    // A server with many assistants does not list them all.
    if (served.has(graphId) || (await search({ graphId, limit: 1 })).length > 0) continue;
    const kind = `graph at ${server.url}`;
    throw new UnknownName({ kind, wanted: graphId, available: [...served].toSorted() });
  }
}

function graphIdsOf(server: ServerAddress, found: unknown): string[] {
  const assistants: unknown[] = Array.isArray(found) ? found : [undefined];
  return assistants.map((assistant) => {
    const id: unknown = Object(assistant).graph_id;
    if (typeof id === "string") return id;
    throw noGraphApi(server, "it returns no list of assistants");
  });
}

/** Words an error of the SDK for a person; other errors are returned unchanged. */
export function serverFailure(server: ServerAddress, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TulipgraphError) return error;
  if ("status" in error && "text" in error) return refusedRequest(server, error);
  if (error instanceof SyntaxError) return noGraphApi(server, "its answer is not JSON", error);
  const problem = UNREACHABLE[error.name];
  const hint = "Check that it runs, and its address";
  return problem
    ? new ServerFailed({ server: server.url, problem, hint }, { cause: error })
    : error;
}

/** By error name: of the SDK, of a time-out, and of `fetch` while a body is read. */
const UNREACHABLE: Record<string, string> = {
  ConnectionError: "cannot be reached",
  TimeoutError: "does not answer",
  TypeError: "has broken the connection off",
};

function refusedRequest(server: ServerAddress, error: Error): unknown {
  const { status, text } = error as Error & { status: number; text: string };
  if (status === 404 || status === 405) return noGraphApi(server, `HTTP ${status}`, error);
  const refusesKey = status === 401 || status === 403;
  return new ServerFailed(
    {
      server: server.url,
      problem: `HTTP ${status}: ${messageIn(text)}`,
      ...(refusesKey ? { hint: "Give its API key" } : {}),
    },
    { cause: error },
  );
}

function noGraphApi(server: ServerAddress, because: string, cause?: unknown): ServerFailed {
  const problem = `answers, but not as a LangGraph API (${because})`;
  return new ServerFailed({ server: server.url, problem, hint: "Check the address" }, { cause });
}

/** Characters of an answer that are shown. */
const SHOWN_LENGTH = 300;

/** Errors come as `{ message }`, `{ detail }` or plain text. */
function messageIn(text: string): string {
  const { message: said, detail } = Object(jsonOrNothing(text)) as Record<string, unknown>;
  const message = said ?? detail ?? text;
  const line = oneLine(typeof message === "string" ? message : JSON.stringify(message));
  return line.slice(0, SHOWN_LENGTH) || "no reason given";
}
