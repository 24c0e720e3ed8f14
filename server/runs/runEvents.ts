import { jsonWithoutOwnSecrets } from "../../common/secrets.js";
import { sql } from "../../storage/kysely.js";
import { toJson } from "../api/requests.js";
import type { ServerStore, ServerTransaction } from "../schema.js";
import type { TakenRun } from "./queueRows.js";
import { isOpen, orderOf, runRow } from "./runRow.js";
import type { Signals } from "./signals.js";

/** How long events are collected before they are written, in milliseconds. */
const COLLECTING_MS = 50;

/** Rows per insertion. */
const BATCH = 100;

/** Characters that may wait to be written before the run itself has to wait. */
const MOST_UNWRITTEN = 4_000_000;

/** The newest events of a run are kept, up to this number. */
const MOST_KEPT = 10_000;

/** Each attempt at a run has its own range of event ids, so that ids which a dead process sent are never used again. */
const IDS_OF_ATTEMPT = 1_000_000;

/** Ids that begin with a time: no run has more events in the time that it takes. */
const IDS_OF_MILLISECOND = 1_000;

/** Events read at once. */
const PAGE = 200;

/** Bytes of the events read at once, not counting the last: a slow reader holds them in memory. */
const PAGE_BYTES = 1_000_000;

/** An event of a run's stream. */
export interface RunEvent {
  /** Its id: greater than that of every event before it. */
  seq: number;
  event: string;
  /** JSON. */
  data: string;
}

/** Takes the events of a run that this process works on. */
export type EventLog = ReturnType<typeof beginLog>;

/** The events of all runs. */
export type RunEvents = ReturnType<typeof openRunEvents>;

/** Opens the events of the runs of a database. */
export function openRunEvents(parts: { data: ServerStore; signals: Signals }) {
  return {
    begin: async (options: BegunLog) =>
      beginLog({ ...parts, ...options, first: await firstId(parts.data, options.run) }),
    /**
     * A run's events after the given id, until the run ends, whichever process works on it. A slow reader may miss events
     * that are no longer kept.
     */
    read: (wanted: { runId: string; after: number; signal: AbortSignal }) =>
      readEvents({ ...parts, ...wanted }),
  };
}

/** The id of the first event of an attempt. A run that was given back goes on with the same attempt. */
async function firstId({ db, now }: ServerStore, run: TakenRun): Promise<number> {
  // Those of the protocol rise from run to run of a thread.
  const first = orderOf(run).is_protocol
    ? Math.floor(await now()) * IDS_OF_MILLISECOND
    : (run.attempts - 1) * IDS_OF_ATTEMPT;
  if (!run.hasBegun) return first;
  const newest = db.selectFrom("run_events").select(({ fn }) => fn.max("seq").as("last"));
  const row = await newest.where("run_id", "=", run.run_id).executeTakeFirst();
  return Math.max(first, (row?.last ?? -1) + 1);
}

interface BegunLog {
  run: TakenRun;
  /** All events are kept, and not only the last one, which is the run's result. */
  isKept: boolean;
  /** Whether the run is still this process's own; once it is not, nothing more is written. */
  isOwn: () => Promise<boolean>;
}

function beginLog(options: BegunLog & { data: ServerStore; signals: Signals; first: number }) {
  const { data, signals, isKept, isOwn } = options;
  const { run_id: runId } = options.run;
  let seq = options.first;
  let unwritten: RunEvent[] = [];
  let waiting = 0;
  let writing: Promise<void> | undefined;
  let hurry: (() => void) | undefined;

  const writeAll = async (most = 0) => {
    while (unwritten.length > most) {
      if (!(await isOwn())) {
        unwritten = [];
        return;
      }
      const batch = unwritten.slice(0, BATCH);
      for (const query of addedEvents(data.db, runId, batch)) await data.together(query);
      unwritten = unwritten.slice(batch.length);
      waiting -= batch.reduce((sum, { data }) => sum + data.length, 0);
      signals.send(`run:${runId}`);
    }
  };
  const write = async () => {
    await new Promise<void>((done) => {
      hurry = done;
      setTimeout(done, COLLECTING_MS);
    });
    await writeAll();
  };
  const writeNow = async (most: number) => {
    hurry?.();
    await writing;
    await writeAll(most);
    return unwritten;
  };
  const writeSoon = () => (writing ??= write().finally(() => (writing = undefined)));
  return {
    /** Waits if too much is not yet written. */
    publish: async (event: string, value: unknown) => {
      const next = { seq: seq++, event, data: jsonWithoutOwnSecrets(toJson(value)) };
      if (!isKept) {
        unwritten = [next];
        return;
      }
      unwritten.push(next);
      waiting += next.data.length;
      const written = writeSoon();
      if (waiting > MOST_UNWRITTEN) await written;
      else written.catch(() => undefined);
    },
    /** Writes what is left. */
    end: async () => void (await writeNow(0)),
    /** Writes what is left, too, but for the last events, which are to be written with the run's end. */
    rest: (): Promise<readonly RunEvent[]> => writeNow(BATCH),
  };
}

/** Queries that write events of a run, at most a batch. */
export function addedEvents(db: ServerTransaction, runId: string, events: readonly RunEvent[]) {
  if (events.length === 0) return [];
  const at = Date.now();
  const added = db
    .insertInto("run_events")
    .values(events.map((event) => ({ run_id: runId, ...event, at })))
    // If the answer to an insertion was lost, the batch is written again.
    .onConflict((conflict) => conflict.columns(["run_id", "seq"]).doNothing());
  const newest = events.at(-1)?.seq ?? 0;
  if (newest % IDS_OF_ATTEMPT < MOST_KEPT) return [added];
  const old = db
    .deleteFrom("run_events")
    .where("run_id", "=", runId)
    .where("seq", "<=", newest - MOST_KEPT);
  return [added, old];
}

async function* readEvents(options: {
  data: ServerStore;
  signals: Signals;
  runId: string;
  after: number;
  signal: AbortSignal;
}): AsyncGenerator<RunEvent> {
  const { data, signals, runId, after, signal } = options;
  const news = signals.subscribe(`run:${runId}`);
  signal.addEventListener("abort", news.end, { once: true });
  let last = after;
  try {
    while (!signal.aborted) {
      // Asked first: what is written before a run's end is read after it.
      const run = await runRow(data, runId);
      const events = await writtenEvents(data, runId, last);
      for (const event of events) {
        if (signal.aborted) return;
        yield event;
        last = event.seq;
      }
      if (events.length > 0) continue;
      if (!run || !isOpen(run)) return;
      await news.next();
    }
  } finally {
    news.end();
  }
}

async function writtenEvents({ db }: ServerStore, runId: string, after: number) {
  const next = db
    .selectFrom("run_events")
    // Both databases can tell this length without reading the text.
    .select(["seq", sql<number>`octet_length(data)`.as("size")])
    .where("run_id", "=", runId)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(PAGE)
    .as("next");
  const counted = db
    .selectFrom(next)
    .select(["seq", sql<number>`sum(size) OVER (ORDER BY seq) - size`.as("before")])
    .as("counted");
  return await db
    .selectFrom("run_events")
    .select(["seq", "event", "data"])
    .where("run_id", "=", runId)
    .where("seq", "in", db.selectFrom(counted).select("seq").where("before", "<", PAGE_BYTES))
    .orderBy("seq")
    .execute();
}
