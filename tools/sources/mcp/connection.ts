import {
  ProtocolError,
  SUPPORTED_PROTOCOL_VERSIONS,
  type AuthProvider,
  Client,
  type DiscoverResult,
  type ElicitRequestParams,
  type ElicitResult,
  type FetchLike,
  type PriorDiscovery,
  SSEClientTransport,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { orAborted } from "../../../common/orAborted.js";
import { guardedFetch } from "../credentials/guardedFetch.js";
import type { Credentials } from "../credentials/own.js";
import { packageVersion } from "../../../storage/packageRoot.js";
import type { ConnectedSource } from "../../remote.js";
import { connectionProblem, isForgotten, sessionDoubt } from "./failures.js";
import { PROBE_MS, lenientFetch } from "./lenientFetch.js";
import { MOST_BYTES, limitedFetch } from "./limitedFetch.js";
import { privateAddress } from "./entryUse.js";
import { programTransport } from "./programTransport.js";
import { MOST_QUESTIONS } from "./questions.js";
import { McpFailed, type Reach, reachOf } from "./settings.js";
import { storedLogin } from "./oauth.js";

/** The longest that Node accepts: it fires longer timers at once. The runtime has its own time-outs. */
export const NEVER_MS = 2 ** 31 - 1;

/** Time limit in milliseconds for a server's start and for its list; it may have to download packages first. */
export const START_MS = 60_000;

/** The longest that a list, or what is known of a server's revision, is valid, in milliseconds. */
export const LISTED_AT_MOST_MS = 86_400_000;

/** An open connection to a server. */
export type Connection = Awaited<ReturnType<typeof connect>>;

/** The revision that a server speaks: its answer to discovery, or null for a revision of 2025. */
export interface KnownServer {
  discovered: DiscoverResult | null;
  /** Milliseconds since 1970. */
  at: number;
}

interface ConnectionRequest {
  source: Pick<ConnectedSource, "name" | "settings">;
  known?: KnownServer;
  timeoutMs: number;
  /** What it reports while it is open. */
  events: {
    /** Asks a person; the promise may last for minutes. */
    onQuestion: (question: ElicitRequestParams) => Promise<ElicitResult>;
    onListChanged: () => void;
    onClosed: () => void;
  };
  /** Whose it is; by default the environment's. */
  credentials?: Credentials;
}

/** Answers of a server of the old transport to a message that is sent to its address. */
const OLD_TRANSPORT: readonly unknown[] = [400, 404, 405, 406, 415, 501];

/** Time limit in milliseconds for a server of the old transport to say where it takes messages. */
const OLD_TRANSPORT_MS = 10_000;

/**
 * Starts or reaches a server and agrees with it on a revision of the protocol: 2026-07-28 if the server speaks it, else
 * one of 2025. A server that takes no messages at its address may speak the transport of 2024: SSE alone.
 *
 * @throws McpFailed in one line: what went wrong and what to do
 */
export async function openConnection(options: ConnectionRequest): Promise<Connection> {
  try {
    return await connect(options, false);
  } catch (error) {
    const { cause } = error as Error;
    const spoken = spokenBy(cause);
    if (spoken.length > 0) return await connect({ ...options, spoken }, false);
    if (!(cause instanceof SdkHttpError) || !OLD_TRANSPORT.includes(cause.status)) throw error;
    const timeoutMs = Math.min(options.timeoutMs, OLD_TRANSPORT_MS);
    const old = await connect({ ...options, timeoutMs }, true).catch(() => undefined);
    if (old) return old;
    throw error;
  }
}

/** The revisions that a server names when it refuses that of `initialize`, in place of answering with one. */
function spokenBy(error: unknown): string[] {
  const { supported } = Object(error instanceof ProtocolError && error.data) as {
    supported?: unknown;
  };
  return SUPPORTED_PROTOCOL_VERSIONS.filter((version) => [supported].flat().includes(version));
}

async function connect(options: ConnectionRequest & { spoken?: string[] }, isOld: boolean) {
  const { source, known, timeoutMs, events, credentials = {}, spoken: supported } = options;
  const reach = reachWith(source, credentials);
  const probeMs = "url" in reach ? timeoutMs : Math.min(timeoutMs / 2, PROBE_MS);
  const client = new Client(
    { name: "tulipgraph", version: packageVersion() },
    {
      capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } },
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs } },
      inputRequired: { maxRounds: MOST_QUESTIONS },
      ...(supported && { supportedProtocolVersions: supported }),
    },
  );
  const faults = faultNotes();
  Object.assign(client, { onerror: faults.note });
  client.setRequestHandler("elicitation/create", ({ params }) => events.onQuestion(params));
  client.setNotificationHandler("notifications/tools/list_changed", events.onListChanged);
  const { name } = source;
  const { login } = credentials;
  const authProvider = login && storedLogin({ name, place: login });
  const onStreamEnd = isOld ? () => void client.close() : undefined;
  const to = transportTo({ name, reach, faults, authProvider, onStreamEnd });
  const { transport, close, stderr = () => "" } = to;
  const prior: PriorDiscovery | undefined =
    isOld || supported ? { kind: "legacy" } : priorOf(known);
  try {
    await withinTime(timeoutMs, (ending) =>
      client.connect(transport, { timeout: timeoutMs, signal: ending, prior }),
    );
  } catch (error) {
    await close(client);
    throw connectionProblem({
      name,
      reach,
      timeoutMs,
      error,
      fault: faults.fault,
      stderr: stderr(),
    });
  }
  Object.assign(client, { onclose: events.onClosed });
  await subscribeToChanges(client);
  const spoken: KnownServer =
    prior && known ? known : { discovered: client.getDiscoverResult() ?? null, at: Date.now() };
  return {
    client,
    /** How it was reached; contains secrets that no message may show. */
    reach,
    /** What the server is, so that the next connection need not ask. */
    known: spoken,
    /** What broke it, in our words; a server's own text could contain secrets. */
    brokenBy: () => faults.fault,
    /** Whether a call was refused because the server no longer knows the session: it then refuses a ping, too. */
    async isLost(error: unknown): Promise<boolean> {
      if (isForgotten(error)) return true;
      if (!isOld && transport.sessionId === undefined) return false;
      const doubt = sessionDoubt(error);
      if (doubt !== "unclear") return doubt === "gone";
      const pong = await client.ping({ timeout: PING_MS }).catch((refusal: unknown) => refusal);
      return sessionDoubt(pong) !== undefined;
    },
    /** The end of what a program has written to stderr; may repeat secrets that it was given. */
    stderr,
    close: () => close(client),
  };
}

