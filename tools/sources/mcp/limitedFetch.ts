import type { FetchLike } from "@modelcontextprotocol/client";
import { likeBefore } from "./lenientFetch.js";

/** Bytes of one answer from a server; a longer one is refused. */
export const MOST_BYTES = 10_000_000;

/** A fetch that breaks off an answer, or one event of a stream, that exceeds `MOST_BYTES`. */
export function limitedFetch(send: FetchLike, onExcess: () => void = () => undefined): FetchLike {
  return async (url, init) => {
    const response = await send(url, init);
    if (!response.body) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const body = response.body.pipeThrough(limit(isStream, onExcess));
    return likeBefore(response, body);
  };
}

const NEWLINE = 10;

function limit(isStream: boolean, onExcess: () => void) {
  let bytes = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MOST_BYTES) {
        onExcess();
        controller.error(new Error(`more than ${MOST_BYTES} bytes`));
        return;
      }
      // A stream may go on for ever, so only single events count; the end of a line is close enough to that of an event.
      if (isStream && chunk.includes(NEWLINE))
        bytes = chunk.byteLength - chunk.lastIndexOf(NEWLINE);
      controller.enqueue(chunk);
    },
  });
}
