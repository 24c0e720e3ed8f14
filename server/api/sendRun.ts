import { stream, streamSSE } from "hono/streaming";
import type { Request } from "./requests.js";

/** How often something is sent while nothing happens, so that neither end takes the connection for dead, in milliseconds. */
const HEARTBEAT_MS = 5_000;

/** An event as clients are sent it. */
interface SentEvent {
  id: string;
  event: string;
  /** JSON. */
  data: string;
}

/** Sends the events of a run to its end, or those of a thread's runs until the client leaves. */
export function sendEvents(options: {
  context: Request;
  events: (signal: AbortSignal) => AsyncIterable<SentEvent>;
  /** Only these kinds of events, beside errors and what begins a stream. */
  modes?: ReadonlySet<string>;
  onLeft: () => void;
}): Response {
  const { context, events, modes, onLeft } = options;
  context.header("Cache-Control", "no-store");
  context.header("X-Accel-Buffering", "no");
  return streamSSE(context, async (sse) => {
    const left = new AbortController();
    whenLeft({ context, body: sse, left, onLeft });
    // A comment without an empty line: LangGraph's SDK would take that for an event.
    const heartbeat = setInterval(() => void sse.write(": heartbeat\n"), HEARTBEAT_MS);
    try {
      for await (const { id, event, data } of events(left.signal)) {
        if (modes && !isAsked(event, modes)) continue;
        await sse.writeSSE({ id, event, data });
      }
    } catch (error) {
      // Who is cut off when the server closes is told nothing more.
      if (!left.signal.aborted) throw error;
    } finally {
      clearInterval(heartbeat);
    }
  });
}

function isAsked(event: string, modes: ReadonlySet<string>): boolean {
  const [kind = ""] = event.split(/[|/]/);
  if (kind === "metadata" || kind === "error") return true;
  return modes.has(kind) || (kind === "messages" && modes.has("messages-tuple"));
}

/** Sends JSON once there is some. Line breaks before it keep the connection, as LangGraph's servers do. */
export function sendResult(options: {
  context: Request;
  result: (signal: AbortSignal) => Promise<string>;
  onLeft: () => void;
}): Response {
  const { context, result, onLeft } = options;
  context.header("Content-Type", "application/json");
  return stream(context, async (body) => {
    const left = new AbortController();
    whenLeft({ context, body, left, onLeft });
    const heartbeat = setInterval(() => void body.write("\n"), HEARTBEAT_MS);
    try {
      await body.write(await result(left.signal));
    } finally {
      clearInterval(heartbeat);
    }
  });
}

/** A client may have left before anything was sent. */
function whenLeft(options: {
  context: Request;
  body: { onAbort: (listener: () => void) => void };
  left: AbortController;
  onLeft: () => void;
}): void {
  const { context, body, left, onLeft } = options;
  const leave = () => {
    if (left.signal.aborted) return;
    left.abort();
    onLeft();
  };
  body.onAbort(leave);
  if (context.req.raw.signal.aborted) leave();
}
