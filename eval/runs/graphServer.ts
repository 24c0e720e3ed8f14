import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@langchain/langgraph-sdk";
import { reasonOf } from "../../common/connections.js";
import { TulipgraphError, explained, oneLine } from "../../common/errors.js";
import { statusOf } from "../../models/chat/failures.js";

/** Servers of one queue, and a key for them. */
export interface ServerAddress {
  urls: readonly string[];
  key?: string;
  /** Told in a line, once for each silence, that none answers any more. */
  onSilence?: (line: string) => void;
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
   * @throws ServerFailed if a server refuses the request, none can be reached in the beginning, or none has answered for
   *   two minutes
   * @throws the reason of the signal when that is aborted
   */
  ask: <Answer>(question: Question<Answer>, how: How) => Promise<Answer>;
}

/** What one server is asked. */
export type Question<Answer> = (server: Asked) => Promise<Answer>;

export interface How {
  signal: AbortSignal;
  /** Besides the key. */
  headers?: Record<string, string>;
  /** Of each request. */
  timeoutMs?: number;
}

/** How long all servers may be silent: longer than one takes to start (ms). */
const PATIENCE_MS = 120_000;

/** How long an answer may take; a server that was halted never answers (ms). */
const TIMEOUT_MS = 10_000;

const RETRY_MS = 500;

/** Opens servers of one queue; nothing is sent yet. */
export function graphServer({ urls, key, onSilence }: ServerAddress): GraphServer {
  const addresses = urls.map((url) => url.replace(/\/$/, ""));
  /** The server that answered last; those that meet the same silence go on to the same one. */
  let place = 0;
  /** Before any has answered, an address is wrong or nothing was started there: waiting would not help. */
  let hasAnswered = false;
  let isTold = false;
  const answered = () => {
    hasAnswered = true;
    isTold = false;
  };
  return {
    ask: async (question, { signal, headers, timeoutMs = TIMEOUT_MS }) => {
      let silentSince: number | undefined;
      const silent = new Map<string, string>();
      while (true) {
        signal.throwIfAborted();
        const at = place;
        const url = addresses[at % addresses.length] ?? "";
        const since = performance.now();
        try {
          const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
          const answer = await question(askedAt(url, key, headers, within));
          answered();
          return answer;
        } catch (error) {
          signal.throwIfAborted();
          const status = statusOf(error);
          if (status !== undefined && status < 500) {
            answered();
            // Busy: a caller has its share of requests in a minute, or of open runs.
            if (status !== 429) throw refused(url, error);
          } else {
            silentSince ??= since;
            silent.set(url, wordsOf(error));
            const nobody = addresses.every((each) => silent.has(each));
            const isOver = performance.now() - silentSince > PATIENCE_MS;
            if (isOver || (nobody && !hasAnswered)) throw unreached(silent, isOver);
            if (nobody && !isTold) {
              isTold = true;
              onSilence?.(`no answer from ${told(silent)}; trying again for two minutes`);
            }
            if (place === at) place += 1;
          }
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

function refused(server: string, error: unknown): ServerFailed {
  const hint =
    statusOf(error) === 401
      ? "Give a key with --key; tulipgraph keys create creates one"
      : undefined;
  return new ServerFailed({ server, problem: `the request was refused (${wordsOf(error)})`, hint });
}

function unreached(silent: ReadonlyMap<string, string>, isOver: boolean): ServerFailed {
  const problem = `no answer${isOver ? " for two minutes" : ""} from ${told(silent)}`;
  const hint = `Start a server (tulipgraph serve)${isOver ? "; the same command continues where it stopped" : ", or correct the address"}`;
  return new ServerFailed({ server: "--server", problem, hint });
}

/** "http://127.0.0.1:8123 (ECONNREFUSED)" */
function told(silent: ReadonlyMap<string, string>): string {
  return [...silent].map(([url, words]) => `${url} (${words})`).join(", ");
}

/** A server's own words, out of the JSON in which they come. */
function wordsOf(error: unknown): string {
  const reason = reasonOf(error);
  const [, words] = /"message":("(?:[^"\\]|\\.)*")/.exec(reason) ?? [];
  return oneLine(words ? String(JSON.parse(words)) : reason).slice(0, 300);
}
