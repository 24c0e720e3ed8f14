import {
  Client,
  type DiscoverResult,
  type ElicitRequestParams,
  type ElicitResult,
  type PriorDiscovery,
} from "@modelcontextprotocol/client";
import { packageVersion } from "../../../storage/packageRoot.js";
import type { ConnectedSource } from "../connected.js";
import { LISTED_AT_MOST_MS, MOST_QUESTIONS } from "./bounds.js";
import { connectionProblem } from "./failures.js";
import { type Reach, reachOf } from "./settings.js";
import { faultNotes, transportTo, withinTime } from "./transport.js";

/** An open connection to a server. */
export interface Connection {
  client: Client;
  /** How it was reached; contains secrets that no message may show. */
  reach: Reach;
  /** What the server is, so that the next connection need not ask. */
  known: KnownServer;
  /** What broke it, in our words; a server's own text could contain secrets. */
  brokenBy: () => string | undefined;
  close: () => Promise<void>;
}

/** The revision that a server speaks: its answer to discovery, or null for a revision of 2025. */
export interface KnownServer {
  discovered: DiscoverResult | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** What a connection reports while it is open. */
export interface ConnectionEvents {
  /** Asks a person; the promise may last for minutes. */
  onQuestion: (question: ElicitRequestParams) => Promise<ElicitResult>;
  onListChanged: () => void;
  onClosed: () => void;
}

/**
 * Starts or reaches a server and agrees with it on a revision of the protocol: 2026-07-28 if the server speaks it, else
 * one of 2025.
 *
 * @param options.timeoutMs time limit until the connection is open
 * @throws McpFailed in one line: what went wrong and what to do
 */
export async function openConnection(options: {
  source: Pick<ConnectedSource, "name" | "settings">;
  known?: KnownServer;
  timeoutMs: number;
  events: ConnectionEvents;
}): Promise<Connection> {
  const { source, known, timeoutMs, events } = options;
  const reach = reachOf(source);
  // A program that does not answer discovery is asked again in the manner of 2025, in the second half of the time.
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
  const { transport, close } = transportTo({ source, reach, faults });
  const prior = priorOf(known);
  try {
    await withinTime(timeoutMs, (ending) =>
      client.connect(transport, { timeout: timeoutMs, signal: ending, prior }),
    );
  } catch (error) {
    await close(client);
    throw connectionProblem({ name: source.name, reach, timeoutMs, error, ...faults.summary() });
  }
  Object.assign(client, { onclose: events.onClosed });
  await subscribeToChanges(client);
  return {
    client,
    reach,
    known:
      prior && known ? known : { discovered: client.getDiscoverResult() ?? null, at: Date.now() },
    brokenBy: () => faults.summary().fault,
    close: () => close(client),
  };
}

/** Time limit in milliseconds for subscribing to changes; without them, a list may be out of date. */
const LISTENING_MS = 5_000;

/**
 * A server of 2026-07-28 reports changes only to subscribers. This waits for the subscription, or changes made by the
 * very first call would be missed.
 */
async function subscribeToChanges(client: Client): Promise<void> {
  const tells = client.getServerCapabilities()?.tools?.listChanged;
  if (!tells || client.getProtocolEra() !== "modern") return;
  const listening = withinTime(LISTENING_MS, () => client.listen({ toolsListChanged: true }));
  await listening.catch((error: unknown) => client.onerror?.(error as Error));
}

/** A server that was upgraded meanwhile still speaks the old revision; after a day it is asked again. */
function priorOf(known: KnownServer | undefined): PriorDiscovery | undefined {
  if (!known || Date.now() - known.at > LISTED_AT_MOST_MS) return undefined;
  const { discovered: discover } = known;
  return discover ? { kind: "modern", discover } : { kind: "legacy" };
}
