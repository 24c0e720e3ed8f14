import { describe, expect, test } from "vitest";
import type { Claim, ClaimedCall } from "../../../../tools/calls/journal/journal.js";
import { ThreadHeld, type ThreadHolds } from "../../../../tools/calls/journal/threadHolds.js";
import type { DataPlace } from "../../../../storage/database.js";
import { inEachHome } from "../../../fakes/homes.js";
import { GONE, type OwnerChange, journalAt, pretend } from "../../../fakes/journals.js";
import { temporaryFolder } from "../support.js";

const END = { status: "done" as const, resultJson: "1", ms: 3, cost: 2 };

function callOn(threadId: string, { hold, callId = "call" }: { hold?: string; callId?: string }) {
  return { threadId, hold, callId, tool: "tool", args: {}, effects: "write" as const };
}

function claimedIn(claim: Claim): ClaimedCall {
  if (claim.kind !== "execute") throw new Error(`the call is ${claim.kind}`);
  return claim;
}

async function heldBy(holds: ThreadHolds, threadId: string): Promise<ThreadHeld> {
  try {
    await holds.hold(threadId);
  } catch (error) {
    if (error instanceof ThreadHeld) return error;
    throw error;
  }
  throw new Error("nobody holds the thread");
}

/** A run whose thread another one takes over while it has one call accepted and one started. */
async function overtaken(place: DataPlace) {
  const late = journalAt(place);
  const journal = journalAt(place);
  const { token: hold } = await late.hold("t");
  const begun = async (callId: string) =>
    claimedIn(await late.begin(callOn("t", { hold, callId })));
  const [accepted, started] = [await begun("accepted"), await begun("started")];
  await late.start(started);
  await pretend(place, "t", GONE);
  return { late, hold, accepted, started, journal, next: await journal.hold("t") };
}

inEachHome("a thread", (newPlace) => {
  test("is held by one run at a time, even in one process, and by the next once it is released", async () => {
    const place = await newPlace();
    const journal = journalAt(place);
    const hold = await journal.hold("one");
    const { message } = await heldBy(journal, "one");
    expect(message).toMatch(/^thread one: another run of this process/);
    expect(await heldBy(journalAt(place), "one")).toBeInstanceOf(ThreadHeld);
    await hold.release();
    expect(await hold.isHeld()).toBe(false);
    expect(await (await journal.hold("one")).isHeld()).toBe(true);
  });

  test("goes to one of many runs that ask at once", async () => {
    const place = await newPlace();
    const asked = Array.from({ length: 5 }, () => journalAt(place).hold("one"));
    const answers = await Promise.allSettled(asked);
    const refusals = answers.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(refusals).toHaveLength(4);
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(ThreadHeld);
  });

  test("is not taken over when its holder runs on another machine, and says who that is", async () => {
    const place = await newPlace();
    await journalAt(place, { leaseMs: 7_000 }).hold("t");
    await pretend(place, "t", { host: "elsewhere", pid: 77 });
    const { message } = await heldBy(journalAt(place), "t");
    expect(message).toContain("process 77 on elsewhere");
    expect(message).toContain(`since ${new Date().getFullYear()}-`);
    expect(message).toContain("silent for 7 s");
    expect(message).not.toContain("\n");
  });
});

describe("a thread in a folder", () => {
  test.each<[string, OwnerChange]>([
    ["has no process any more", { pid: 2 ** 22 + 1 }],
    ["has another process's id by now", { pid: process.ppid }],
  ])("is taken over when its holder %s", async (why, changes) => {
    const place = { home: temporaryFolder() };
    const hold = await journalAt(place).hold(why);
    await pretend(place, why, changes);
    expect(await (await journalAt(place).hold(why)).isHeld()).toBe(true);
    expect(await hold.isHeld()).toBe(false);
  });

  test("is not taken over while its silent holder still runs", async () => {
    const place = { home: temporaryFolder() };
    await journalAt(place).hold("silent");
    await pretend(place, "silent", { beat_at: Date.now() - 3_600_000 });
    expect((await heldBy(journalAt(place), "silent")).message).toContain(`(${process.pid})`);
  });
});

inEachHome("a run whose thread was taken over", (newPlace) => {
  test("no longer begins, starts or ends calls", async () => {
    const { late, hold, accepted, started, journal } = await overtaken(await newPlace());
    await expect(late.begin(callOn("t", { hold, callId: "new" }))).rejects.toThrow(/another run/);
    await expect(late.start(accepted)).rejects.toThrow(/another one has taken it over/);
    await expect(late.finish(started, END)).rejects.toThrow(/another one has taken it over/);
    const calls = await journal.calls("t");
    expect(calls.map(({ status }) => status)).toEqual(["accepted", "started"]);
  });

  test("leaves its calls to the run that has it: accepted ones are made, started ones are unknown", async () => {
    const { journal, next } = await overtaken(await newPlace());
    const kindOf = async (callId: string) =>
      (await journal.begin(callOn("t", { hold: next.token, callId }))).kind;
    expect(await kindOf("accepted")).toBe("execute");
    expect(await kindOf("started")).toBe("interrupted");
  });
});

inEachHome("a call without a hold", (newPlace) => {
  test("is refused on a thread that a run holds", async () => {
    const journal = journalAt(await newPlace());
    await journal.hold("held");
    await expect(journal.begin(callOn("held", {}))).rejects.toThrow(/held by another run/);
    expect((await journal.begin(callOn("free", {}))).kind).toBe("execute");
  });
});
