import { setTimeout as pause } from "node:timers/promises";
import { parseRetryAfterMs } from "@langchain/core/utils/async_caller";
import type { FetchLike } from "@modelcontextprotocol/client";
import { challengeIn } from "./discovery.js";
import { fieldsOf, wordsIn } from "./lenientLogins.js";
import { type RequestId, mended, noAnswer } from "./wire.js";

/** What a request to a server carries. */
interface Asked {
  id: RequestId;
  method: string;
}

const METHOD_NOT_FOUND = -32_601;

/**
 * A fetch that makes the answers of real servers fit for the client library: messages are mended, what ends without an
 * answer is answered with an error, and whatever a server says to the probe for revision 2026-07-28 means that it does
 * not know the probe.
 */
export function lenientFetch(
  send: FetchLike,
  options: {
    /** The stream of a server of the old transport has ended, and with it the session. */
    onStreamEnd?: () => void;
    /** A login may have to be refreshed before the answer to a probe says anything. */
    hasLogin: boolean;
  },
): FetchLike {
  const { onStreamEnd, hasLogin } = options;
  /** Requests whose stream ended before the answer, by the event after which it can be resumed. */
  const unfinished = new Map<string, RequestId>();
  let mayRefresh = hasLogin;
  let hasStream = false;
  const resumed = async (url: string | URL, init: RequestInit, id: RequestId) => {
    const response = await send(url, init).catch(() => undefined);
    if (response?.ok && response.body && isStream(response)) return response;
    return new Response(eventOf(noAnswer(id, BROKEN_OFF)), { headers: STREAM_HEADERS });
  };
  return async (url, init = {}) => {
    const asked = init.method === "POST" ? askedIn(init.body) : undefined;
    const event = init.method === "GET" ? new Headers(init.headers).get("last-event-id") : null;
    const resuming = event === null ? undefined : unfinished.get(event);
    const isProbe = asked?.method === "server/discover";
    const response = await (isProbe
      ? sentAsProbe(send, url, init)
      : resuming === undefined
        ? patient(send)(url, init)
        : resumed(url, init, resuming));
    const { ok, status } = response;
    if (isProbe) {
      const waits = status === 401 && mayRefresh;
      mayRefresh &&= !waits;
      return waits ? response : await probed(response, asked.id);
    }
    if (!ok && isHarmless(init, status)) return new Response(null, { status: 202 });
    if (status === 401 || status === 403) return await namingRights(response, url);
    hasStream ||= init.method === "GET" && ok && isStream(response);
    // Who accepts a request and has no stream will never answer it.
    if (!ok || (status === 202 && (!asked || hasStream))) return response;
    if (isStream(response) && response.body) {
      const waiting = asked?.id ?? resuming;
      return likeBefore(
        response,
        mendedStream(response.body, {
          waiting,
          onBrokenOff: (last) => waiting !== undefined && unfinished.set(last, waiting),
          onEnd: init.method === "POST" ? undefined : onStreamEnd,
        }),
      );
    }
    // The old transport answers elsewhere.
    if (!asked || onStreamEnd) return response;
    return await mendedAnswer(response, asked.id);
  };
}

/** Milliseconds that a server is waited for at most when it puts a request off. */
const LONGEST_PAUSE_MS = 10_000;

/** Time limit in milliseconds for the answer to a probe. */
export const PROBE_MS = 8_000;

/** A server may also break down at the probe, or be silent to what it does not know. */
async function sentAsProbe(send: FetchLike, url: string | URL, init: RequestInit) {
  const signal = AbortSignal.any([AbortSignal.timeout(PROBE_MS), init.signal ?? []].flat());
  return await patient(send)(url, { ...init, signal }).catch((error: Error) => {
    init.signal?.throwIfAborted();
    if (/^(?:Type|Timeout)Error$/.test(error.name)) return new Response(null, { status: 502 });
    throw error;
  });
}

/** Sends once more what a server puts off, when it says. One that is overloaded may have begun a call. */
function patient(send: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await send(url, init);
    const { status, headers, body } = response;
    const isCall = askedIn(init?.body)?.method === "tools/call";
    const isPutOff = status === 429 || (status === 503 && !isCall);
    const ms = isPutOff ? parseRetryAfterMs(headers.get("retry-after")) : undefined;
    if (ms === undefined || ms > LONGEST_PAUSE_MS) return response;
    await body?.cancel();
    await pause(ms, undefined, { signal: init?.signal ?? undefined });
    return await send(url, init);
  };
}

/** A notification that a server fails at, which does no harm unless it is about the session or the login. */
function isHarmless({ body }: RequestInit, status: number): boolean {
  const [, notice] =
    /"method":\s*"notifications\/(\w+)/.exec(typeof body === "string" ? body : "") ?? [];
  if (notice === undefined || [401, 403].includes(status)) return false;
  // A session that has just begun cannot be lost.
  return notice === "initialized" || ![404, 410].includes(status);
}

/** The answer to a probe: any other than a message means that the server does not know it. */
async function probed(response: Response, id: RequestId): Promise<Response> {
  const { ok, status } = response;
  const isOpen = isStream(response);
  let text = isOpen ? "" : await response.text().catch(() => "");
  let said = answerIn(text, id);
  const pieces: unknown = isOpen ? response.body?.pipeThrough(new TextDecoderStream()) : undefined;
  try {
    for await (const piece of (pieces ?? []) as AsyncIterable<string>) {
      text += piece;
      // A stream may stay open after the answer.
      if ((said = answerIn(text, id))) break;
    }
  } catch {
    // It breaks off, or goes on for too long without an answer.
  }
  const error = { code: METHOD_NOT_FOUND, message: `HTTP ${status}` };
  return Response.json(
    said && (ok || status === 400) ? JSON.parse(said.text) : { jsonrpc: "2.0", id, error },
  );
}

