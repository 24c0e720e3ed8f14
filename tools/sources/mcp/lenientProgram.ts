import { ReadBuffer } from "@modelcontextprotocol/client";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { MOST_BYTES } from "./limitedFetch.js";
import { type RequestId, mended } from "./wire.js";

const NEWLINE = 10;

/** Mends the messages of a program before the client library reads them. */
export function readLeniently(transport: StdioClientTransport): void {
  const waiting = new Set<RequestId>();
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    if ("method" in message && "id" in message) waiting.add(message.id);
    await send(message);
  };
  // The library has no option for it; a subclass of the transport would be probed in another way.
  Object.assign(transport, { _readBuffer: new LenientBuffer(waiting) });
}

class LenientBuffer extends ReadBuffer {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly waiting: Set<RequestId>) {
    super({ maxBufferSize: 2 * MOST_BYTES });
  }

  override append(chunk: Buffer): void {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (this.rest.length + chunk.length > MOST_BYTES) {
      this.rest = Buffer.alloc(0);
      throw new Error(`it exceeds the maximum size of ${MOST_BYTES} bytes`);
    }
    const whole = end === 0 ? "" : Buffer.concat([this.rest, chunk.subarray(0, end)]).toString();
    this.rest = Buffer.concat([end === 0 ? this.rest : Buffer.alloc(0), chunk.subarray(end)]);
    if (whole)
      super.append(
        Buffer.from(
          whole
            .split("\n")
            .map((line) => this.mended(line))
            .join("\n"),
        ),
      );
  }

  private mended(line: string): string {
    const message = mended(line, [...this.waiting]);
    for (const id of message.answered) {
      this.waiting.delete(id);
      this.waiting.delete(Number(id));
    }
    return message.text;
  }
}
