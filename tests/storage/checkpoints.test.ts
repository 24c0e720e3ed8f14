import { statSync } from "node:fs";
import { join } from "node:path";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { uuid6 } from "@langchain/langgraph-checkpoint";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type Checkpoints,
  type Thread,
  openCheckpoints,
} from "../../storage/checkpoints/checkpoints.js";
import { type DataPlace, type StoreMigrations, openStore } from "../../storage/database.js";
import { hasPostgres, inEachHome, newDatabase, newHome } from "../fakes/homes.js";

afterEach(() => {
  vi.useRealTimers();
});

function open(place: DataPlace, require?: () => Promise<void>): Checkpoints {
  const checkpoints = openCheckpoints({
    place,
    ...(require && { permit: { key: "thread_id", require } }),
  });
  onTestFinished(() => checkpoints.close());
  return checkpoints;
}

function thread(id: string, changes: Partial<Thread> = {}): Omit<Thread, "updatedAt"> {
  const settings = { library: "math", topK: 3 };
  return {
    id,
    graph: "cot_tulip",
    settings,
    request: "What is 6 * 7?",
    status: "running",
    ...changes,
  };
}

inEachHome("the threads of a home", (newPlace) => {
  it("are kept with all that is needed to continue them, also for another process", async () => {
    const place = await newPlace();
    await open(place).threads.put(thread("one"));
    expect(await open(place).threads.get("one")).toEqual({
      ...thread("one"),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it("are listed newest first", async () => {
    const { threads } = open(await newPlace());
    for (const id of ["one", "two", "three"]) await threads.put(thread(id));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await threads.setStatus("two", "solved");
    expect((await threads.list()).map(({ id }) => id)).toEqual(["two", "three", "one"]);
  });
});

const visits: string[] = [];

/** Two stages that each go on with a text; the second one can be out of order. */
function twoStages(isBroken: boolean) {
  return new StateGraph(Annotation.Root({ text: Annotation<string> }))
    .addNode("first", ({ text }) => {
      visits.push("first");
      return { text: `${text} and on` };
    })
    .addNode("second", ({ text }) => {
      visits.push("second");
      if (isBroken) throw new Error("out of order");
      return { text: `${text} and on` };
    })
    .addEdge(START, "first")
    .addEdge("first", "second")
    .addEdge("second", END);
}

const config = { configurable: { thread_id: "one" }, durability: "sync" as const };

inEachHome("the checkpoints of a home", (newPlace) => {
  it("let another process continue after the last finished stage", async () => {
    visits.length = 0;
    const place = await newPlace();
    const here = twoStages(true).compile({ checkpointer: open(place).saver });
    await expect(here.invoke({ text: "on" }, config)).rejects.toThrow("out of order");
    const there = twoStages(false).compile({ checkpointer: open(place).saver });
    expect(await there.invoke(null, config)).toEqual({ text: "on and on and on" });
    expect(visits).toEqual(["first", "second", "second"]);
  });

  it("keep any text, in messages and in metadata", async () => {
    const { saver } = open(await newPlace());
    const graph = twoStages(false).compile({ checkpointer: saver });
    const text = "a\0b \ud83d";
    await graph.invoke({ text }, { ...config, metadata: { note: text } });
    const { values, metadata } = await graph.getState(config);
    expect(values).toEqual({ text: `${text} and on and on` });
    expect(metadata).toMatchObject({ source: "loop", step: 2 });
  });

  it("keep the branches of a thread apart", async () => {
    const { saver } = open(await newPlace());
    const graph = twoStages(false).compile({ checkpointer: saver });
    await graph.invoke({ text: "one" }, config);
    const history = [];
    for await (const state of graph.getStateHistory(config)) history.push(state);
    const begun = history.find(({ next }) => next[0] === "first");
    const fork = await graph.updateState(begun?.config ?? {}, { text: "two" }, START);
    expect(await graph.invoke(null, fork)).toEqual({ text: "two and on and on" });
    expect((await graph.getState(history[0]?.config ?? {})).values).toEqual({
      text: "one and on and on",
    });
    expect((await graph.getState(config)).values).toEqual({ text: "two and on and on" });
  });

  it("keep lists of any length, and what is in them", async () => {
    const place = await newPlace();
    const notes: unknown[] = [{ __piece: "none" }, [["nested"]], null, "x".repeat(500), []];
    for (let at = 0; at < 1_500; at += 1)
      notes.push({ at, text: "a note of some length".repeat(10) });
    const lists = growing(notes).compile({ checkpointer: open(place).saver });
    await lists.invoke({ notes: [] }, config);
    const there = growing(notes).compile({ checkpointer: open(place).saver });
    expect((await there.getState(config)).values).toEqual({ notes });
    const lengths = [];
    for await (const { values } of there.getStateHistory(config)) {
      expect(values).toEqual({ notes: notes.slice(0, lengthOf(values)) });
      lengths.push(lengthOf(values));
    }
    expect(lengths.slice(0, 3)).toEqual([1_505, 1_500, 1_400]);
  });

  it.each([
    ["here", false],
    ["by another process", true],
  ])("keep nothing of a thread that was removed %s", async (_, byAnother) => {
    const place = await newPlace();
    const { saver } = open(place);
    const graph = twoStages(false).compile({ checkpointer: saver });
    const text = "a long text ".repeat(100);
    await graph.invoke({ text }, config);
    await (byAnother ? open(place).saver : saver).deleteThread("one");
    expect(await saver.getTuple(config)).toBeUndefined();
    expect(await graph.invoke({ text }, config)).toEqual({ text: `${text} and on and on` });
    const there = twoStages(false).compile({ checkpointer: open(place).saver });
    expect((await there.getState(config)).values).toEqual({ text: `${text} and on and on` });
  });

  it("take nothing more from a run that has lost its thread", async () => {
    const place = await newPlace();
    const mine = open(place, async () => {
      throw new Error("it has lost its thread");
    });
    const graph = twoStages(false).compile({ checkpointer: mine.saver });
    await expect(graph.invoke({ text: "on" }, config)).rejects.toThrow("it has lost its thread");
    expect(await open(place).saver.getTuple(config)).toBeUndefined();
  });
});

/** A checkpoint as LangGraph's own savers have stored it in homes of earlier versions. */
const CHECKPOINT = "1f0f0000-0000-6000-8000-000000000000";
const metadata = JSON.stringify({ source: "loop", step: 1, parents: {} });
const bare = {
  v: 4,
  id: CHECKPOINT,
  ts: "2026-01-01",
  channel_versions: { text: 1 },
  versions_seen: {},
};
const threads = (number: string) =>
  `CREATE TABLE threads (id text PRIMARY KEY, graph text NOT NULL, settings text NOT NULL, request text NOT NULL, status text NOT NULL, updated_at text NOT NULL${number})`;
const tables = (names: [checkpoints: string, writes: string], json: string, bytes: string) => [
  `CREATE TABLE ${names[0]} (thread_id text, checkpoint_ns text, checkpoint_id text, parent_checkpoint_id text, type text, checkpoint ${json}, metadata ${json}, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id))`,
  `CREATE TABLE ${names[1]} (thread_id text, checkpoint_ns text, checkpoint_id text, task_id text, idx integer, channel text, type text, ${bytes}, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx))`,
];
const EARLIER: StoreMigrations = {
  sqlite: [
    [
      threads(""),
      ...tables(["checkpoints", "writes"], "blob", "value blob"),
      `INSERT INTO checkpoints VALUES ('one', '', '${CHECKPOINT}', NULL, 'json', '${JSON.stringify({ ...bare, channel_values: { text: "long ago" } })}', '${metadata}')`,
      `INSERT INTO writes VALUES ('one', '', '${CHECKPOINT}', 't1', 0, 'text', 'json', '"more"')`,
    ],
  ],
  postgres: [
    [
      threads(", seq bigserial"),
      ...tables(["checkpoints", "checkpoint_writes"], "jsonb", "blob bytea"),
      `CREATE TABLE checkpoint_blobs (thread_id text, checkpoint_ns text, channel text, version text, type text, blob bytea, PRIMARY KEY (thread_id, checkpoint_ns, channel, version))`,
      `INSERT INTO checkpoints VALUES ('one', '', '${CHECKPOINT}', NULL, NULL, '${JSON.stringify(bare)}', '${metadata}')`,
      `INSERT INTO checkpoint_blobs VALUES ('one', '', 'text', '1', 'json', '"long ago"')`,
      `INSERT INTO checkpoint_writes VALUES ('one', '', '${CHECKPOINT}', 't1', 0, 'text', 'json', '"more"')`,
    ],
  ],
};

inEachHome("the checkpoints of a home of an earlier version", (newPlace) => {
  it("are read as they were stored, and the thread goes on from them", async () => {
    const place = await newPlace();
    const old = openStore({ place, store: "checkpoints", migrations: EARLIER });
    await old.now();
    await old.transaction(async () => undefined);
    await old.close();
    const { saver } = open(place);
    const tuple = await saver.getTuple(config);
    expect(tuple).toMatchObject({
      checkpoint: { ...bare, channel_values: { text: "long ago" } },
      metadata: JSON.parse(metadata),
      pendingWrites: [["t1", "text", "more"]],
    });
    const graph = twoStages(false).compile({ checkpointer: saver });
    expect(await graph.invoke({ text: "and now" }, config)).toEqual({
      text: "and now and on and on",
    });
  });
});

/** A stage that notes something, until everything is noted. */
function growing(notes: readonly unknown[]) {
  const State = Annotation.Root({
    notes: Annotation<unknown[]>({
      reducer: (one, other) => [...one, ...other],
      default: () => [],
    }),
  });
  const next = ({ notes: noted }: typeof State.State) =>
    notes.slice(noted.length, noted.length + 100);
  return new StateGraph(State)
    .addNode("note", (state) => ({ notes: next(state) }))
    .addEdge(START, "note")
    .addConditionalEdges("note", (state) => (next(state).length > 0 ? "note" : END));
}

function lengthOf({ notes = [] }: { notes?: unknown[] }): number {
  return notes.length;
}

/** What a thread stores that adds so many notes to its state. */
async function bytesStored(count: number): Promise<number> {
  const home = newHome();
  const notes = Array.from({ length: count }, (_, at) => `${at} `.repeat(100));
  const { saver } = open({ home });
  const graph = growing(notes).compile({ checkpointer: saver });
  await graph.invoke({ notes: [] }, { ...config, recursionLimit: 100 });
  const files = ["checkpoints.db", "checkpoints.db-wal"].map((name) => join(home, name));
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

describe("the checkpoints of a folder", () => {
  it("grow with what a thread adds to its state, not with what is there", async () => {
    expect(await bytesStored(4_000)).toBeLessThan(5 * (await bytesStored(1_000)));
  });

  it("can only be read by their owner, because they contain conversations", async () => {
    const home = newHome();
    await open({ home }).threads.list();
    expect(statSync(join(home, "checkpoints.db")).mode & 0o077).toBe(0);
  });
});

describe.skipIf(!hasPostgres)("the checkpoints of a database", () => {
  it("are newest first as they were stored, even if a machine's clock is behind", async () => {
    const { saver } = open({ home: newHome(), url: await newDatabase() });
    const stored = async (at: string) => {
      vi.setSystemTime(new Date(at));
      const id = uuid6(0);
      const checkpoint = { v: 4, id, ts: at, channel_values: {}, channel_versions: {} };
      const metadata = { source: "loop", step: 1, parents: {} } as const;
      await saver.put(
        { configurable: { thread_id: "one", checkpoint_ns: "" } },
        { ...checkpoint, versions_seen: {} },
        metadata,
        {},
      );
      return id;
    };
    vi.useFakeTimers({ toFake: ["Date"] });
    const ahead = await stored("2030-01-01T00:01:00Z");
    const behind = await stored("2030-01-01T00:00:00Z");
    expect(behind < ahead).toBe(true);
    const idsOf = async (before?: string) => {
      const ids = [];
      const options = before ? { before: { configurable: { checkpoint_id: before } } } : {};
      for await (const { checkpoint } of saver.list(config, options)) ids.push(checkpoint.id);
      return ids;
    };
    expect((await saver.getTuple(config))?.checkpoint.id).toBe(behind);
    expect(await idsOf()).toEqual([behind, ahead]);
    expect(await idsOf(behind)).toEqual([ahead]);
  });

  it("are set up once by processes that start together", async () => {
    const url = await newDatabase();
    const all = Array.from({ length: 3 }, () => open({ home: newHome(), url }));
    expect(await Promise.all(all.map(({ saver }) => saver.getTuple(config)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
