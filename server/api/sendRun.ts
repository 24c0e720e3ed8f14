import { stream, streamSSE } from "hono/streaming";
import type { StreamingApi } from "hono/utils/stream";
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

interface Sending {
  context: Request;
  revocations: Revocations;
  /** Called when the client leaves before the end. */
  onLeft?: () => void;
}

/** Sends events until there are no more or the client leaves. */
export function sendEvents(
  options: Sending & {
    events: (signal: AbortSignal) => AsyncIterable<SentEvent>;
    /** Sends only events of these modes, besides errors and metadata. */
    modes?: ReadonlySet<string>;
  },
): Response {
  const { context, events, modes } = options;
  context.header("Cache-Control", "no-store");
  context.header("X-Accel-Buffering", "no");
  return streamSSE(context, async (sse) => {
    // A comment without an empty line, which LangGraph's SDK would take for an event.
    await whileThere(options, sse, ": heartbeat\n", async (left, isRevoked) => {
      try {
        for await (const { id, event, data } of events(left)) {
          if (modes && !isAsked(event, modes)) continue;
          await sse.writeSSE({ id, event, data });
        }
        if (isRevoked()) await sse.writeSSE({ event: "error", data: JSON.stringify(KEY_REVOKED) });
      } catch (error) {
        // A client that has left is told nothing more.
        if (!left.aborted) throw error;
      }
    });
  });
}

function isAsked(event: string, modes: ReadonlySet<string>): boolean {
  const [kind = ""] = event.split(/[|/]/);
  if (kind === "metadata" || kind === "error") return true;
  return modes.has(kind) || (kind === "messages" && modes.has("messages-tuple"));
}

/** Sends JSON once it is there. Until then, line breaks keep the connection alive, as on LangGraph's servers. */
export function sendResult(
  options: Sending & { result: (signal: AbortSignal) => Promise<string> },
): Response {
  const { context, result } = options;
  context.header("Content-Type", "application/json");
  return stream(context, async (body) => {
    await whileThere(options, body, "\n", async (left, isRevoked) => {
      const given = await result(left);
      await body.write(isRevoked() ? JSON.stringify({ __error__: KEY_REVOKED }) : given);
    });
  });
}

/**
 * Works for a client until it leaves, which may have happened before anything was sent, or its key is revoked.
 *
 * @param heartbeat what is sent meanwhile
 */
async function whileThere(
  { context, revocations, onLeft }: Sending,
  body: StreamingApi,
  heartbeat: string,
  work: (left: AbortSignal, isRevoked: () => boolean) => Promise<void>,
): Promise<void> {
  const left = new AbortController();
  const leave = () => {
    if (left.signal.aborted) return;
    left.abort();
    onLeft?.();
  };
  body.onAbort(leave);
  if (context.req.raw.signal.aborted) leave();
  let isRevoked = false;
  const end = revocations.watch(context.get("caller").id, () => {
    isRevoked = true;
    left.abort();
  });
  const beating = setInterval(() => void body.write(heartbeat), HEARTBEAT_MS);
  try {
    await work(left.signal, () => isRevoked);
  } finally {
    clearInterval(beating);
    end();
  }
}
