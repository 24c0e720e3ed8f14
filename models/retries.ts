import { parseRetryAfterMs } from "@langchain/core/utils/async_caller";
import { type ClientError, connectionCode, isOverloaded, statusOf } from "./failures.js";

/** Tries after a failed request, with pauses that double from a second; the reference retries 10 times. */
const MAX_RETRIES = 3;

/** A longer pause that a provider asks for is told to the user at once, instead of being waited for. */
const LONGEST_PAUSE_MS = 15_000;

/**
 * How LangChain's clients try again, for their constructors. LangChain's own rule asks a server that
 * refuses connections four times, which takes ten seconds to say so, and gives up at once on a rate
 * limit that names no time.
 */
export const RETRIES = { maxRetries: MAX_RETRIES, onFailedAttempt };

/** Throws what need not be tried again; else leaves on the error how long the provider wants to be left alone. */
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
