import { sql } from "kysely";
import type { Store } from "../../storage/database.js";
import { toJson } from "../api/json.js";
import type { ServerTables } from "../schema.js";
import type { Signals } from "./signals.js";

/** How long events are gathered before they are written, in milliseconds. */
const GATHERING_MS = 50;

/** Rows of one insertion. */
const BATCH = 100;

/** Characters of a run's events that are held in memory, beside those that are not yet written. */
const MOST_HELD = 2_000_000;

/** Characters that may wait to be written before the run itself waits. */
const MOST_UNWRITTEN = 4_000_000;

/** Newest events of a run that are kept. */
const MOST_KEPT = 10_000;

/** Ids of events that each attempt at a run has for itself, so that what a dead process sent is never told again. */
const IDS_OF_ATTEMPT = 1_000_000;

/** How often a reader looks for news by itself, in milliseconds. */
const POLL_MS = 1_000;

/** Events read at once. */
const PAGE = 200;

/** Bytes of the events that are read at once, beside the last: a reader that is slow holds them all that time. */
const PAGE_BYTES = 1_000_000;

/** An event of a run's stream. */
export interface RunEvent {
  /** Its id: greater than that of every event before it. */
  seq: number;
  event: string;
  /** JSON. */
  data: string;
}

/** Where a process that works on a run puts its events. */
export interface EventLog {
  /** Waits while too much is not yet written. */
  publish: (event: string, data: unknown) => Promise<void>;
  /** Writes what is left. To be called before the run's end is told. */
  end: () => Promise<void>;
}

/** The events of all runs. */
export interface RunEvents {
  /** @param run.isKept whether all events are kept; otherwise only the last one is, which is the run's result */
  begin: (run: { runId: string; attempt: number; isKept: boolean }) => EventLog;
  /**
   * A run's events, from the first after the given id to its end, in whichever process they arise. A reader that is
   * slow is given what is kept.
   */
  read: (options: {
    runId: string;
    after: number;
    signal: AbortSignal;
  }) => AsyncGenerator<RunEvent>;
}

/** Events that a process holds of a run that it works on. */
interface Tail {
  events: RunEvent[];
  /** All events after this id are held. */
  floor: number;
  characters: number;
}

/** Opens the events of the runs of a database. */
export function openRunEvents({
  data,
  signals,
}: {
  data: Store<ServerTables>;
  signals: Signals;
}): RunEvents {
  const tails = new Map<string, Tail>();
  return {
    begin: (run) => beginLog({ data, signals, tails, run }),
    read: (options) => readEvents({ data, signals, tails, ...options }),
  };
}

interface Parts {
  data: Store<ServerTables>;
  signals: Signals;
  tails: Map<string, Tail>;
}

function beginLog({
  data,
  signals,
  tails,
  run: { runId, attempt, isKept },
}: Parts & { run: { runId: string; attempt: number; isKept: boolean } }): EventLog {
  const topic = `run:${runId}`;
  let seq = (attempt - 1) * IDS_OF_ATTEMPT;
  const tail: Tail = { events: [], floor: seq - 1, characters: 0 };
  tails.set(runId, tail);
  let unwritten: RunEvent[] = [];
  let waiting = 0;
  let writing: Promise<void> | undefined;
  let hurry: (() => void) | undefined;

  const write = async () => {
    await new Promise<void>((done) => {
      hurry = done;
      setTimeout(done, GATHERING_MS);
    });
    while (unwritten.length > 0) {
      const batch = unwritten.slice(0, BATCH);
      await insert({ data, runId, events: batch });
      unwritten = unwritten.slice(batch.length);
      waiting -= charactersOf(batch);
      const last = batch.at(-1)?.seq ?? 0;
      trim({ tail, written: last });
      signals.send(topic);
    }
  };
  const writeSoon = () => (writing ??= write().finally(() => (writing = undefined)));
  return {
    publish: async (event, value) => {
      const next = { seq: seq++, event, data: toJson(value) };
      tail.events.push(next);
      tail.characters += next.data.length;
      signals.sendHere(topic);
      if (!isKept) {
        unwritten = [next];
        trim({ tail, written: next.seq });
        return;
      }
      unwritten.push(next);
      waiting += next.data.length;
      const written = writeSoon();
      if (waiting > MOST_UNWRITTEN) await written;
      else written.catch(() => undefined);
    },
    end: async () => {
      try {
        hurry?.();
        await writing;
        for (let at = 0; at < unwritten.length; at += BATCH) {
          await insert({ data, runId, events: unwritten.slice(at, at + BATCH) });
        }
      } finally {
        tails.delete(runId);
      }
    },
  };
}

