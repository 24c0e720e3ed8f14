import { parseRetryAfterMs } from "@langchain/core/utils/async_caller";
import { type ClientError, connectionCode, isOverloaded, statusOf } from "./failures.js";

/** Retries after a failed request, with pauses that double from a second; the reference retries 10 times. */
const MAX_RETRIES = 3;

/** If a provider asks for a longer pause, the user is told instead of waiting. */
const LONGEST_PAUSE_MS = 15_000;

/**
 * Retry options for the constructors of LangChain's clients. LangChain's own rule tries a refused connection
 * four times, which takes ten seconds, and gives up immediately on a rate limit without a time.
 */
export const RETRIES = { maxRetries: MAX_RETRIES, onFailedAttempt };

/**
 * Throws errors that are not worth a retry; otherwise notes on the error how long the provider asks to wait.
 */
function onFailedAttempt(error: ClientError & { retryAfterMs?: number }): void {
  if (!isTransient(error)) throw error;
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
  return code !== undefined && !/^(ECONNREFUSED|ENOTFOUND|ERR_INVALID_URL)$/.test(code);
}
