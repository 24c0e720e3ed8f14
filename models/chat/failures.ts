import { parseRetryAfterMs } from "@langchain/core/utils/async_caller";
import { connectionCode, connectionHint, isLasting } from "../../common/connections.js";
import { ModelFailed, TulipgraphError } from "../../common/errors.js";
import { withoutSecrets } from "../../common/secrets.js";
import { LOCAL_SERVERS, addressOf, isLocalServer } from "../localServers.js";

interface ClientError {
  status?: unknown;
  statusCode?: unknown;
  status_code?: unknown;
  code?: string;
  type?: string;
  headers?: { get?: (name: string) => string | null };
  name?: string;
  message?: string;
  error?: unknown; // The body of an answer, as OpenAI's client keeps it.
  cause?: unknown;
}

type Explanation = Omit<ModelFailed["details"], "model">;

const MESSAGE_LENGTH = 300;

/** Advice if the endpoint exists but does not answer like such an API. */
const CHECK_ADDRESS = "check the endpoint's address (OPENAI_BASE_URL mostly ends in /v1)";

/**
 * The error to show when a model could not be asked. Errors that are not the model's failure (a cancelled run,
 * or one of our own) are returned unchanged.
 */
export function modelFailure({ spec, error }: { spec: string; error: unknown }): unknown {
  if (error instanceof TulipgraphError || (error instanceof Error && error.name === "AbortError"))
    return error;
  const client: ClientError = error instanceof Error ? error : { message: String(error) };
  const overloaded = isOverloaded(client)
    ? { overloaded: { retryAfterMs: parseRetryAfterMs(client.headers?.get?.("retry-after")) } }
    : {};
  return new ModelFailed(
    { model: spec, ...explain(client, spec), ...overloaded },
    { cause: error },
  );
}

/** A reply without a single chunk, which even an empty reply has: the endpoint is not such an API. */
export function noReply(spec: string): ModelFailed {
  return new ModelFailed({
    model: spec,
    problem: "the endpoint did not send a reply",
    hint: CHECK_ADDRESS,
  });
}

/** A reply that did not arrive completely in time. */
export function timedOut({ spec, ms }: { spec: string; ms: number }): ModelFailed {
  return new ModelFailed({
    model: spec,
    problem: `did not answer in time (${ms} ms)`,
    hint: "raise modelTimeoutMs or try again later",
  });
}

/** How providers say that a request is longer than the model's window. */
const TOO_LONG = [
  /context.{0,20}(?:length|window|size|limit)|maximum (?:prompt|model) length|range of input length/i,
  /(?:prompt|input|messages?|conversation)(?: is| are)? too (?:long|large)|content': string too long/i,
  /request(?: body)? too large|too large for model with|request exceeds the maximum|exceeds? max length/i,
  /too many (?:input |prompt )?tokens|tokens? .{0,40}(?:exceed|must be <=)|must have less than .{0,9} tokens/i,
  /exceed.{0,60}\btokens? (?:allowed|limit)|exceed\w* the configured limit|reduce the length of/i,
];

/** Whether a request was refused because it is longer than the model's window. A rate limit is none, unless one request exceeds it. */
export function exceedsWindow(error: ClientError): boolean {
  const words = wordsOf(error);
  if (!TOO_LONG.some((said) => said.test(words))) return false;
  return statusOf(error) !== 429 || /request too large/i.test(words);
}

/** What the provider said: an endpoint that passes requests on (OpenRouter) has its words further inside. */
export function wordsOf({ message = "", error }: ClientError): string {
  const { metadata } = Object(error) as { metadata?: { raw?: unknown } };
  return typeof metadata?.raw === "string" ? `${message}: ${metadata.raw}` : message;
}

/** HTTP statuses of an overloaded provider; 529 is Anthropic's. */
const OVERLOADED = [429, 503, 529];

/** Whether the provider would answer later; without credit it would not. */
function isOverloaded(error: ClientError): boolean {
  const status = statusOf(error);
  const isSpent = [error.code, error.type].includes("insufficient_quota");
  return status !== undefined && OVERLOADED.includes(status) && !isSpent;
}

