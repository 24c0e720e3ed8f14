import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { InputRequest } from "../../../../tools/remote.js";
import type { Workspace } from "../../../../home/workspace.js";
import {
  callTool,
  fixture,
  folderOfTest,
  importServer,
  toolsOf,
  workspaceOfTest,
} from "./support.js";

/** What a server of the fixtures has noted, apart from its starts. */
function notes(log: string): string[] {
  const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  return lines.filter((line) => line !== "started");
}

async function asking(revision: string, home = folderOfTest()) {
  const log = join(folderOfTest(), "log.txt");
  const workspace = workspaceOfTest(home);
  const settings = fixture("asking.mjs", log, revision);
  const { source } = await importServer({ workspace, name: "tables", settings });
  return { workspace, log, home, source };
}

function request(workspace: Workspace, tool: string) {
  return async (more: Partial<Parameters<typeof callTool>[0]> = {}) => {
    const tools = await toolsOf(workspace, "tables");
    const args = { table: "7" };
    return await callTool({ workspace, tool: tools.get(`tables.${tool}`), args, id: "c", ...more });
  };
}

const accept = (questions: InputRequest[] = []) =>
  questions.map(({ id }) => ({
    id,
    action: "accept" as const,
    content: { name: "Ann", seats: 3 },
  }));

describe.each(["2025", "2026"])("a question of a server of revision %s", (revision) => {
  it("is shown with its message and schema, and the call goes on with the answer", async () => {
    const { workspace, log } = await asking(revision);
    const call = request(workspace, "book");
    const first = await call({ answers: [] });
    expect(first).toMatchObject({
      status: "input",
      input: [
        {
          source: "tables",
          tool: "tables.book",
          callId: "c",
          message: "Who is table 7 for?",
          schema: { properties: { name: { type: "string" }, seats: { default: 2 } } },
        },
      ],
    });
    expect((await call({ answers: [] })).input).toEqual(first.input);
    const last = await call({ answers: accept(first.input) });
    expect(last).toMatchObject({ status: "done", result: "booked: 7 for Ann with 3 seats" });
    expect(notes(log).filter((line) => line.includes("Ann"))).toEqual(["booked 7 for Ann, 3"]);
    // A call that has ended is answered from the journal.
    expect(await call({ answers: [] })).toMatchObject({ status: "done", replayed: true });
  });

  it("can be declined, and is declined where nobody can be asked", async () => {
    const { workspace, log } = await asking(revision);
    const call = request(workspace, "book");
    const { input = [] } = await call({ answers: [] });
    const answers = input.map(({ id }) => ({ id, action: "decline" as const }));
    expect(await call({ answers })).toMatchObject({
      status: "error",
      error: expect.stringContaining("nobody said"),
    });
    const unasked = await call({ id: "d" });
    expect(unasked).toMatchObject({
      status: "error",
      error: expect.stringContaining("nobody said"),
    });
    expect(notes(log).join()).not.toContain("Ann");
  });

  it("does not accept the answer to another one", async () => {
    const { workspace, log } = await asking(revision);
    const call = request(workspace, "book");
    await call({ answers: [] });
    const answers = [{ id: "other", action: "accept" as const, content: { name: "Ann" } }];
    expect(await call({ answers })).toMatchObject({ status: "input" });
    expect(notes(log).join()).not.toContain("Ann");
  });
});

async function inNextProcess(revision: string, tool: string) {
  const before = await asking(revision);
  const { input } = await request(before.workspace, tool)({ answers: [] });
  await before.workspace.close();
  const workspace = workspaceOfTest(before.home);
  const call = request(workspace, tool);
  return { call, input, log: before.log };
}

describe("after its process has ended, a call that waits", () => {
  it.each(["2025", "2026"])("is a read that begins again (%s)", async (revision) => {
    const { call, input } = await inNextProcess(revision, "look_up");
    expect((await call({ answers: [] })).input).toEqual(input);
    expect(await call({ answers: accept(input) })).toMatchObject({ status: "done" });
  });

  it("is a write that a server of 2026 has not begun", async () => {
    const { call, input } = await inNextProcess("2026", "book");
    expect((await call({ answers: [] })).input).toEqual(input);
    expect(await call({ answers: accept(input) })).toMatchObject({ status: "done" });
  });

  it("is a write to a server of 2025 that is asked about, and not repeated if nobody knows", async () => {
    const { call, input, log } = await inNextProcess("2025", "book");
    const asked = await call({ answers: accept(input) });
    expect(asked).toMatchObject({ status: "input", input: [{ isOutcome: true }] });
    const id = asked?.input?.[0]?.id ?? "";
    const outcome = await call({ answers: [{ id, action: "decline" }] });
    expect(outcome).toMatchObject({
      status: "unknown",
      error: expect.stringContaining("may or may not"),
    });
    expect(notes(log).filter((line) => line.includes("asked"))).toHaveLength(1);
  });
});
