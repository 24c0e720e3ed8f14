import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { closeWorkspaces, openWorkspace } from "../../../home/workspace.js";
import { errorLine, run, runJson } from "../support.js";

const THREADS = ["first", "second", "third"];

beforeEach(async () => {
  const { threads } = openWorkspace().checkpoints();
  for (const id of THREADS) {
    await threads.put({ id, graph: "tulip", settings: {}, request: "Do it", status: "solved" });
  }
});
afterAll(closeWorkspaces);

const left = async () => {
  const { json } = await runJson("threads");
  return (json as { id: string }[]).map(({ id }) => id).filter((id) => THREADS.includes(id));
};

describe("threads prune", () => {
  it("keeps the newest threads, and those that somebody works on", async () => {
    const hold = await openWorkspace().runtime.journal.hold("first");
    const { code, stderr } = await run("threads", "prune", "--keep", "1");
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/deleted, 2 kept/) });
    expect((await left()).toSorted()).toEqual(["first", "third"]);
    await hold.release();
  });

  it("leaves alone what has changed lately", async () => {
    await run("threads", "prune", "--days", "1");
    expect((await left()).toSorted()).toEqual(THREADS);
  });

  it("deletes the files of a thread, which can be written out until then", async () => {
    const { journal } = openWorkspace().runtime;
    const { effects, args } = { effects: "read" as const, args: {} };
    await journal.begin({ threadId: "first", callId: "1", tool: "scan", args, effects });
    const data = Buffer.from("A page");
    const name = await journal.keepFile({ threadId: "first", data, mimeType: "application/pdf" });
    expect(await run("threads", "first", String(name))).toMatchObject({ stdout: "A page" });
    expect(errorLine(await run("threads", "second", String(name)))).toMatch(
      /unknown file .*received.*none are available/,
    );
    expect(errorLine(await run("threads", "fourth", String(name)))).toMatch(/unknown thread/);
    await run("threads", "prune", "--keep", "1");
    expect(await openWorkspace().runtime.journal.files("first", [String(name)])).toEqual([]);
  });

  it("wants to be told which", async () => {
    expect(errorLine(await run("threads", "prune"))).toMatch(/--days N, --keep N or both/);
  });
});
