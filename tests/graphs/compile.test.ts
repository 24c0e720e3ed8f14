import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { openGraph } from "../../graphs/openGraph.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import { openDatabase } from "../../storage/sqlite/sqlite.js";
import { openJournal } from "../../tools/calls/journal/journal.js";
import { RUN_MIGRATIONS } from "../../tools/calls/journal/journalSchema.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

const graphs = await allGraphs();

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

const DOUBLE: Reply = { calls: [{ name: "double_number", args: { value: 21 } }] };

/** A graph on a thread of its own whose model does as the script says after so many observations. */
function threadOf(
  script: (observations: number) => Reply | Promise<Reply>,
  id: GraphId = "naive_tool",
) {
  const graph = compileGraph(graphs[id].wiring, { name: id, checkpointer: new MemorySaver() });
  const { spec: model } = scriptedModel(({ stage, input }: Question) =>
    stage === "act" ? script(input.observations.length) : { text: "" },
  );
  const thread = randomUUID();
  const config = { configurable: { thread_id: thread }, context: { ...TEST_LIBRARY, model } };
  const invoke = async () => (await graph.invoke({ request: "Do it" }, config)) as GraphState;
  return { graph, config, thread, invoke };
}

/** Lets a process of another machine hold the thread that this one holds, or nobody does. */
async function holdElsewhere(thread: string, { beatAt = Date.now() } = {}): Promise<void> {
  const { home } = openWorkspace();
  const other = openJournal({ home });
  onTestFinished(() => other.close());
  const file = join(home, "runs.db");
  const database = openDatabase({ file, migrations: RUN_MIGRATIONS.sqlite });
  database.prepare("DELETE FROM holds WHERE thread_id = ?").run(thread);
  await other.hold(thread);
  database
    .prepare(
      `UPDATE owners SET host = 'elsewhere', pid = 77, beat_at = ?
       WHERE id = (SELECT owner FROM holds WHERE thread_id = ?)`,
    )
    .run(beatAt, thread);
  database.close();
}

async function isFree(thread: string): Promise<boolean> {
  const { journal } = openWorkspace().runtime;
  await (await journal.hold(thread)).release();
  return true;
}

describe("a run of a graph", () => {
  it("waits for another run of this process on its thread, and starts where that one ended", async () => {
    let running = 0;
    let most = 0;
    const { invoke } = threadOf(async (observations) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 100));
      running--;
      return observations === 0 ? DOUBLE : { stop: "It is 42." };
    });
    const ended = await Promise.all([invoke(), invoke()]);
    expect(ended.map(({ status }) => status)).toEqual(["solved", "solved"]);
    expect(most).toBe(1);
    const lengths = ended.map(({ messages }) => messages.length).toSorted((a, b) => a - b);
    expect(lengths[1]).toBe(2 * (lengths[0] ?? 0));
  });

  it("is refused on a thread that another process works on, and asks no model", async () => {
    let asked = 0;
    const { invoke, thread } = threadOf(() => {
      asked++;
      return { stop: "It is 42." };
    });
    await holdElsewhere(thread);
    await expect(invoke()).rejects.toThrow(/process 77 on elsewhere has been working on it since/);
    expect(asked).toBe(0);
  });

  it("takes over a thread whose process has been silent for too long", async () => {
    const { invoke, thread } = threadOf(() => ({ stop: "Nothing is to be done." }));
    await holdElsewhere(thread, { beatAt: 0 });
    expect(await invoke()).toMatchObject({
      answer: expect.stringContaining("Nothing is to be done."),
    });
  });

  it("makes no call once another process has taken its thread over", async () => {
    const { invoke, thread } = threadOf(async () => {
      await holdElsewhere(thread);
      return DOUBLE;
    });
    await expect(invoke()).rejects.toThrow(/held by another run/);
    expect(await openWorkspace().runtime.journal.calls(thread)).toEqual([]);
  });

  it("adds nothing to its thread once another process has taken it over", async () => {
    const { spec: model } = scriptedModel(async ({ stage }: Question) => {
      if (stage === "act") await holdElsewhere(thread);
      return { stop: "It is 42." };
    });
    const thread = randomUUID();
    const graph = await openGraph("naive_tool");
    const config = { configurable: { thread_id: thread }, context: { ...TEST_LIBRARY, model } };
    await expect(graph.invoke({ request: "Do it" }, config)).rejects.toThrow(/held by another run/);
    const { next, values } = await graph.getState(config);
    expect(next).toEqual(["act"]);
    expect(values).toMatchObject({ status: "running", answer: "" });
  });

  it("lets go of its thread when it ends with an error", async () => {
    const { invoke, thread } = threadOf(() => {
      throw new Error("the model is gone");
    });
    await expect(invoke()).rejects.toThrow(/the model is gone/);
    expect(await isFree(thread)).toBe(true);
  });

  it("lets go of its thread while it waits for a person", async () => {
    const write: Reply = { calls: [{ name: "write_line", args: { file: "none", line: "one" } }] };
    const { graph, config, thread } = threadOf(() => write);
    const context = { ...config.context, approval: "writes" };
    const waiting = await graph.invoke({ request: "Do it" }, { ...config, context });
    expect(waiting).toHaveProperty("__interrupt__");
    expect(await isFree(thread)).toBe(true);
  });

  it.each(["reads no further", "cancels it"])(
    "lets go of its thread in the end when whoever reads its stream %s",
    async (how) => {
      const { graph, config, thread } = threadOf((count) =>
        count ? { stop: "It is 42." } : DOUBLE,
      );
      const controller = new AbortController();
      const { signal } = controller;
      const stream = await graph.stream({ request: "Do it" }, { ...config, signal });
      await stream.next();
      if (how === "cancels it") controller.abort();
      await expect.poll(() => isFreeNow(thread), { timeout: 60_000 }).toBe(true);
    },
  );
});

async function isFreeNow(thread: string): Promise<boolean> {
  try {
    return await isFree(thread);
  } catch {
    return false;
  }
}
