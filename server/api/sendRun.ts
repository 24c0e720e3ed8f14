import { stream, streamSSE } from "hono/streaming";
import { KEY_REVOKED, type Revocations } from "../access/revocations.js";
import type { Request } from "./requests.js";

/** How often something is sent while nothing happens, so that neither end believes the connection dead (ms). */
export const HEARTBEAT_MS = 5_000;

interface SentEvent {
  id: string;
  event: string;
  /** JSON. */
  data: string;
}

/** Sends events until there are no more or the client leaves. */
export function sendEvents(options: {
  context: Request;
  events: (signal: AbortSignal) => AsyncIterable<SentEvent>;
  /** Sends only events of these modes, besides errors and metadata. */
  modes?: ReadonlySet<string>;
  revocations: Revocations;
  /** Called when the client leaves before the end. */
  onLeft?: () => void;
}): Response {
  const { context, events, modes, revocations, onLeft } = options;
  context.header("Cache-Control", "no-store");
  context.header("X-Accel-Buffering", "no");
  return streamSSE(context, async (sse) => {
    const left = new AbortController();
    whenLeft(context, sse, left, onLeft);
    const key = whileValid(context, revocations, left);
    // A comment without an empty line, which LangGraph's SDK would take for an event.
    const heartbeat = setInterval(() => void sse.write(": heartbeat\n"), HEARTBEAT_MS);
    try {
      for await (const { id, event, data } of events(left.signal)) {
        if (modes && !isAsked(event, modes)) continue;
        await sse.writeSSE({ id, event, data });
      }
      if (key.isRevoked())
        await sse.writeSSE({ event: "error", data: JSON.stringify(KEY_REVOKED) });
    } catch (error) {
      // A client that has left is told nothing more.
      if (!left.signal.aborted) throw error;
    } finally {
      clearInterval(heartbeat);
      key.end();
    }
  });
}

function isAsked(event: string, modes: ReadonlySet<string>): boolean {
  const [kind = ""] = event.split(/[|/]/);
  if (kind === "metadata" || kind === "error") return true;
  return modes.has(kind) || (kind === "messages" && modes.has("messages-tuple"));
}

/** Sends JSON once it is there. Until then, line breaks keep the connection alive, as on LangGraph's servers. */
export function sendResult(options: {
  context: Request;
  result: (signal: AbortSignal) => Promise<string>;
  revocations: Revocations;
  onLeft?: () => void;
}): Response {
  const { context, result, revocations, onLeft } = options;
  context.header("Content-Type", "application/json");
  return stream(context, async (body) => {
    const left = new AbortController();
    whenLeft(context, body, left, onLeft);
    const key = whileValid(context, revocations, left);
    const heartbeat = setInterval(() => void body.write("\n"), HEARTBEAT_MS);
    try {
      const given = await result(left.signal);
      await body.write(key.isRevoked() ? JSON.stringify({ __error__: KEY_REVOKED }) : given);
    } finally {
      clearInterval(heartbeat);
      key.end();
    }
  });
}

/** Aborts `left` when the client's key is revoked. */
function whileValid(context: Request, revocations: Revocations, left: AbortController) {
  let isRevoked = false;
  const end = revocations.watch(context.get("caller").id, () => {
    isRevoked = true;
    left.abort();
  });
  return { isRevoked: () => isRevoked, end };
}

/** Aborts `left` when the client leaves, which may have happened before anything was sent. */
function whenLeft(
  context: Request,
  body: { onAbort: (listener: () => void) => void },
  left: AbortController,
  onLeft?: () => void,
): void {
  const leave = () => {
    if (left.signal.aborted) return;
    left.abort();
    onLeft?.();
  };
  body.onAbort(leave);
  if (context.req.raw.signal.aborted) leave();
}
