import { expect, it, onTestFinished } from "vitest";
import { inEachHome } from "../../../fakes/homes.js";
import { openStore } from "../../../../storage/database.js";
import { openToolUses } from "../../../../tools/calls/journal/toolUses.js";
import { RUN_MIGRATIONS, type RunTables } from "../../../../tools/calls/journal/journalSchema.js";

const DAY_MS = 86_400_000;

inEachHome("what tools were called", (newPlace) => {
  it("is told by use, of calls that succeeded before today, and stays the same until tomorrow", async () => {
    const place = await newPlace();
    const store = openStore<RunTables>({ place, store: "runs", migrations: RUN_MIGRATIONS });
    onTestFinished(() => store.close());
    let made = 0;
    const call = async (tool: string, status: "done" | "error", at: number) => {
      const what = { tool, status, started_at: at, args: "{}", args_hash: "", effects: "read" };
      const row = { thread_id: "t", call_id: String((made += 1)), ...what } as const;
      await store.db
        .insertInto("calls")
        .values(row as never)
        .execute();
    };
    const yesterday = Date.now() - DAY_MS;
    for (const tool of ["git.log", "mail.send", "mail.send"]) await call(tool, "done", yesterday);
    await call("git.reset", "error", yesterday);
    await call("git.show", "done", Date.now());
    const uses = openToolUses(store);
    expect([...(await uses.toolUses())]).toEqual([
      ["mail.send", 2],
      ["git.log", 1],
    ]);
    await call("git.log", "done", yesterday);
    expect((await uses.toolUses()).get("git.log")).toBe(1);
  });
});
