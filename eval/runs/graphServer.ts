import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@langchain/langgraph-sdk";
import { reasonOf } from "../../common/connections.js";
import { TulipgraphError, explained, messageOf, oneLine } from "../../common/errors.js";
import { statusOf } from "../../models/chat/failures.js";

/** Servers of one queue, and a key for them. */
export interface ServerAddress {
  urls: readonly string[];
  key?: string;
}

/** A server that cannot be reached, refuses a request, or lacks what an evaluation needs. */
export class ServerFailed extends TulipgraphError {
  readonly code = "SERVER_FAILED";

  constructor(readonly details: { server: string; problem: string; hint?: string }) {
    super(explained(details.server, details));
  }
}

/** A server, for one request. */
interface Asked {
  client: Client;
  /** What its page asks, for which LangGraph's API has no words. */
  read: (path: string) => Promise<unknown>;
  signal: AbortSignal;
}

/** Servers of one queue, any of which answers. */
export interface GraphServer {
  /**
   * Asks one server; as long as it does not answer, the next one.
   *
   * @param how.headers besides the key
   * @param how.timeoutMs of each request
   * @throws ServerFailed if a server refuses the request, or none has answered for two minutes
   * @throws the reason of the signal when that is aborted
   */
  ask: <Answer>(
    question: (server: Asked) => Promise<Answer>,
    how: { signal: AbortSignal; headers?: Record<string, string>; timeoutMs?: number },
  ) => Promise<Answer>;
}

/** How long all servers may be silent: longer than one takes to start (ms). */
const PATIENCE_MS = 120_000;

/** How long an answer may take; a server that was halted never answers (ms). */
const TIMEOUT_MS = 10_000;

const RETRY_MS = 500;

/** Opens servers of one queue; nothing is sent yet. */
export function graphServer({ urls, key }: ServerAddress): GraphServer {
  /** The server that answered last; those that meet the same silence go on to the same one. */
  let place = 0;
  return {
    ask: async (question, { signal, headers, timeoutMs = TIMEOUT_MS }) => {
      let silentSince: number | undefined;
      while (true) {
        signal.throwIfAborted();
        const at = place;
        const url = (urls[at % urls.length] ?? "").replace(/\/$/, "");
        const since = performance.now();
        try {
          const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
          return await question(askedAt(url, key, headers, within));
        } catch (error) {
          signal.throwIfAborted();
          const status = statusOf(error);
          // Busy: a caller has its share of requests in a minute, or of open runs.
          const isBusy = status === 429;
          if (!isBusy) silentSince ??= since;
          const isRefused = status !== undefined && status < 500 && !isBusy;
          const isOver = performance.now() - (silentSince ?? Infinity) > PATIENCE_MS;
          if (isRefused || isOver) throw failed(url, error, isRefused);
          if (!isBusy && place === at) place += 1;
        }
        await pause(RETRY_MS, undefined, { signal });
      }
    },
  };
}

function askedAt(
  apiUrl: string,
  key: string | undefined,
  headers: Record<string, string> | undefined,
  signal: AbortSignal,
): Asked {
  const callerOptions = { maxRetries: 0, maxConcurrency: Infinity };
  const client = new Client({
    apiUrl,
    apiKey: key ?? null,
    callerOptions,
    defaultHeaders: headers,
  });
  const read = async (path: string) => {
    const given = new Headers();
    if (key !== undefined) given.set("x-api-key", key);
    const answer = await fetch(`${apiUrl}${path}`, { headers: given, signal });
    if (answer.ok) return (await answer.json()) as unknown;
    throw Object.assign(new Error(await answer.text()), { status: answer.status });
  };
  return { client, read, signal };
}

function failed(server: string, error: unknown, isRefused: boolean): ServerFailed {
  const status = statusOf(error);
  // A server's own words, out of the JSON in which they come.
  const [, words] = /"message":("(?:[^"\\]|\\.)*")/.exec(messageOf(error)) ?? [];
  const told = oneLine(words ? String(JSON.parse(words)) : reasonOf(error)).slice(0, 300);
  if (isRefused) {
    const hint =
      status === 401 ? "Give a key with --key; tulipgraph keys create creates one" : undefined;
    return new ServerFailed({ server, problem: `the request was refused (${told})`, hint });
  }
  return new ServerFailed({
    server,
    problem: `no answer for two minutes (${told})`,
    hint: "Start a server (tulipgraph serve); the same command continues where it stopped",
  });
}
