import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "./fetchDocument.js";
import { nextAddress } from "./redirects.js";
import type { HttpRequest } from "./request.js";

/** Times that a request is sent. */
const MOST_TRIES = 3;

/** The longest that is waited before another try, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/** What is waited where the API does not say, in milliseconds; twice as long each time. */
const FIRST_WAIT_MS = 1000;

const MOST_REDIRECTS = 5;

/** Sending them twice does what sending them once does. */
const IDEMPOTENT = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);

/**
 * Sends a request and gives the answer, whatever its status. An idempotent one is sent again, at most twice, when the
 * API is busy (429, 503), after what it asks for if that is not too long.
 *
 * @throws Error in one line when no answer came, or a redirect that is not followed; the signal's reason when aborted
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

/** Milliseconds: the header has seconds or a date. */
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
      // 303 says that it is done, and where to look.
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
