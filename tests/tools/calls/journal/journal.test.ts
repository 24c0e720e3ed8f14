import { describe, expect, test } from "vitest";
import {
  type CallToBegin,
  type ClaimedCall,
  type Journal,
  openJournal,
} from "../../../../tools/calls/journal/journal.js";
import { inEachHome } from "../../../fakes/homes.js";
import { GONE, type OwnerChange, journalAt, pretend } from "../../../fakes/journals.js";
import { temporaryFolder } from "../support.js";

const END = { status: "done" as const, resultJson: "1", ms: 3, cost: 2 };

function call(threadId: string, changes: Partial<CallToBegin> = {}): CallToBegin {
  return { threadId, callId: "call", tool: "tool", args: { a: 1 }, effects: "write", ...changes };
}

async function begun(journal: Journal, request: CallToBegin): Promise<ClaimedCall> {
  const claim = await journal.begin(request);
  if (claim.kind !== "execute") throw new Error(`the call is ${claim.kind}`);
  return claim;
}

async function statuses(journal: Journal, threadId: string): Promise<string[]> {
  return (await journal.calls(threadId)).map(({ status }) => status);
}

inEachHome("the journal", (newPlace) => {
  test.each(["done", "error", "timeout"] as const)("answers a call that was %s", async (status) => {
    const journal = journalAt(await newPlace());
    const claim = await begun(journal, call(status));
    await journal.finish(claim, { ...END, status });
    expect(await journal.begin(call(status))).toMatchObject({
      kind: "finished",
      entry: { ref: claim.ref, status, resultJson: "1", ms: 3, cost: 2 },
    });
  });

  test("identifies a call by its thread, id, tool and arguments", async () => {
    const journal = journalAt(await newPlace());
    const request = call("key", { args: { a: 1, b: 2 } });
    await journal.finish(await begun(journal, request), END);
    expect((await journal.begin({ ...request, args: { b: 2, a: 1 } })).kind).toBe("finished");
    const edits = [{ args: { a: 1 } }, { tool: "other" }, { callId: "2" }, { threadId: "key 2" }];
    for (const edit of edits) {
      expect((await journal.begin({ ...request, ...edit })).kind).toBe("execute");
    }
  });

  test("lets only one of many make a call, and tells the others that it is running", async () => {
    const place = await newPlace();
    const journals = Array.from({ length: 4 }, () => journalAt(place));
    const claims = await Promise.all(journals.map((each) => each.begin(call("many"))));
    const kinds = claims.map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["execute", "running", "running", "running"]);
  });

  test("does not repeat a call that was a write when it was made", async () => {
    const place = await newPlace();
    const other = openJournal(place);
    await other.start(await begun(other, call("declared")));
    await other.close();
    const claim = await journalAt(place).begin(call("declared", { effects: "read" }));
    expect(claim.kind).toBe("interrupted");
  });

  test("judges owners on another machine by their last sign of life", async () => {
    const place = await newPlace();
    const journal = journalAt(place);
    const kindOf = async (name: string, changes: OwnerChange) => {
      const owner = journalAt(place);
      await owner.start(await begun(owner, call(name)));
      await pretend(place, name, changes);
      return (await journal.begin(call(name))).kind;
    };
    expect(await kindOf("silent", GONE)).toBe("interrupted");
    expect(await kindOf("alive", { host: "elsewhere" })).toBe("running");
    const patient = { host: "elsewhere", beat_at: 0, lease_ms: Date.now() * 2 };
    expect(await kindOf("with a long lease", patient)).toBe("running");
  });

  test("saves a world with the end of its call or not at all", async () => {
    const journal = journalAt(await newPlace());
    const world = { name: "w", runId: "together", revision: 0, stateJson: "1" };
    await journal.finish(await begun(journal, call("together")), { ...END, world });
    expect(await journal.world(world)).toEqual({ ...world, revision: 1 });
    const late = await begun(journal, call("together", { callId: "late" }));
    const stale = { ...world, stateJson: "2" };
    await expect(journal.finish(late, { ...END, world: stale })).rejects.toThrow(
      /changed by another/,
    );
    expect(await journal.world(world)).toEqual({ ...world, revision: 1 });
    expect(await statuses(journal, "together")).toEqual(["done", "accepted"]);
  });

  test("returns a whole result by its reference", async () => {
    const journal = journalAt(await newPlace());
    const claim = await begun(journal, call("result"));
    await journal.finish(claim, { ...END, resultJson: '{"long":true}' });
    expect(await journal.result(claim.ref)).toEqual({ long: true });
    expect(await journal.result("999999")).toBeUndefined();
    expect(await journal.result("no number")).toBeUndefined();
  });

  test("keeps any text", async () => {
    const journal = journalAt(await newPlace());
    const args = { text: "a\0b \ud83d" };
    const claim = await begun(journal, call("text", { args }));
    await journal.finish(claim, { ...END, status: "error", error: "a\0b" });
    expect(await journal.calls("text")).toMatchObject([{ args, error: "a\uFFFDb" }]);
  });
});

describe("the journal of one machine", () => {
  test.each<[string, OwnerChange, string]>([
    ["has no process any more", { pid: 2 ** 22 + 1 }, "interrupted"],
    ["had this process's id before", { process_started: 1 }, "interrupted"],
    ["has another process's id by now", { pid: process.ppid }, "interrupted"],
    ["is silent for an hour and still runs", { beat_at: Date.now() - 3_600_000 }, "running"],
  ])("judges an owner that %s", async (why, changes, kind) => {
    const place = { home: temporaryFolder() };
    const owner = journalAt(place);
    await owner.start(await begun(owner, call(why)));
    await pretend(place, why, changes);
    expect((await journalAt(place).begin(call(why))).kind).toBe(kind);
  });
});
