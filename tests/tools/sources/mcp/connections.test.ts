import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Workspace } from "../../../../home/workspace.js";
import type { RemoteCaller } from "../../../../tools/remote.js";
import type { ToolRecord } from "../../../../tools/tool.js";
import { mcpCaller } from "../../../../tools/sources/mcp/mcpCaller.js";
import type { McpListed } from "../../../../tools/sources/mcp/listing.js";
import {
  callTool,
  fixture,
  folderOfTest,
  importServer,
  toolsOf,
  workspaceOfTest,
} from "./support.js";

const WAIT = { timeout: 20_000, interval: 50 };

async function library(name: string, ...args: string[]) {
  const workspace = workspaceOfTest();
  const log = join(folderOfTest(), "log.txt");
  const [fixtureFile, ...more] = args;
  const settings = fixture(fixtureFile ?? "", ...more.map((arg) => (arg === "LOG" ? log : arg)));
  const { source } = await importServer({ workspace, name, settings });
  const tools = await toolsOf(workspace, name);
  const noted = () => readFileSync(log, "utf8");
  return { workspace, source, tools, noted };
}

/** Makes a call without a runtime. */
async function calling(
  caller: RemoteCaller,
  { runtime }: Workspace,
  record: ToolRecord | undefined,
) {
  if (!record) throw new Error("there is no such tool");
  const { signal } = new AbortController();
  const { journal: files } = runtime;
  const task = { note: async () => undefined };
  const of = { record, args: {}, threadId: "t", callId: randomUUID(), signal, files, task };
  return await caller.call({ ...of, onReady() {}, onStart: async () => undefined });
}

describe("a connection", () => {
  it("is closed after a while without use, and opened again for the next call", async () => {
    const { workspace, tools, noted } = await library("s", "liar.mjs", "honest", "LOG");
    const { store } = workspace;
    const caller = mcpCaller({ sources: store.sources, idleMs: 50 });
    const call = () => calling(caller, workspace, tools.get("s.read"));
    await call();
    const pid = Number(
      /started (\d+)\n[^]*called/.exec(noted())?.[1] ?? noted().match(/\d+/g)?.at(-1),
    );
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), WAIT);
    expect(await call()).toEqual({ resultJson: '"fine"' });
    await caller.close();
  });
});

describe("a list of tools", () => {
  it.each(["2025", "2026"])(
    "is read again when its server says that it changed (%s)",
    async (revision) => {
      const { workspace, tools } = await library("tables", "asking.mjs", "LOG", revision);
      const { store } = workspace;
      const listed: string[] = [];
      const caller = mcpCaller({
        sources: store.sources,
        onListed: async ({ listing }) => void listed.push(...listing.tools.map(({ id }) => id)),
      });
      await calling(caller, workspace, tools.get("tables.grow"));
      await vi.waitFor(() => expect(listed).toContain("tables.grown"), WAIT);
      await caller.close();
    },
  );

  it("is read again when a call opens a connection after the list has expired", async () => {
    const { workspace, source, tools } = await library("s", "liar.mjs", "honest");
    const before = source.listed as unknown as McpListed;
    await workspace.store.sources.put({ ...source, listed: { ...before, at: 0 } });
    await callTool({ workspace, tool: tools.get("s.read"), args: {} });
    await vi.waitFor(async () => {
      expect((await workspace.store.sources.get("s"))?.listed?.["at"]).toBeGreaterThan(0);
    }, WAIT);
  });
});
