import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  closeWorkspaces,
  DEFAULT_WORLDS,
  openWorkspace,
  type Workspace,
} from "../../../nodes/workspace/workspace.js";
import { CATALOGS } from "../../../tools/catalogs/index.js";
import { SAMPLE_WORK } from "../../../tools/catalogs/work/sample.js";
import { workWorld } from "../../../tools/catalogs/work/world.js";
// Registers the embeddings of TEST_LIBRARY.
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tulipgraph-worlds-"));
});
afterEach(async () => {
  await closeWorkspaces();
  rmSync(home, { recursive: true, force: true });
});

/** Runs one call of the library of work items and gives its result. */
async function call(
  { library, runtime }: Workspace,
  tool: string,
  args: Record<string, unknown>,
): Promise<unknown> {
  const work = await library({ library: "work", embeddings: TEST_LIBRARY.embeddings });
  const record = work.get(tool);
  if (record === undefined) throw new Error(`no tool ${tool}`);
  const [outcome] = await runtime.runCalls({
    threadId: "run",
    timeoutMs: 60_000,
    calls: [{ id: `${tool} ${JSON.stringify(args)}`, tool: record, args }],
  });
  return outcome?.result;
}

describe("the worlds that ship", () => {
  it("have the names of catalogs", () => {
    for (const { name } of DEFAULT_WORLDS) expect(Object.keys(CATALOGS)).toContain(name);
  });

  it("need no data of one's own: a call sees what an earlier one has changed", async () => {
    const resources = openWorkspace({ home });
    expect(SAMPLE_WORK.customers["REV-5"]?.tier).not.toBe("enterprise");
    await call(resources, "set_customer_tier", { rev_org_id: "REV-5", tier: "enterprise" });
    expect(await call(resources, "list_customers", { tier: "enterprise" })).toContain("REV-5");
    const { stateJson } = (
      await resources.runtime.worlds.open({ name: "work", runId: "run" })
    ).saved();
    expect(JSON.parse(stateJson)).toMatchObject({
      customers: { "REV-5": { tier: "enterprise" } },
    });
  });
});

describe("worlds given by the caller", () => {
  const worlds = [workWorld({ tables: { ...SAMPLE_WORK, customers: {} } })];

  it("replace those that ship", async () => {
    const resources = openWorkspace({ home, worlds });
    expect(await call(resources, "list_customers", {})).toEqual([]);
  });

  it("stay those of whoever opened the home first until it is closed", async () => {
    const first = openWorkspace({ home });
    expect(openWorkspace({ home, worlds })).toBe(first);
    expect(await call(first, "list_customers", {})).not.toEqual([]);
    await first.close();
    expect(openWorkspace({ home, worlds: [] }).runtime.worlds.has("work")).toBe(false);
  });
});
