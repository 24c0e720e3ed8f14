import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import type { ConnectedListing, ConnectedSource, SourceRegistry } from "../../remote.js";
import { type OwnCredentials, sharedCredentials } from "../credentials/own.js";
import type { ConnectionStore } from "../credentials/store.js";
import type { ToolDefinition } from "../../tool.js";
import { thrownText } from "../../calls/engine/thrownText.js";
import { orAborted } from "../../../common/orAborted.js";
import { type Connection, openConnection, START_MS } from "./connection.js";
import { isStale, listServer, listedOf } from "./listing.js";
import type { CallQuestions } from "./questions.js";
import { McpFailed, mcpPlace } from "./settings.js";

/** Milliseconds after which an unused connection is closed. */
const IDLE_MS = 30_000;

/** A connection in use by one call. */
export interface Lease {
  connection: Connection;
  /** What the server offers to whom the connection belongs; absent for a connection that all share. */
  offer?: Promise<readonly ToolDefinition[]>;
  /** To be called when the call has ended. */
  release: () => void;
  /** Later calls open a new connection; those under way finish on this one. */
  abandon: () => void;
}

/** The open connections of a home: one for each server and whose credentials are used, however many calls use it. */
export type Connections = ReturnType<typeof openConnections>;

/** A connection that is open or being opened, with the calls that use it. */
interface Entry {
  opening: Promise<Connection>;
  offer?: Lease["offer"];
  calls: Set<CallQuestions>;
  idle?: NodeJS.Timeout;
  /** Pending while a list is being read. */
  listing?: Promise<void>;
  /** The list has changed since reading began, so what is read may be out of date. */
  changed?: boolean;
}

/** Opens connections when calls need them, shares them, and closes them when they have been unused for a while. */
export function openConnections(settings: {
  sources: SourceRegistry;
  /** Where logins are. */
  connections?: ConnectionStore;
  /** Called whenever a list was read again. */
  onListed?: (listing: ConnectedListing) => Promise<void>;
  /** Time limit in milliseconds for a server's start, and for each page of its list. */
  startMs?: number;
  /** Milliseconds after which an unused connection is closed. */
  idleMs?: number;
}) {
  const { sources, startMs: timeoutMs = START_MS, idleMs = IDLE_MS } = settings;
  const entries = new Map<string, Entry>();
  const closing = new Set<Promise<void>>();
  const abandoned = new Set<Entry>();

  const drop = (key: string, entry: Entry) => {
    clearTimeout(entry.idle);
    if (entries.get(key) === entry) entries.delete(key);
    abandoned.delete(entry);
    const closed = closeEntry(entry).finally(() => closing.delete(closed));
    closing.add(closed);
  };
  // If the list cannot be read, the previous one stays: the next connection tries again.
  const readAgain = async (source: ConnectedSource, { opening }: Entry) => {
    const connection = await opening;
    const listing = await listServer(source, connection, timeoutMs).catch(() => undefined);
    if (listing) await settings.onListed?.(listing);
  };
  const relist = (source: ConnectedSource, entry: Entry) => {
    if (entry.listing) {
      entry.changed = true;
      return;
    }
    entry.listing = readAgain(source, entry)
      .catch((error: unknown) => {
        process.emitWarning(
          `the new list of ${source.name} was not accepted: ${thrownText(error)}`,
        );
      })
      .finally(() => {
        const isOld = entry.changed && [...entries.values()].includes(entry);
        Object.assign(entry, { listing: undefined, changed: false });
        if (isOld) relist(source, entry);
      });
  };
  // What a server offers to one person is not news for all others, so it only says what that person may call.
  const readOffer = (source: ConnectedSource, entry: Entry, own: OwnCredentials) => {
    entry.offer = entry.opening.then(async (connection) => {
      const { tools } = (await listServer(source, connection, timeoutMs)).listing;
      await own.offered(tools);
      return tools;
    });
    // Whoever calls a tool learns of it.
    entry.offer.catch(() => undefined);
  };
  const open = (key: string, source: ConnectedSource, own?: OwnCredentials): Entry => {
    const calls: Entry["calls"] = new Set();
    const events = {
      onQuestion: (question: ElicitRequestParams) => askPerson(calls, question),
      onListChanged: () =>
        own
          ? readOffer(source, entry, own)
          : void sources.get(source.name).then((now) => relist(now ?? source, entry)),
      onClosed: () => drop(key, entry),
    };
    const known = listedOf(source)?.known;
    const opening = (
      own
        ? Promise.resolve(own)
        : sharedCredentials({ store: settings.connections, source, placeOf: mcpPlace })
    ).then((credentials) => openConnection({ source, known, timeoutMs, events, credentials }));
    const entry: Entry = { calls, opening };
    if (own) readOffer(source, entry, own);
    entry.opening.then(
      () => !own && isStale(source) && relist(source, entry),
      () => drop(key, entry),
    );
    entries.set(key, entry);
    return entry;
  };
  return {
    /** @throws McpFailed for a server that is not imported */
    async source(name: string): Promise<ConnectedSource> {
      const source = await sources.get(name);
      if (source?.kind === "mcp") return source;
      const hint = `Import it again: tulipgraph tools import mcp ${name} …`;
      throw new McpFailed({ server: name, problem: "there is no longer one of this name", hint });
    },
    /**
     * Opens a connection if there is none.
     *
     * @param request.own somebody's own credentials; by default those that all share
     * @param request.signal ends the waiting of this call; others go on waiting for the same connection
     * @param request.questions those of the call that uses it
     * @throws McpFailed when the server cannot be reached
     */
    async lease(request: {
      source: ConnectedSource;
      own?: OwnCredentials;
      signal: AbortSignal;
      questions: CallQuestions;
    }): Promise<Lease> {
      const { source, own, signal, questions } = request;
      // A server imported again counts as another one, as does one with other credentials; calls under way finish on the
      // old connection.
      const key = JSON.stringify([source.name, source.settings, own?.key]);
      const entry = entries.get(key) ?? open(key, source, own);
      clearTimeout(entry.idle);
      entry.calls.add(questions);
      const release = () => {
        entry.calls.delete(questions);
        // Waiting for the idle time must not keep the process alive.
        if (entry.calls.size === 0) entry.idle = setTimeout(() => drop(key, entry), idleMs).unref();
      };
      const abandon = () => {
        if (entries.get(key) !== entry) return;
        entries.delete(key);
        abandoned.add(entry);
      };
      try {
        const connection = await orAborted(signal, entry.opening);
        return { connection, offer: entry.offer, release, abandon };
      } catch (error) {
        release();
        throw error;
      }
    },
    async close() {
      for (const [key, entry] of entries) drop(key, entry);
      for (const entry of abandoned) drop("", entry);
      await Promise.all(closing);
    },
  };
}

/**
 * Passes a question on to the person behind a call. Servers of 2025 do not say which of several calls it belongs to, so
 * all calls of the run wait for the answer. If calls of several runs are under way, nobody is asked: one person's answer
 * could go to another's call.
 */
async function askPerson(
  calls: ReadonlySet<CallQuestions>,
  params: ElicitRequestParams,
): Promise<ElicitResult> {
  const [first, ...others] = calls;
  const isOfOneRun = others.every(({ threadId }) => threadId === first?.threadId);
  return first && isOfOneRun ? await first.ask(params, others) : { action: "decline" };
}

async function closeEntry({ opening, listing }: Entry): Promise<void> {
  const connection = await opening.catch(() => undefined);
  await connection?.close();
  await listing;
}
