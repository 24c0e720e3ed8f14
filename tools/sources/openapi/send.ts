import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "./fetchDocument.js";
import { MOST_REDIRECTS, nextAddress } from "./redirects.js";
import type { HttpRequest } from "./request.js";

/** How often a request is sent at most. */
const MOST_TRIES = 3;

/** The longest wait before another try, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/** The first wait if the API does not name one, in milliseconds; doubled each time. */
const FIRST_WAIT_MS = 1000;

/** Methods whose requests have the same effect when sent twice. */
const IDEMPOTENT = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);

/**
 * Sends a request and returns the answer, whatever its status. While the API is busy (429, 503), an idempotent request
 * is sent again, at most twice, after the wait that the API asks for, unless that is too long.
 *
 * @throws Error in one line for no answer, or for a redirect that is not followed; the signal's reason when aborted
 */
export async function send(request: HttpRequest, signal: AbortSignal): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await followed(request, signal);
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || !IDEMPOTENT.has(request.method) || tries >= MOST_TRIES) return response;
    const wait = retryAfter(response) ?? FIRST_WAIT_MS * 2 ** (tries - 1);
    if (wait > LONGEST_WAIT_MS) return response;
    await response.body?.cancel();
    await sleep(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Milliseconds to wait; the header contains seconds or a date. */
function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

async function followed(request: HttpRequest, signal: AbortSignal): Promise<Response> {
  let { url, method, body } = request;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await fetched({ ...request, url, method, body }, signal);
    const next = nextAddress(response, url);
    if (next === undefined) return response;
    await response.body?.cancel();
    if ("refused" in next)
      throw new Error(`it redirects to ${next.refused}, which is not followed`);
    const repeats = response.status === 307 || response.status === 308;
    if (!repeats && method !== "GET" && method !== "HEAD") {
      // 303 says that the request is done, and where to find the result.
      if (response.status !== 303) throw new Error(`it answered ${response.status}: has it moved?`);
      [method, body] = ["GET", undefined];
    }
    url = next.url;
  }
  throw new Error(`it redirects more than ${MOST_REDIRECTS} times`);
}

async function fetched(
  { url, method, headers, body }: HttpRequest,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(url, { method, headers, body, signal, redirect: "manual" });
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`${url.host} cannot be reached (${reasonOf(error)})`, { cause: error });
  }
}