function charactersOf(events: readonly RunEvent[]): number {
  return events.reduce((sum, { data }) => sum + data.length, 0);
}

/** Lets go of the oldest events that are written, as far as too much is held. */
function trim({ tail, written }: { tail: Tail; written: number }): void {
  while (tail.characters > MOST_HELD) {
    const [oldest] = tail.events;
    if (oldest === undefined || oldest.seq > written) return;
    tail.events.shift();
    tail.characters -= oldest.data.length;
    tail.floor = oldest.seq;
  }
}

async function insert(options: {
  data: Store<ServerTables>;
  runId: string;
  events: readonly RunEvent[];
}): Promise<void> {
  const { data, runId, events } = options;
  const at = Date.now();
  await data.db
    .insertInto("run_events")
    .values(events.map((event) => ({ run_id: runId, ...event, at })))
    // A batch whose answer got lost is written again.
    .onConflict((conflict) => conflict.columns(["run_id", "seq"]).doNothing())
    .execute();
  const newest = events.at(-1)?.seq ?? 0;
  if (newest % IDS_OF_ATTEMPT < MOST_KEPT) return;
  await data.db
    .deleteFrom("run_events")
    .where("run_id", "=", runId)
    .where("seq", "<=", newest - MOST_KEPT)
    .execute();
}

async function* readEvents({
  data,
  signals,
  tails,
  runId,
  after,
  signal,
}: Parts & { runId: string; after: number; signal: AbortSignal }): AsyncGenerator<RunEvent> {
  const news = signals.subscribe(`run:${runId}`);
  signal.addEventListener("abort", news.end, { once: true });
  let last = after;
  try {
    while (!signal.aborted) {
      const tail = tails.get(runId);
      const floor = tail?.floor ?? Number.POSITIVE_INFINITY;
      const isOpen = tail !== undefined || (await isUnderWay({ data, runId }));
      const events =
        last >= floor
          ? (tail?.events.filter(({ seq }) => seq > last) ?? [])
          : await writtenEvents({ data, runId, after: last, to: floor });
      for (const event of events) {
        if (signal.aborted) return;
        yield event;
        last = event.seq;
      }
      if (events.length > 0) continue;
      // All that is written up to there has been read; what follows is held here.
      if (tail && last < floor) last = floor;
      else if (isOpen) await news.next(POLL_MS);
      else return;
    }
  } finally {
    news.end();
  }
}

async function writtenEvents(options: {
  data: Store<ServerTables>;
  runId: string;
  after: number;
  to: number;
}): Promise<RunEvent[]> {
  const { data, runId, after, to } = options;
  const { db } = data;
  const next = db
    .selectFrom("run_events")
    // Both databases know this length without reading the text.
    .select(["seq", sql<number>`octet_length(data)`.as("size")])
    .where("run_id", "=", runId)
    .where("seq", ">", after)
    .$if(Number.isFinite(to), (query) => query.where("seq", "<=", to))
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

async function isUnderWay({ data, runId }: { data: Store<ServerTables>; runId: string }) {
  const run = await data.db
    .selectFrom("runs")
    .select("status")
    .where("run_id", "=", runId)
    .executeTakeFirst();
  return run?.status === "pending" || run?.status === "running";
}
