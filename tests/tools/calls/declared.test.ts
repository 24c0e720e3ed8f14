import { afterAll, describe, expect, it } from "vitest";
import { definitionHash } from "../../../tools/library/records/hash.js";
import { createToolRuntime } from "../../../tools/calls/runtime.js";
import type { ToolDefinition, ToolRecord } from "../../../tools/tool.js";
import { temporaryFolder } from "./support.js";

const runtime = createToolRuntime({ home: temporaryFolder() });
afterAll(() => runtime.close());

function record(definition: Partial<ToolDefinition> & { id: string }): ToolRecord {
  const tool: ToolDefinition = {
    name: definition.id,
    description: "",
    parameters: { type: "object", properties: {} },
    source: { kind: "declared", file: "tools.jsonl" },
    effects: "read",
    ...definition,
  };
  return { ...tool, version: 1, hash: definitionHash(tool) };
}

const album = record({
  id: "spotify:GET /albums/{id}",
  name: "GET /albums/{id}",
  parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
});

function run(threadId: string, tool: ToolRecord, args: Record<string, unknown>) {
  return runtime.runCalls({ threadId, timeoutMs: 60_000, calls: [{ id: "c", tool, args }] });
}

describe("a call of a tool that is only described", () => {
  it("is recorded, and answered with a sentence that says so", async () => {
    const [outcome] = await run("told", album, { id: "x" });
    expect(outcome).toMatchObject({ tool: album.id, args: { id: "x" }, status: "done", cost: 0 });
    expect(outcome?.resultText).toMatch(/recorded.*no implementation.*no result/);
    expect(await runtime.journal.calls("told")).toMatchObject([
      { tool: album.id, args: { id: "x" }, status: "done", effects: "read" },
    ]);
  });
});