function reachWith(
  source: Pick<ConnectedSource, "name" | "settings">,
  { values, bearer }: Credentials,
): Reach {
  const reach = reachOf(source, values);
  if (bearer === undefined || !("url" in reach)) return reach;
  // In place of the header with which the tools were listed, however it is written.
  const others = Object.entries(reach.headers).filter(([name]) => !/^authorization$/i.test(name));
  const headers = { ...Object.fromEntries(others), authorization: `Bearer ${bearer}` };
  return { ...reach, headers };
}

/** Time limit in milliseconds for an answer that tells whether a session is still known. */
const PING_MS = 5_000;

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

function faultNotes() {
  const notes = {
    fault: undefined as string | undefined,
    note: (error: unknown) => {
      if (/maximum size|more than \d+ bytes/i.test(String(error)))
        notes.fault ??= `it sent more than ${MOST_BYTES / 1_000_000} MB at once, which is too much`;
    },
  };
  return notes;
}

/** The transport to a server, and how to end it for good. */
function transportTo(options: {
  name: string;
  reach: Reach;
  faults: ReturnType<typeof faultNotes>;
  authProvider: AuthProvider | undefined;
  /** Given for the old transport, whose session ends with its stream. */
  onStreamEnd: (() => void) | undefined;
}): {
  transport: Transport;
  /** The end of what a program has written to stderr. */
  stderr?: () => string;
  close: (client: Client) => Promise<void>;
} {
  const { name, reach, faults, authProvider, onStreamEnd } = options;
  if ("url" in reach) {
    const { url, headers, isPublicOnly } = reach;
    const limited = limitedFetch(isPublicOnly ? publicFetch(name) : fetch, () =>
      faults.note(`more than ${MOST_BYTES} bytes`),
    );
    const hasLogin = authProvider !== undefined;
    const lenient = lenientFetch(limited, { onStreamEnd, hasLogin });
    const settings = { requestInit: { headers }, fetch: lenient, authProvider };
    if (onStreamEnd) {
      return {
        transport: new SSEClientTransport(url, settings),
        close: (client) => client.close(),
      };
    }
    const transport = new StreamableHTTPClientTransport(url, settings);
    return {
      transport,
      close: async (client) => {
        // Tells a server with a session that it is over. Any answer, or none, will do.
        await withinTime(FAREWELL_MS, () => transport.terminateSession()).catch(faults.note);
        await client.close();
      },
    };
  }
  const transport = programTransport(reach);
  return { transport, stderr: transport.lastWords, close: (client) => client.close() };
}

/** Time limit in milliseconds for ending a session. */
const FAREWELL_MS = 1_000;

/** A fetch for a server to which a configuration file sends variables: whatever its name stands for is looked at, too. */
function publicFetch(name: string): FetchLike {
  return guardedFetch(ANYWHERE, {
    isPrivate: false,
    answeredMs: NEVER_MS,
    refusal: (host) => new McpFailed({ server: name, ...privateAddress(host) }),
  });
}

/** No address of the configuration file is one that the guard would take for its own. */
const ANYWHERE = new URL("https://configuration.invalid");

/** Limits the time of a step; what it still does afterwards is ignored. */
export async function withinTime<Result>(
  ms: number,
  step: (ending: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = AbortSignal.timeout(ms);
  return await orAborted(ending, step(ending));
}
