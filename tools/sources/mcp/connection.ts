import {
  Client,
  type DiscoverResult,
  type ElicitRequestParams,
  type ElicitResult,
  type PriorDiscovery,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { orAborted } from "../../../common/orAborted.js";
import { packageVersion } from "../../../storage/packageRoot.js";
import type { ConnectedSource } from "../connected.js";
import { LISTED_AT_MOST_MS, MOST_BYTES, MOST_QUESTIONS } from "./bounds.js";
import { connectionProblem } from "./connectionProblem.js";
import { limitedFetch } from "./limitedFetch.js";
import { storedLogin } from "./login/storedLogin.js";
import { endWithProcess } from "./ownChildren.js";
import { type Reach, reachOf } from "./settings.js";

/** An open connection to a server. */
export interface Connection {
  client: Client;
  /** How it was reached, with the secrets that no message may show. */
  reach: Reach;
  /** What the server is, for a next connection that then need not ask. */
  known: KnownServer;
  /** What broke it, in words, once it is broken; no server's text is trusted to be free of secrets. */
  brokenBy: () => string | undefined;
  close: () => Promise<void>;
}

/** The revision that a server speaks: what it answered to discovery, or nothing for one of 2025. */
export interface KnownServer {
  discovered: DiscoverResult | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** What a connection tells while it is open. */
export interface ConnectionEvents {
  /** Asks a person; the promise may last for minutes. */
  onQuestion: (question: ElicitRequestParams) => Promise<ElicitResult>;
  onListChanged: () => void;
  onClosed: () => void;
}

/**
 * Starts or reaches a server and agrees on a revision with it: on the one of 2026-07-28 if the server has it, else on
 * one of 2025.
 *
 * @param options.timeoutMs for everything until the connection stands
 * @throws McpFailed in one line: what went wrong and what to do
 */
export async function openConnection(options: {
  source: Pick<ConnectedSource, "name" | "settings">;
  known?: KnownServer;
  timeoutMs: number;
  signal?: AbortSignal;
  events: ConnectionEvents;
}): Promise<Connection> {
  const { source, known, timeoutMs, signal, events } = options;
  const reach = reachOf(source);
  // A program that does not answer the question which revision it speaks is asked again, as those of 2025 want it.
  const probeMs = "url" in reach ? timeoutMs : timeoutMs / 2;
  const client = new Client(
    { name: "tulipgraph", version: packageVersion() },
    {
      capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } },
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs } },
      inputRequired: { maxRounds: MOST_QUESTIONS },
    },
  );
  const faults = faultNotes();
  Object.assign(client, { onerror: faults.note });
  client.setRequestHandler("elicitation/create", ({ params }) => events.onQuestion(params));
  client.setNotificationHandler("notifications/tools/list_changed", events.onListChanged);
  const line = lineTo({ source, reach, faults });
  const prior = priorOf(known);
  try {
    await withinTime({ ms: timeoutMs, signal }, (ending) =>
      client.connect(line.transport, { timeout: timeoutMs, signal: ending, prior }),
    );
  } catch (error) {
    await line.close(client);
    const told = { name: source.name, reach, timeoutMs, error, ...faults.told() };
    throw connectionProblem(told);
  }
  Object.assign(client, { onclose: events.onClosed });
  await hearOfChanges(client, signal);
  return {
    client,
    reach,
    known:
      prior && known ? known : { discovered: client.getDiscoverResult() ?? null, at: Date.now() },
    brokenBy: () => faults.told().fault,
    close: () => line.close(client),
  };
}

/** Milliseconds for which it is waited until a server tells its changes: without, a list is older than it could be. */
const LISTENING_MS = 5_000;

/**
 * A server of 2026-07-28 tells changes only to those that listen. That is waited for, or what the very first call
 * changes would go unheard.
 */
async function hearOfChanges(client: Client, signal: AbortSignal | undefined): Promise<void> {
  const tells = client.getServerCapabilities()?.tools?.listChanged;
  if (!tells || client.getProtocolEra() !== "modern") return;
  const listening = withinTime({ ms: LISTENING_MS, signal }, () =>
    client.listen({ toolsListChanged: true }),
  );
  await listening.catch((error: unknown) => client.onerror?.(error as Error));
}

/** A server that was upgraded in the meantime still speaks as before; after a day it is asked anew. */
function priorOf(known: KnownServer | undefined): PriorDiscovery | undefined {
  if (!known || Date.now() - known.at > LISTED_AT_MOST_MS) return undefined;
  const { discovered: discover } = known;
  return discover ? { kind: "modern", discover } : { kind: "legacy" };
}

/** What went wrong beside the failures of requests. */
export interface FaultNotes {
  note: (error: unknown) => void;
  /** A program's output on stderr. */
  hear: (text: string) => void;
  told: () => { fault?: string; stderr: string };
}

/** Characters of a program's last words that are kept. */
const LAST_WORDS = 2_000;

function faultNotes(): FaultNotes {
  let fault: string | undefined;
  let stderr = "";
  return {
    note: (error) => {
      fault ??= /maximum size|more than \d+ bytes/i.test(String(error))
        ? `it sent more than ${MOST_BYTES / 1_000_000} MB at once, which is not read`
        : undefined;
    },
    hear: (text) => {
      stderr = (stderr + text).slice(-LAST_WORDS);
    },
    told: () => ({ fault, stderr }),
  };
}

/** The transport to a server, and how it ends for good. */
interface Line {
  transport: StdioClientTransport | StreamableHTTPClientTransport;
  close: (client: Client) => Promise<void>;
}

function lineTo(options: {
  source: Pick<ConnectedSource, "name">;
  reach: Reach;
  faults: FaultNotes;
}): Line {
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
        // A server that keeps a session for us learns that it is over; one that keeps none has nothing to say.
        await withinTime({ ms: FAREWELL_MS }, () => transport.terminateSession()).catch(
          faults.note,
        );
        await client.close();
      },
    };
  }
  const transport = new StdioClientTransport({
    ...reach,
    stderr: "pipe",
    maxBufferSize: MOST_BYTES,
  });
  transport.stderr?.on("data", (part: Buffer) => faults.hear(part.toString("utf8")));
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

/** Milliseconds that a server has to let go of a session. */
const FAREWELL_MS = 1_000;

/** Gives a step only so much time; what it still does afterwards is dropped. */
export async function withinTime<Result>(
  { ms, signal }: { ms: number; signal?: AbortSignal },
  step: (ending: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])]);
  return await orAborted(ending, step(ending));
}
