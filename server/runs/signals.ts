import { EventEmitter } from "node:events";
import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { sql } from "../../storage/kysely.js";
import { makeReady, watchedClient } from "../../storage/postgres/postgresClient.js";
import { isPooled } from "../../storage/postgres/unavailable.js";
import { firstProcess } from "../processes.js";
import type { ServerStore } from "../schema.js";
import { isOpen } from "./runRow.js";

/** The Postgres channel on which the servers of a database notify each other. */
const CHANNEL = "tulipgraph_server";

/** How soon a listener that has lost its connection tries again, in milliseconds. */
const RETRY_MS = 1_000;

/** How often a listener asks something, in milliseconds, because nothing else would tell that its connection hangs. */
const ASK_MS = 10_000;

/** How often a process looks at the runs that somebody waits for, in milliseconds. */
const LOOK_MS = 1_000;

/** Topics in one notification, which Postgres limits to 8,000 bytes. */
const MOST_TOPICS = 100;

/**
 * Signals that something has changed, to this process, to those of the same port and, on Postgres, to all others.
 * Signals may be lost while a database is away, and on SQLite none reaches a server of another port. So the runs that
 * somebody waits for are also looked at from time to time, all at once, and those who wait for anything else look by
 * themselves.
 */
export type Signals = ReturnType<typeof openSignals>;

/** Opens the signals of the servers that share a database. */
export function openSignals({ data, url }: { data: ServerStore; url?: string }) {
  const emitter = new EventEmitter().setMaxListeners(0);
  const sendHere = (topic: string) => void emitter.emit(topic);
  const others = url === undefined ? ofThisPort(sendHere) : ofDatabase(data, url, emitter);
  const looking = setInterval(lookAtRuns(data, emitter), LOOK_MS).unref();
  const unsent = new Set<string>();
  const sendAll = () => {
    const topics = [...unsent];
    unsent.clear();
    for (let from = 0; from < topics.length; from += MOST_TOPICS)
      others.send(topics.slice(from, from + MOST_TOPICS));
  };
  const sendAway = (topic: string) => {
    // What is signalled in one turn of the event loop is sent together.
    if (unsent.size === 0) setImmediate(sendAll);
    unsent.add(topic);
  };
  return {
    /** Only within this process. */
    sendHere,
    /** Only to the others. */
    sendAway,
    /** @param topic `queue`, `cancel`, `run:<id>` or `thread:<id>` */
    send: (topic: string) => {
      sendHere(topic);
      sendAway(topic);
    },
    /** A subscription also notices signals that are sent between two waits. */
    subscribe: (topic: string) => subscribe(emitter, topic),
    close: async () => {
      clearInterval(looking);
      sendAll();
      await others.close();
    },
  };
}

interface Others {
  send: (topics: readonly string[]) => void;
  close: () => Promise<void>;
}

/** The other processes of `serve --processes`; without these, nobody. */
function ofThisPort(sendHere: (topic: string) => void): Others {
  const first = firstProcess();
  const end = first?.onSignal(sendHere);
  return { send: (topics) => first?.send(topics), close: async () => end?.() };
}

function ofDatabase(data: ServerStore, url: string, emitter: EventEmitter): Others {
  const own = randomUUID();
  const { close } = listen(url, emitter, own);
  return {
    close,
    send: (topics) => {
      const notify = sql`SELECT pg_notify(${CHANNEL}, ${[own, ...topics].join(" ")})`;
      // Those who miss it look by themselves.
      notify.execute(data.db).catch(() => undefined);
    },
  };
}

/** Signals the runs that have changed since they were last looked at. */
function lookAtRuns(data: ServerStore, emitter: EventEmitter): () => void {
  let seen = new Map<string, string>();
  let looking: Promise<void> | undefined;
  const look = async () => {
    const topics = emitter.eventNames().map(String);
    const ids = topics
      .filter((topic) => topic.startsWith(RUN))
      .map((topic) => topic.slice(RUN.length));
    if (ids.length === 0) return;
    const found = await runStates(data, ids);
    const changed = ids.filter((id) => (seen.get(id) ?? NOTHING) !== (found.get(id) ?? GONE));
    seen = new Map(ids.map((id) => [id, found.get(id) ?? GONE]));
    for (const id of changed) emitter.emit(RUN + id);
  };
  // If the database is away, the next look catches up.
  const tryLook = () => look().catch(() => undefined);
  return () => void (looking ??= tryLook().finally(() => (looking = undefined)));
}

/** What the topics of runs begin with. */
const RUN = "run:";

const GONE = "gone";

/** The state of an open run without events. */
const NOTHING = "";

/** Whether runs are open, and their newest events. */
async function runStates(data: ServerStore, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await data.db
    .selectFrom("runs")
    .select(["run_id", "status"])
    .select((run) =>
      run
        .selectFrom("run_events")
        .select(({ fn }) => fn.max("seq").as("seq"))
        .whereRef("run_events.run_id", "=", "runs.run_id")
        .as("newest"),
    )
    .where("run_id", "in", ids)
    .execute();
  return new Map(
    rows.map((run) => [run.run_id, `${isOpen(run) ? NOTHING : run.status}${run.newest ?? ""}`]),
  );
}

function subscribe(emitter: EventEmitter, topic: string) {
  let isTold = false;
  let wake: (() => void) | undefined;
  const tell = () => {
    isTold = true;
    wake?.();
  };
  emitter.on(topic, tell);
  return {
    /** Waits for the next signal, but no longer than this. */
    next: async (ms?: number) => {
      if (!isTold)
        await new Promise<void>((done) => {
          const timer = ms === undefined ? undefined : setTimeout(done, ms);
          wake = () => {
            clearTimeout(timer);
            done();
          };
        });
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
  const Watched = watchedClient();
  const connect = async () => {
    const fresh = new Watched({ connectionString: url });
    client = fresh;
    const retry = () => {
      if (client !== fresh || isClosed) return;
      client = undefined;
      timer = setTimeout(() => void connect(), RETRY_MS);
    };
    const ask = async () => {
      await fresh.query("SELECT 1");
      if (client === fresh) timer = setTimeout(() => void ask().catch(retry), ASK_MS).unref();
    };
    fresh.on("error", retry);
    fresh.on("end", retry);
    fresh.on("notification", ({ payload = "" }) => {
      const [sender, ...topics] = payload.split(" ");
      if (sender !== own) for (const topic of topics) emitter.emit(topic);
    });
    try {
      await fresh.connect();
      await makeReady(fresh);
      if (isPooled(fresh)) {
        // What others notify reaches no client of a pooler; runs are looked at anyway.
        client = undefined;
        await fresh.end();
        return;
      }
      await fresh.query(`LISTEN ${CHANNEL}`);
      // Signals may have been missed meanwhile.
      for (const topic of emitter.eventNames()) emitter.emit(topic);
      await ask();
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
