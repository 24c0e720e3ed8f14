import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../storage/sqlite.js";
import { type Claim, openJournal } from "../../../tools/runtime/journal.js";
import { JOURNAL_MIGRATIONS } from "../../../tools/runtime/journalSchema.js";
import { ThreadHeld, type ThreadHolds } from "../../../tools/runtime/threadHolds.js";
import { temporaryFolder } from "./support.js";

const home = temporaryFolder();
const journal = openJournal({ home });
afterAll(() => journal.close());

const END = { status: "done" as const, resultJson: "1", ms: 3, cost: 2 };

function another() {
  const other = openJournal({ home });
  onTestFinished(() => other.close());
  return other;
}

function callOn(threadId: string, { hold, callId = "call" }: { hold?: string; callId?: string }) {
  return { threadId, hold, callId, tool: "tool", args: {}, effects: "write" as const };
}

function refOf(claim: Claim): string {
  if (claim.kind !== "execute") throw new Error(`the call is ${claim.kind}`);
  return claim.ref;
}

function heldBy(holds: ThreadHolds, threadId: string): ThreadHeld {
  try {
    holds.hold(threadId);
  } catch (error) {
    if (error instanceof ThreadHeld) return error;
    throw error;
  }
  throw new Error("nobody holds the thread");
}

/** Writes down of a thread's holder what another machine or another time would have written. */
function pretend(threadId: string, changes: Record<string, string | number>): void {
  const database = openDatabase({ file: `${home}/runs.db`, migrations: JOURNAL_MIGRATIONS });
  const all = Object.keys(changes).map((name) => `${name} = ?`);
  database
    .prepare(
      `UPDATE owners SET ${all.join(", ")}
       WHERE id = (SELECT owner FROM holds WHERE thread_id = ?)`,
    )
    .run(...Object.values(changes), threadId);
  database.close();
}

const GONE = { host: "elsewhere", beat_at: 0 };

describe("a thread", () => {
  test("is held by one run at a time, of this process too, and by the next once it is let go", () => {
    const hold = journal.hold("one");
    expect(heldBy(journal, "one").message).toMatch(/^thread one: another run of this process/);
    expect(heldBy(another(), "one")).toBeInstanceOf(ThreadHeld);
    hold.release();
    expect(hold.isHeld()).toBe(false);
    expect(journal.hold("one").isHeld()).toBe(true);
  });

  test("is another's own affair than other threads", () => {
    journal.hold("this");
    expect(journal.hold("that").isHeld()).toBe(true);
  });

  test("of a holder that has closed its journal is free", () => {
    const other = openJournal({ home });
    const hold = other.hold("closed");
    other.close();
    hold.release();
    expect(journal.hold("closed").isHeld()).toBe(true);
  });

  test.each([
    ["has no process any more", { pid: 2 ** 22 + 1 }],
    ["has another process's id by now", { pid: process.ppid }],
    ["has been silent for long on another machine", GONE],
  ])("is taken over when its holder %s", (why, changes) => {
    const hold = another().hold(why);
    pretend(why, changes);
    expect(journal.hold(why).isHeld()).toBe(true);
    expect(hold.isHeld()).toBe(false);
    hold.release();
    expect(heldBy(another(), why)).toBeInstanceOf(ThreadHeld);
  });

  test.each([
    ["runs on another machine", { host: "elsewhere", pid: 77 }, "process 77 on elsewhere"],
    ["is silent and still runs", { beat_at: 0 }, `(${process.pid})`],
  ])("is not taken over when its holder %s, and says who that is", (why, changes, who) => {
    another().hold(why);
    pretend(why, changes);
    const { message } = heldBy(journal, why);
    expect(message).toContain(who);
    expect(message).toContain(`since ${new Date().getFullYear()}-`);
    expect(message).not.toContain("\n");
  });
});

function overtaken(threadId: string) {
  const late = another();
  const hold = late.hold(threadId).token;
  const accepted = refOf(late.begin(callOn(threadId, { hold, callId: "accepted" })));
  const started = refOf(late.begin(callOn(threadId, { hold, callId: "started" })));
  late.start(started);
  pretend(threadId, GONE);
  return { late, hold, accepted, started, next: journal.hold(threadId).token };
}

describe("a run whose thread was taken over", () => {
  test("begins, starts and ends no call any more", () => {
    const { late, hold, accepted, started } = overtaken("late");
    expect(() => late.begin(callOn("late", { hold, callId: "new" }))).toThrow(/another run/);
    expect(() => late.start(accepted)).toThrow(/another one has taken it over/);
    expect(() => late.finish(started, END)).toThrow(/another one has taken it over/);
    expect(journal.calls("late").map(({ status }) => status)).toEqual(["accepted", "started"]);
  });

  test("leaves its calls to the run that has it: those accepted are made, those started unknown", () => {
    const { next: hold } = overtaken("next");
    const claim = (callId: string) => journal.begin(callOn("next", { hold, callId })).kind;
    expect([claim("accepted"), claim("started")]).toEqual(["execute", "interrupted"]);
  });

  test("makes no call either once the other has let it go", () => {
    const late = another();
    const hold = late.hold("gone").token;
    pretend("gone", GONE);
    journal.hold("gone").release();
    expect(() => late.begin(callOn("gone", { hold }))).toThrow(/no longer held/);
  });
});

test("a call without a hold is refused on a thread that a run holds", () => {
  journal.hold("held");
  expect(() => journal.begin(callOn("held", {}))).toThrow(/held by another run/);
  expect(journal.begin(callOn("free", {})).kind).toBe("execute");
});