/** The answer to a request in a message, or in the events of a stream. */
function answerIn(text: string, id: RequestId) {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line) => /^data: ?(.+)/.exec(line)?.[1] ?? [])
    .concat(text)
    .map((part) => mended(part, [id]))
    .find(({ answered }) => answered.includes(String(id)));
}

/** A refusal for want of rights in the form that the client library reads, wherever a server says so. */
async function namingRights(response: Response, url: string | URL): Promise<Response> {
  const text = await response.text();
  const said = fieldsOf(text) ?? {};
  const { error = said["error"], scope: named } = challengeIn(response, url);
  const scope = named ?? wordsIn(said["scope"]).join(" ");
  if (error !== "insufficient_scope") return likeBefore(response, text);
  const headers = new Headers(response.headers);
  const rights = scope && `, scope="${scope.replaceAll(/["\\]/g, "")}"`;
  headers.set("www-authenticate", `Bearer error="insufficient_scope"${rights}`);
  return likeBefore(response, text, headers, 403);
}

async function mendedAnswer(response: Response, id: RequestId): Promise<Response> {
  const text = (await response.text()).replace(/^\uFEFF/, "");
  const isMessage = /^\s*[[{]/.test(text);
  // A page, for example; the client library says what it is.
  const answer = answerIn(text, id);
  if (!answer && !isMessage && text.trim()) return likeBefore(response, text);
  const body = answer ? answer.text : noAnswer(id, NOT_ANSWERED + (text.trim() && `: ${text}`));
  const headers = new Headers(response.headers);
  headers.set("content-type", "application/json");
  // What was only accepted is answered now.
  return likeBefore(response, body, headers, 200);
}

const NOT_ANSWERED = "its reply does not answer the request";

const BROKEN_OFF = "its stream ended without an answer";

const STREAM_HEADERS = { "content-type": "text/event-stream" };

function eventOf(message: string): string {
  return `\n\nevent: message\ndata: ${message}\n\n`;
}

/** A stream of events with their messages mended; one that ends without an answer is answered with an error. */
function mendedStream(
  body: ReadableStream<Uint8Array>,
  options: {
    waiting: RequestId | undefined;
    onBrokenOff: (lastEvent: string) => void;
    onEnd?: () => void;
  },
): ReadableStream<Uint8Array> {
  const { waiting, onBrokenOff, onEnd } = options;
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader() as {
    read: () => Promise<{ done: boolean; value?: string }>;
    cancel: (reason: unknown) => Promise<void>;
  };
  const encoder = new TextEncoder();
  let rest = "";
  let lastEvent = "";
  let isAnswered = waiting === undefined;
  let isWhole: boolean | undefined;
  const mendedLine = (line: string) => {
    lastEvent = /^id: ?([^\r]+)/.exec(line)?.[1] ?? lastEvent;
    const [, data, end = ""] = /^data: ?(.*?)(\r?)$/s.exec(line) ?? [];
    if (!data?.trim()) return line;
    const message = mended(data, waiting === undefined ? [] : [waiting]);
    const isAnswer = message.answered.includes(String(waiting));
    isAnswered ||= isAnswer;
    // Whatever the server calls the event of its answer.
    return `${isAnswer ? "event: message\n" : ""}data: ${message.text}${end}`;
  };
  const ended = () => {
    onEnd?.();
    const last = isWhole ? rest : mendedLine(rest);
    if (isAnswered || waiting === undefined) return `${last}\n\n`;
    const whole = isWhole ? mended(rest, [waiting]) : undefined;
    if (whole?.answered.includes(String(waiting))) return eventOf(whole.text);
    if (!lastEvent) return `${last}${eventOf(noAnswer(waiting, BROKEN_OFF))}`;
    // The client library asks for the events after the last one.
    onBrokenOff(lastEvent);
    return rest;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value = "" } = await reader.read().catch(() => ({ done: true, value: "" }));
      if (done) {
        controller.enqueue(encoder.encode(ended()));
        controller.close();
        return;
      }
      const text = rest + value;
      // A message that is not an event, though it says so.
      isWhole ??= text.trim() === "" ? undefined : /^\s*[[{]/.test(text);
      const lines = isWhole ? [text] : text.split("\n");
      rest = lines.pop() ?? "";
      const read = lines.map((line) => `${mendedLine(line)}\n`).join("");
      controller.enqueue(encoder.encode(read));
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function isStream({ headers }: Response): boolean {
  return /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
}

/** A response with another body. A constructed response has no address, which is needed to judge redirects. */
export function likeBefore(
  response: Response,
  body: BodyInit,
  headers: Headers = response.headers,
  status = response.status,
): Response {
  const { statusText, url } = response;
  return Object.defineProperty(new Response(body, { status, statusText, headers }), "url", {
    value: url,
  });
}

function askedIn(body: RequestInit["body"]): Asked | undefined {
  if (typeof body !== "string") return undefined;
  const { id, method } = JSON.parse(body) as Partial<Asked>;
  return id === undefined || method === undefined ? undefined : { id, method };
}
