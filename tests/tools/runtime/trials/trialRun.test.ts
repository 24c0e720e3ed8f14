import { afterAll, describe, expect, it } from "vitest";
import { createToolRuntime } from "../../../../tools/runtime/runtime.js";
import type { ToolRecord } from "../../../../tools/tool.js";
import { CATALOGS, COUNTER, counterTool, NUMBER, temporaryFolder, toolRecord } from "../support.js";

const runtime = createToolRuntime({
  home: temporaryFolder(),
  catalogs: CATALOGS,
  worlds: [COUNTER],
});
afterAll(() => runtime.close());

const increase = counterTool("increase", {
  properties: { by: NUMBER, ms: { type: "number", default: 1 } },
});
const callIncrease = { id: "1", tool: increase, args: { by: 2 } };

function open() {
  return runtime.openTrial({ threadId: "trial", timeoutMs: 60_000 });
}

describe("a trial of calls", () => {
  it("lets calls find what earlier calls have changed", async () => {
    const trial = await open();
    const results = [await trial.call(callIncrease), await trial.call(callIncrease)];
    expect(results.map(({ result }) => result)).toEqual([2, 4]);
  });

  it("leaves neither a change of the world nor a line in the journal", async () => {
    await (await open()).call(callIncrease);
    expect((await (await open()).call(callIncrease)).result).toBe(2);
    expect(await runtime.journal.calls("trial")).toEqual([]);
    expect((await runtime.worlds.open({ name: "counter", runId: "trial" })).world).toEqual({
      value: 0,
      history: [],
    });
  });

  it("can run tools that only read or act on a world, not those that write elsewhere or are only declared", async () => {
    const declared = {
      ...toolRecord("declared", { effects: "read" }),
      source: { kind: "declared", file: "tools.jsonl" },
    } satisfies ToolRecord;
    const tools = [
      increase,
      toolRecord("add", { effects: "read" }),
      toolRecord("append"),
      declared,
    ];
    const trial = await open();
    expect(tools.map((tool) => trial.canRun(tool))).toEqual([true, true, false, false]);
  });
});
