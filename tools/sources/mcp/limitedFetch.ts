import type { FetchLike } from "@modelcontextprotocol/client";
import { MOST_BYTES } from "./bounds.js";

/** Ends an answer, or one event of a stream, that grows beyond what is read of a server. */
export function limitedFetch(onExcess: () => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.body) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const body = response.body.pipeThrough(limit({ isStream, onExcess }));
    const { status, statusText, headers } = response;
    const limited = new Response(body, { status, statusText, headers });
    // A response that is made has no address, which redirects are judged by.
    Object.defineProperty(limited, "url", { value: response.url });
    return limited;
  };
}

const NEWLINE = 10;

function limit(options: { isStream: boolean; onExcess: () => void }) {
  const { isStream, onExcess } = options;
  let bytes = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MOST_BYTES) {
        onExcess();
        controller.error(new Error(`more than ${MOST_BYTES} bytes`));
        return;
      }
      // A stream may go on for ever; only what belongs together counts, and lines of an event end it closely enough.
      if (isStream && chunk.includes(NEWLINE))
        bytes = chunk.byteLength - chunk.lastIndexOf(NEWLINE);
      controller.enqueue(chunk);
    },
  });
}
