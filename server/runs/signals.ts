import { EventEmitter } from "node:events";
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { sql } from "../../storage/kysely.js";
import type { ServerStore } from "../schema.js";

/** The Postgres channel on which the servers of a database notify each other. */
const CHANNEL = "tulipgraph_server";

/** How soon a listener that has lost its connection tries again, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Signals that something has changed, within the process and, on Postgres, to all other processes. Signals may be lost
 * while a database is away, and on SQLite none reaches another process, so those who wait also look from time to time.
 */
export interface Signals {
  /** @param topic `queue`, `cancel` or `run:<id>` */
  send: (topic: string) => void;
  /** Only within this process. */
  sendHere: (topic: string) => void;
  /** A subscription also notices signals that are sent between two waits. */
  subscribe: (topic: string) => Subscription;
  close: () => Promise<void>;
}

interface Subscription {
  /** Waits for the next signal, but no longer than this. */
  next: (ms: number) => Promise<void>;
  end: () => void;
}

/** Opens the signals of the servers that share a database. */
export function openSignals({ data, url }: { data: ServerStore; url?: string }): Signals {
  const emitter = new EventEmitter().setMaxListeners(0);
  const own = randomUUID();
  const sendHere = (topic: string) => void emitter.emit(topic);
  const listener = url === undefined ? undefined : listen(url, emitter, own);
  return {
    sendHere,
    send: (topic) => {
      sendHere(topic);
      if (listener === undefined) return;
      const notify = sql`SELECT pg_notify(${CHANNEL}, ${`${own} ${topic}`})`;
      // Those who miss it look by themselves.
      notify.execute(data.db).catch(() => undefined);
    },
    subscribe: (topic) => subscribe(emitter, topic),
    close: async () => await listener?.close(),
  };
}

function subscribe(emitter: EventEmitter, topic: string): Subscription {
  let isTold = false;
  let wake: (() => void) | undefined;
  const tell = () => {
    isTold = true;
    wake?.();
  };
  emitter.on(topic, tell);
  return {
    next: async (ms) => {
      if (!isTold) {
        await new Promise<void>((done) => {
          const timer = setTimeout(done, ms);
          wake = () => {
            clearTimeout(timer);
            done();
          };
        });
      }
      isTold = false;
      wake = undefined;
    },
    end: () => {
      emitter.off(topic, tell);
      tell();
    },
  };
}

/** Listens on a connection of its own, and reconnects whenever it breaks. */
function listen(url: string, emitter: EventEmitter, own: string) {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const connect = async () => {
    const fresh = new Client({ connectionString: url });
    client = fresh;
    const retry = () => {
      if (client !== fresh || isClosed) return;
      client = undefined;
      timer = setTimeout(() => void connect(), RETRY_MS);
    };
    fresh.on("error", retry);
    fresh.on("end", retry);
    fresh.on("notification", ({ payload = "" }) => {
      const [sender, topic = ""] = payload.split(" ");
      if (sender !== own) emitter.emit(topic);
    });
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
      // Signals may have been missed meanwhile.
      for (const topic of emitter.eventNames()) emitter.emit(topic);
    } catch {
      retry();
    }
  };
  void connect();
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
