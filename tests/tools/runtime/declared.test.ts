import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { definitionHash } from "../../../tools/library/records/hash.js";
import { createToolRuntime } from "../../../tools/runtime/runtime.js";
import { wireNames } from "../../../tools/runtime/calls/wireNames.js";
import { readSource } from "../../../tools/sources/index.js";
import type { ToolDefinition, ToolRecord } from "../../../tools/tool.js";
import { temporaryFolder } from "./support.js";

const BENCH = fileURLToPath(new URL("../../../../shared/bench/", import.meta.url));

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

  it("gets the same answer for any tool and arguments", async () => {
    const [first] = await run("same", album, { id: "x" });
    const [second] = await run("other", record({ id: "a b/c", cost: 2 }), {});
    expect(second?.result).toBe(first?.result);
    expect(second?.cost).toBe(2);
  });

  it("is answered from the journal when it comes again", async () => {
    await run("again", album, { id: "x" });
    expect(await run("again", album, { id: "x" })).toMatchObject([
      { status: "done", replayed: true },
    ]);
    expect(await runtime.journal.calls("again")).toHaveLength(1);
  });

  it("is checked against its parameters, and not recorded when they do not fit", async () => {
    const [outcome] = await run("invalid", album, { id: 3 });
    expect(outcome).toMatchObject({
      status: "invalid",
      error: "`id` must be a text, got the number 3",
    });
    expect(await runtime.journal.calls("invalid")).toEqual([]);
  });
});

describe("tools of data sets", () => {
  for (const set of ["toolbench", "restbench", "bigmix"]) {
    const file = join(BENCH, set, "tools.jsonl");
    it.skipIf(!existsSync(file))(`have names that providers take: ${set}`, async () => {
      const { tools, problems } = await readSource({ file });
      expect(problems).toEqual([]);
      const { byId, byWireName } = wireNames({ tools });
      expect(byId.size).toBe(tools.length);
      expect(byWireName.size).toBe(tools.length);
      for (const name of byWireName.keys()) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      const last = tools.at(-1);
      if (!last) throw new Error("no tool");
      const [outcome] = await run(set, record({ ...last, parameters: album.parameters }), {
        id: "x",
      });
      expect(outcome).toMatchObject({ tool: last.id, status: "done" });
    });
  }
});
