import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import type { ConnectedListing, ConnectedSource, SourceRegistry } from "../connected.js";
import { thrownText } from "../../runtime/thrownText.js";
import { IDLE_MS, START_MS } from "./bounds.js";
import { orAborted } from "../../../common/orAborted.js";
import { type Connection, openConnection } from "./connection.js";
import { isStale, listServer, listedOf } from "./listing.js";
import { McpFailed } from "./mcpFailed.js";
import type { CallQuestions } from "./questions.js";

/** Settings of the connections of a home. */
export interface ConnectionsSettings {
  sources: SourceRegistry;
  /** Told whenever a list was read again. */
  onListed?: (listing: ConnectedListing) => Promise<void>;
  /** Milliseconds that a server has for its start, and for each page of its list. */
  startMs?: number;
  /** Milliseconds after which a connection that nobody uses is closed. */
  idleMs?: number;
}

/** A connection in use by one call. */
export interface Lease {
  connection: Connection;
  source: ConnectedSource;
  /** The call has ended. */
  release: () => void;
}

/** The open connections of a home, one for each server, however many calls use it. */
export interface Connections {
  /**
   * Opens a connection, if there is none.
   *
   * @param request.signal ends the waiting; what others wait for goes on
   * @param request.questions of the call that uses it
   * @throws McpFailed when the server cannot be reached
   */
  lease: (request: {
    name: string;
    signal: AbortSignal;
    questions: CallQuestions;
  }) => Promise<Lease>;
  close: () => Promise<void>;
}

/** A connection that is open or being opened, with the calls that use it. */
interface Entry {
  opening: Promise<Connection>;
  calls: Set<CallQuestions>;
  idle?: NodeJS.Timeout;
  /** A list that is being read. */
  listing?: Promise<void>;
  /** The list has changed since that was begun, so that it may be an old one. */
  changed?: boolean;
}

/** Connections are opened when a call needs one, shared, and closed when nobody has used them for a while. */
export function openConnections(settings: ConnectionsSettings): Connections {
  const { sources, startMs: timeoutMs = START_MS, idleMs = IDLE_MS } = settings;
  const entries = new Map<string, Entry>();
  const closing = new Set<Promise<void>>();

  const drop = (key: string, entry: Entry) => {
    clearTimeout(entry.idle);
    if (entries.get(key) === entry) entries.delete(key);
    const closed = closeEntry(entry).finally(() => closing.delete(closed));
    closing.add(closed);
  };
  const relistNamed = async (known: ConnectedSource, entry: Entry) =>
    relist((await sources.get(known.name)) ?? known, entry);
  const relist = (source: ConnectedSource, entry: Entry) => {
    if (entry.listing) {
      entry.changed = true;
      return;
    }
    entry.listing = readAgain({ source, entry, timeoutMs, settings })
      .catch((error: unknown) => {
        process.emitWarning(`the new list of ${source.name} was not taken: ${thrownText(error)}`);
      })
      .finally(() => {
        const isOld = entry.changed && [...entries.values()].includes(entry);
        Object.assign(entry, { listing: undefined, changed: false });
        if (isOld) relist(source, entry);
      });
  };
  const open = (key: string, source: ConnectedSource): Entry => {
    const calls: Entry["calls"] = new Set();
    const events = {
      onQuestion: (question: ElicitRequestParams) => askPerson(calls, question),
      onListChanged: () => void relistNamed(source, entry),
      onClosed: () => drop(key, entry),
    };
    const known = listedOf(source)?.known;
    const entry: Entry = { calls, opening: openConnection({ source, known, timeoutMs, events }) };
    entry.opening.then(
      () => isStale(source) && relist(source, entry),
      () => drop(key, entry),
    );
    entries.set(key, entry);
    return entry;
  };
  return {
    async lease({ name, signal, questions }) {
      const source = await sources.get(name);
      if (source?.kind !== "mcp") throw unknownServer(name);
      // A server that was imported again is another one; calls under way end on the old connection.
      const key = JSON.stringify([name, source.settings]);
      const entry = entries.get(key) ?? open(key, source);
      clearTimeout(entry.idle);
      entry.calls.add(questions);
      const release = () => {
        entry.calls.delete(questions);
        // Whoever only waits for the idle time does not keep the process.
        if (entry.calls.size === 0) entry.idle = setTimeout(() => drop(key, entry), idleMs).unref();
      };
      try {
        return { connection: await orAborted(signal, entry.opening), source, release };
      } catch (error) {
        release();
        throw error;
      }
    },
    async close() {
      for (const [key, entry] of entries) drop(key, entry);
      await Promise.all(closing);
    },
  };
}

/**
 * Passes a question on to the person behind a call. Servers of 2025 do not say which of several calls it belongs to,
 * so all calls of the run wait for the answer; nobody is asked where calls of several runs are under way, for the
 * answer of one person could serve another.
 */
async function askPerson(
  calls: ReadonlySet<CallQuestions>,
  params: ElicitRequestParams,
): Promise<ElicitResult> {
  const [first, ...others] = calls;
  if (!first || others.some(({ threadId }) => threadId !== first.threadId)) {
    return { action: "decline" };
  }
  const answer = first.ask(params);
  const [question] = first.open().slice(-1);
  if (question) for (const other of others) other.share(question);
  return await answer;
}

/** A list that cannot be read leaves the one before it as it is: the next connection tries again. */
async function readAgain(options: {
  source: ConnectedSource;
  entry: Entry;
  timeoutMs: number;
  settings: ConnectionsSettings;
}): Promise<void> {
  const { source, entry, timeoutMs, settings } = options;
  const connection = await entry.opening;
  const listing = await listServer({ source, connection, timeoutMs }).catch(() => undefined);
  if (listing) await settings.onListed?.(listing);
}

async function closeEntry({ opening, listing }: Entry): Promise<void> {
  const connection = await opening.catch(() => undefined);
  await connection?.close();
  await listing;
}

function unknownServer(name: string): McpFailed {
  return new McpFailed({
    server: name,
    problem: "there is none of this name any more",
    hint: `Import it again: tulipgraph tools import mcp ${name} …`,
  });
}
