import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Checkpoints, type Thread, openCheckpoints } from "../../storage/checkpoints.js";

let home: string;
let opened: Checkpoints[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tulipgraph-checkpoints-"));
  opened = [];
});

afterEach(() => {
  vi.useRealTimers();
  for (const checkpoints of opened) checkpoints.close();
  rmSync(home, { recursive: true, force: true });
});

function open(): Checkpoints {
  const checkpoints = openCheckpoints({ home });
  opened.push(checkpoints);
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

describe("the threads of a home", () => {
  it("are kept with all that is needed to continue them, also for another process", () => {
    open().threads.put(thread("one"));
    expect(open().threads.get("one")).toEqual({
      ...thread("one"),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it("have the settings, the request and the status of their last run", () => {
    const { threads } = open();
    threads.put(thread("one"));
    threads.put(thread("one", { graph: "base", settings: {}, request: "And 7 * 8?" }));
    threads.setStatus("one", "solved");
    expect(threads.list()).toMatchObject([
      { id: "one", graph: "base", settings: {}, request: "And 7 * 8?", status: "solved" },
    ]);
  });

  it("are listed newest first, those of one moment in the order of their start", () => {
    vi.useFakeTimers();
    const { threads } = open();
    for (const id of ["one", "two", "three"]) threads.put(thread(id));
    vi.advanceTimersByTime(1000);
    threads.setStatus("two", "solved");
    expect(threads.list().map(({ id }) => id)).toEqual(["two", "three", "one"]);
  });

  it("are not there before their first run", () => {
    const { threads } = open();
    expect(threads.get("one")).toBeUndefined();
    expect(threads.list()).toEqual([]);
    threads.setStatus("one", "solved");
    expect(threads.list()).toEqual([]);
  });
});

describe("the checkpoints of a home", () => {
  it("let another process continue after the last finished stage", async () => {
    const visits: string[] = [];
    let broken = true;
    const builder = new StateGraph(Annotation.Root({ text: Annotation<string> }))
      .addNode("first", ({ text }) => {
        visits.push("first");
        return { text: `${text} and on` };
      })
      .addNode("second", ({ text }) => {
        visits.push("second");
        if (broken) throw new Error("out of order");
        return { text: `${text} and on` };
      })
      .addEdge(START, "first")
      .addEdge("first", "second")
      .addEdge("second", END);
    const config = { configurable: { thread_id: "one" }, durability: "sync" as const };
    const here = builder.compile({ checkpointer: open().saver });
    await expect(here.invoke({ text: "on" }, config)).rejects.toThrow("out of order");
    broken = false;
    const there = builder.compile({ checkpointer: open().saver });
    expect(await there.invoke(null, config)).toEqual({ text: "on and on and on" });
    expect(visits).toEqual(["first", "second", "second"]);
  });

  it("can be read by their owner only, for conversations are in them", () => {
    open();
    expect(statSync(join(home, "checkpoints.db")).mode & 0o077).toBe(0);
  });
});
