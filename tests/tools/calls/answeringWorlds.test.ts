import { afterAll, describe, expect, it } from "vitest";
import { definitionHash } from "../../../tools/library/records/hash.js";
import { createToolRuntime } from "../../../tools/calls/runtime.js";
import { defineWorld } from "../../../tools/calls/worlds/worlds.js";
import type { ToolDefinition, ToolRecord } from "../../../tools/tool.js";
import { COUNTER, temporaryFolder } from "./support.js";

/** Knows how often it was asked, and answers every second question with an error. */
const BELL = defineWorld<{ rung: string[] }>({
  name: "bell",
  create: () => ({ rung: [] }),
  save: (world) => world,
  load: (saved) => saved as { rung: string[] },
  answer(world, { tool, args }) {
    world.rung.push(`${tool} ${String(args["by"])}`);
    const count = world.rung.length;
    return count % 2 === 0 ? { error: `BellError: stuck after ${count}` } : { result: { count } };
  },
});

/** Takes an hour for each call. */
const SLOW = defineWorld({
  name: "slow",
  create: () => ({}),
  save: (world) => world,
  load: (saved) => saved as object,
  answer: () => ({ result: "late", ms: 3_600_000.4 }),
});

const home = temporaryFolder();
const runtime = createToolRuntime({ home, worlds: [BELL, SLOW, COUNTER] });
afterAll(() => runtime.close());

function declared(world: string): ToolRecord {
  const tool: ToolDefinition = {
    id: "ring",
    name: "ring",
    description: "",
    parameters: { type: "object", properties: { by: { type: "string", default: "hand" } } },
    source: { kind: "declared", file: "tools.jsonl", world },
    effects: "read",
    cost: 3,
  };
  return { ...tool, version: 1, hash: definitionHash(tool) };
}

function ring(threadId: string, ids: string[], { world = "bell" } = {}) {
  const calls = ids.map((id) => ({ id, tool: declared(world), args: {} }));
  return runtime.runCalls({ threadId, timeoutMs: 60_000, calls });
}

describe("a call of a declared tool that names a world", () => {
  it("is answered by the world, which gets the tool and its arguments with defaults", async () => {
    const [outcome] = await ring("answered", ["a"]);
    expect(outcome).toMatchObject({ status: "done", result: { count: 1 }, cost: 3 });
    const { world } = await runtime.worlds.open({ name: "bell", runId: "answered" });
    expect(world).toEqual({ rung: ["ring hand"] });
  });

  it("fails with the world's error, and changes of the world are still kept", async () => {
    const outcomes = await ring("failing", ["a", "b", "c"]);
    expect(outcomes).toMatchObject([
      { status: "done", result: { count: 1 } },
      { status: "error", error: "BellError: stuck after 2", cost: 3 },
      { status: "done", result: { count: 3 } },
    ]);
    const entries = await runtime.journal.calls("failing");
    expect(entries.map(({ status }) => status)).toEqual(["done", "error", "done"]);
  });

  it("takes as long as the world says, and nobody waits for it", async () => {
    const [outcome] = await ring("slow", ["a"], { world: "slow" });
    expect(outcome).toMatchObject({ status: "done", result: "late", ms: 3_600_000 });
    expect(await runtime.journal.calls("slow")).toMatchObject([{ ms: 3_600_000 }]);
  });

  it("is an error that names the worlds that answer calls, when this one does not", async () => {
    const [outcome] = await ring("mute", ["a"], { world: "counter" });
    expect(outcome?.status).toBe("error");
    expect(outcome?.error).toMatch(/unknown world that answers calls "counter".*bell, slow/);
  });
});