function explain(error: ClientError, spec: string): Explanation {
  const status = statusOf(error);
  const words = firstLine(wordsOf(error)).replace(/^\d{3} /, "");
  if (exceedsWindow(error)) {
    return {
      problem: `the request is longer than the model's window: ${words}`,
      hint: "begin a new thread, ask for less at once, or choose a model with a larger window",
    };
  }
  return status === undefined
    ? explainConnection(error, words, spec)
    : explainStatus(status, words);
}

function explainStatus(status: number, words: string): Explanation {
  if (status === 401 || status === 403) {
    // Who knows the key says what it may not do; who does not repeats it.
    const why = status === 403 ? `: ${words}` : "";
    return {
      problem: `the key was refused (HTTP ${status})${why}`,
      hint: "check the provider's key",
    };
  }
  if (status === 404) {
    return {
      problem: `not found (HTTP 404): ${words}`,
      hint: "check the model's name and endpoint",
    };
  }
  if (status === 429) {
    return {
      problem: `the provider's rate limit or quota has been reached (HTTP 429): ${words}`,
      hint: "wait a while, or check the account's quota",
    };
  }
  return { problem: `the provider answered HTTP ${status}: ${words}` };
}

function explainConnection(error: ClientError, words: string, spec: string): Explanation {
  if (/timeout|timed out/i.test(`${error.name} ${words}`))
    return { problem: "did not answer in time", hint: "try again later" };
  const code = connectionCode(error);
  if (words === "terminated" || code === "UND_ERR_SOCKET")
    return { problem: "the connection broke off before the reply was complete", hint: "try again" };
  if (code || /connection error|fetch failed/i.test(words)) {
    return {
      problem: `the endpoint cannot be reached${code ? ` (${code})` : ""}`,
      hint: connectionHint(error) ?? reachHint(spec),
    };
  }
  if (error instanceof SyntaxError || error instanceof TypeError)
    return { problem: `the reply cannot be read: ${words}`, hint: CHECK_ADDRESS };
  return { problem: words };
}

/** What to do if nothing answers: a server on this machine has to be started, others may have another address. */
function reachHint(spec: string): string {
  const [provider = ""] = spec.split(":");
  if (!isLocalServer(provider))
    return "check the network and the endpoint's address, such as OPENAI_BASE_URL";
  const { label, variable } = LOCAL_SERVERS[provider];
  return `start ${label} at ${addressOf(provider)}, or set ${variable} to where it runs`;
}

/** The HTTP status of a client's error, which clients name differently; undefined if nothing has answered. */
export function statusOf(error: unknown): number | undefined {
  const { status, statusCode, status_code } = Object(error) as ClientError;
  return [status, statusCode, status_code].find(
    (value): value is number => typeof value === "number",
  );
}

function firstLine(text: string): string {
  const line = text.split("\n").find((part) => part.trim()) ?? "no reason was given";
  return withoutSecrets(line.trim()).slice(0, MESSAGE_LENGTH);
}

/** Retries after a failed request, with pauses that double from a second; the reference retries 10 times. */
const MAX_RETRIES = 3;

/** If a provider asks for a longer pause, the user is told instead of waiting. */
const LONGEST_PAUSE_MS = 15_000;

/**
 * Retry options for the constructors of LangChain's clients. LangChain's own rule tries a refused connection
 * four times, which takes ten seconds, and gives up immediately on a rate limit without a time.
 */
export const RETRIES = { maxRetries: MAX_RETRIES, onFailedAttempt };

/** Throws errors that are not worth a retry; otherwise notes on the error how long the provider asks to wait. */
function onFailedAttempt(error: ClientError & { retryAfterMs?: number }): void {
  if (exceedsWindow(error) || !isTransient(error)) throw error;
  const pause = parseRetryAfterMs(error.headers?.get?.("retry-after"));
  if (pause === undefined) return;
  if (pause > LONGEST_PAUSE_MS) throw error;
  error.retryAfterMs = pause;
}

function isTransient(error: ClientError): boolean {
  const status = statusOf(error);
  if (status === 429) return isOverloaded(error);
  if (status !== undefined) return status === 408 || status >= 500;
  const code = connectionCode(error);
  return code !== undefined && !isLasting(code);
}
