import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { run, runJson, temporaryFolder } from "../support.js";

const SERVER = fileURLToPath(new URL("../../fixtures/mcp/asking.mjs", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
});
afterAll(closeWorkspaces);

/** A run that waits for an answer. Every command has its own workspace, as in separate processes. */
async function waitingRun(revision: string, tool: string): Promise<string> {
  const command = [process.execPath, SERVER, join(folder, "log.txt"), revision];
  await run("tools", "import", "mcp", "tables", "--trust-hints", "--", ...command);
  const { spec } = scriptedModel(({ messages }) =>
    messages.some((message) => message.type === "tool")
      ? { stop: "It is done." }
      : { calls: [{ id: "c", name: tool, args: { table: "7" } }] },
  );
  const of = ["--library", "tables", "--model", spec, "--set", "threshold=4"];
  const printed = await run(
    "solve",
    "Book a table",
    "--graph",
    "minimal_tulip",
    "--thread",
    "t",
    ...of,
  );
  expect(printed.code).toBe(3);
  return printed.stdout;
}

describe("a run that waits for an answer", () => {
  it("shows who asks what, and continues with the answer", async () => {
    const shown = await waitingRun("2026", "book");
    expect(shown).toContain("Who is table 7 for?");
    expect(shown).toMatch(/seats\?: number/);
    expect(shown).toContain("tulipgraph resume t --answer");
    const answer = JSON.stringify({ name: "Ann", seats: 4 });
    const { code, json } = await runJson("resume", "t", "--answer", answer);
    expect({ code, json }).toMatchObject({
      code: 0,
      json: { status: "solved", calls: [{ result: "booked: 7 for Ann with 4 seats" }] },
    });
  });

  it("continues without an answer if a person refuses", async () => {
    await waitingRun("2025", "look_up");
    const { json } = await runJson("resume", "t", "--reject");
    expect(json).toMatchObject({ calls: [{ error: expect.stringContaining("nobody said") }] });
  });

  it("asks whether a write was made whose server is gone, which nobody need know", async () => {
    await waitingRun("2025", "book");
    const { code, stdout } = await run("resume", "t", "--answer", '{"name":"Ann"}');
    expect(code).toBe(3);
    expect(stdout).toMatch(/Was book \{"table":"7"\} made\?/);
    const { json } = await runJson("resume", "t", "--reject");
    expect(json).toMatchObject({ calls: [{ error: expect.stringContaining("may or may not") }] });
    expect(readFileSync(join(folder, "log.txt"), "utf8")).not.toContain("Ann");
  });
});
