import {
  type Client,
  type FetchLike,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { orAborted } from "../../../common/orAborted.js";
import type { ConnectedSource } from "../connected.js";
import { MOST_BYTES } from "./bounds.js";
import { storedLogin } from "./login/storedLogin.js";
import type { Reach } from "./settings.js";

/** Collects faults other than failed requests. */
export interface FaultNotes {
  note: (error: unknown) => void;
  addOutput: (stderr: string) => void;
  summary: () => { fault?: string; stderr: string };
}

/** Characters kept of a program's last output on stderr. */
const LAST_WORDS = 2_000;

export function faultNotes(): FaultNotes {
  let fault: string | undefined;
  let stderr = "";
  return {
    note: (error) => {
      fault ??= /maximum size|more than \d+ bytes/i.test(String(error))
        ? `it sent more than ${MOST_BYTES / 1_000_000} MB at once, which is too much`
        : undefined;
    },
    addOutput: (text) => {
      stderr = (stderr + text).slice(-LAST_WORDS);
    },
    summary: () => ({ fault, stderr }),
  };
}

/** The transport to a server, and how to end it for good. */
export interface ServerTransport {
  transport: StdioClientTransport | StreamableHTTPClientTransport;
  close: (client: Client) => Promise<void>;
}

export function transportTo(options: {
  source: Pick<ConnectedSource, "name">;
  reach: Reach;
  faults: FaultNotes;
}): ServerTransport {
  const { source, reach, faults } = options;
  if ("url" in reach) {
    const { url, headers } = reach;
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers },
      fetch: limitedFetch(() => faults.note(`more than ${MOST_BYTES} bytes`)),
      authProvider: storedLogin({ name: source.name, url }),
    });
    return {
      transport,
      close: async (client) => {
        // Tells a server with a session that it is over. Any answer, or none, will do.
        await withinTime(FAREWELL_MS, () => transport.terminateSession()).catch(faults.note);
        await client.close();
      },
    };
  }
  const transport = new StdioClientTransport({
    ...reach,
    stderr: "pipe",
    maxBufferSize: MOST_BYTES,
  });
  transport.stderr?.on("data", (part: Buffer) => faults.addOutput(part.toString("utf8")));
  const forget = endWithProcess(() => transport.pid);
  return {
    transport,
    close: async (client) => {
      await client.close();
      await transport.close();
      forget();
    },
  };
}

/** Time limit in milliseconds for ending a session. */
const FAREWELL_MS = 1_000;

/** A fetch that breaks off an answer, or one event of a stream, that exceeds `MOST_BYTES`. */
function limitedFetch(onExcess: () => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.body) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const body = response.body.pipeThrough(limit(isStream, onExcess));
    const { status, statusText, headers } = response;
    const limited = new Response(body, { status, statusText, headers });
    // A constructed response has no address, which is needed to judge redirects.
    Object.defineProperty(limited, "url", { value: response.url });
    return limited;
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

const pids = new Set<() => number | null>();
let isWatching = false;

/**
 * Ends a started program with this process, should the process end before the connection is closed. (A killed process
 * cannot do this, but then the program finds its input closed, and servers end by themselves.)
 *
 * @param pid its process id, null when it is not running
 * @returns a function that calls this off
 */
function endWithProcess(pid: () => number | null): () => void {
  pids.add(pid);
  if (!isWatching) process.once("exit", endAll);
  isWatching = true;
  return () => void pids.delete(pid);
}

function endAll(): void {
  for (const pid of pids) {
    const id = pid();
    if (id === null) continue;
    try {
      process.kill(id);
    } catch {
      // It has already ended.
    }
  }
}

/** Limits the time of a step; what it still does afterwards is ignored. */
export async function withinTime<Result>(
  ms: number,
  step: (ending: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = AbortSignal.timeout(ms);
  return await orAborted(ending, step(ending));
}
