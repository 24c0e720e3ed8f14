import { describe, expect, it } from "vitest";
import { slowRuntime } from "../../../eval/oracle/slowTools.js";
import type { CallsToRun, ToolRuntime } from "../../../tools/runtime/runtime.js";
import type { ToolRecord, ToolSource } from "../../../tools/tool.js";
import { toolNamed } from "./support.js";

const ON_WORLD = {
  kind: "function",
  catalog: "work",
  file: "work.ts",
  exportName: "save",
  takesContext: true,
  parameterNames: [],
  callStyle: "positional",
} as unknown as ToolSource;

function callOf(id: string, source?: ToolSource): CallsToRun["calls"][number] {
  const tool: ToolRecord = { ...toolNamed(id), version: 1, hash: id };
  return { id, tool: source ? { ...tool, source } : tool, args: {} };
}

/** Records which calls run at the same time. */
function watchedRuntime() {
  const events: string[] = [];
  const runtime = {
    runCalls: async ({ calls }: CallsToRun) => {
      events.push(...calls.map(({ id }) => `begin ${id}`));
      await new Promise((resolve) => setTimeout(resolve, 1));
      events.push(...calls.map(({ id }) => `end ${id}`));
      return calls.map(({ id }) => ({ id }));
    },
  } as unknown as ToolRuntime;
  return { events, slow: slowRuntime({ runtime, ms: 1 }) };
}

const REQUEST = { threadId: "t", timeoutMs: 1000 };

describe("a runtime with slow tools", () => {
  it("gives the outcomes in the order of the calls", async () => {
    const { slow } = watchedRuntime();
    const calls = [callOf("a", ON_WORLD), callOf("b"), callOf("c", ON_WORLD)];
    const outcomes = await slow.runCalls({ ...REQUEST, calls });
    expect(outcomes).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
  });

  it("makes calls on a world one after another, and waits for each", async () => {
    const { events, slow } = watchedRuntime();
    await slow.runCalls({ ...REQUEST, calls: [callOf("a", ON_WORLD), callOf("b", ON_WORLD)] });
    expect(events).toEqual(["begin a", "end a", "begin b", "end b"]);
  });

  it("ends the waiting with the run", async () => {
    const { events, slow } = watchedRuntime();
    const signal = AbortSignal.abort(new Error("cancelled"));
    await expect(slow.runCalls({ ...REQUEST, calls: [callOf("a")], signal })).rejects.toThrow(
      /aborted/,
    );
    expect(events).toEqual([]);
  });
});
