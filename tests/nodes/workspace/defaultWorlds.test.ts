import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  closeWorkspaces,
  openWorkspace,
  type Workspace,
} from "../../../nodes/workspace/workspace.js";
import { SAMPLE_OFFICE } from "../../../tools/catalogs/office/sample.js";
import { officeWorld } from "../../../tools/catalogs/office/world.js";
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

/** Runs one call of the office's library and gives its result. */
async function call(
  { library, runtime }: Workspace,
  tool: string,
  args: Record<string, unknown>,
): Promise<unknown> {
  const office = await library({ library: "office", embeddings: TEST_LIBRARY.embeddings });
  const record = office.get(tool);
  if (record === undefined) throw new Error(`no tool ${tool}`);
  const [outcome] = await runtime.runCalls({
    threadId: "run",
    timeoutMs: 60_000,
    calls: [{ id: `${tool} ${JSON.stringify(args)}`, tool: record, args }],
  });
  return outcome?.result;
}

describe("the worlds that ship", () => {
  it("let the office be used without data of one's own: a call sees what an earlier one has changed", async () => {
    const resources = openWorkspace({ home });
    const found = async () => call(resources, "calendar.search_events", { query: "stand-up" });
    expect(await found()).toMatchObject([{ event_id: "00000003" }, { event_id: "00000005" }]);
    const event_id = "00000003";
    const deleted = await call(resources, "calendar.delete_event", { event_id });
    expect(deleted).toBe("Event deleted successfully.");
    const { stateJson } = (
      await resources.runtime.worlds.open({ name: "office", runId: "run" })
    ).saved();
    expect(JSON.parse(stateJson)).toEqual({ calendar: { deleted: [event_id] } });
  });
});

describe("worlds given by the caller", () => {
  const tables = { ...SAMPLE_OFFICE, addresses: ["only.one@here.example"] };
  const find = { name: "only" };

  it("stay those of whoever opened the home first until it is closed", async () => {
    const first = openWorkspace({ home });
    expect(openWorkspace({ home, worlds: [officeWorld({ tables })] })).toBe(first);
    expect(await call(first, "company_directory.find_email_address", find)).toEqual([]);
    await first.close();
    expect(openWorkspace({ home, worlds: [] }).runtime.worlds.has("office")).toBe(false);
  });
});
