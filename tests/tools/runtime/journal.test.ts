import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../../storage/sqlite.js";
import { type CallToBegin, type Journal, openJournal } from "../../../tools/runtime/journal.js";
import { canonicalJson, sha256 } from "../../../tools/library/hash.js";
import { JOURNAL_MIGRATIONS } from "../../../tools/runtime/journalSchema.js";
import { temporaryFolder } from "./support.js";

const home = temporaryFolder();
const journal = openJournal({ home });
afterAll(() => journal.close());

const END = { status: "done" as const, resultJson: "1", ms: 3, cost: 2 };

function call(threadId: string, changes: Partial<CallToBegin> = {}): CallToBegin {
  return { threadId, callId: "call", tool: "tool", args: { a: 1 }, effects: "write", ...changes };
}

function begun(request: CallToBegin, on: Journal = journal): string {
  const claim = on.begin(request);
  if (claim.kind !== "execute") throw new Error(`the call is ${claim.kind}`);
  return claim.ref;
}

describe("the journal", () => {
  test("has a call before it runs", () => {
    begun(call("before"));
    expect(journal.calls("before")).toMatchObject([
      { callId: "call", tool: "tool", args: { a: 1 }, effects: "write", status: "accepted" },
    ]);
  });

  test("knows a call that was accepted from one that has started", () => {
    const ref = begun(call("starts"));
    journal.start(ref);
    expect(journal.calls("starts")).toMatchObject([{ status: "started" }]);
    journal.finish(ref, END);
    expect(() => journal.start(ref)).toThrow(/another one has taken it over/);
    expect(journal.calls("starts")).toMatchObject([{ status: "done" }]);
  });

  test("lets a write that was accepted and never started be made", () => {
    const other = openJournal({ home });
    const request = call("accepted");
    const ref = begun(request, other);
    other.close();
    expect(journal.begin(request)).toEqual({ kind: "execute", ref });
  });

  test.each(["done", "error", "timeout"] as const)("answers a call that was %s", (status) => {
    const request = call(status);
    const ref = begun(request);
    journal.finish(ref, { ...END, status });
    expect(journal.begin(request)).toMatchObject({
      kind: "finished",
      entry: { ref, status, resultJson: "1", ms: 3, cost: 2 },
    });
  });

  test("knows a call by its thread, id, tool and arguments", () => {
    const request = call("key", { args: { a: 1, b: 2 } });
    journal.finish(begun(request), END);
    expect(journal.begin({ ...request, args: { b: 2, a: 1 } }).kind).toBe("finished");
    const edits = [{ args: { a: 1 } }, { tool: "other" }, { callId: "2" }, { threadId: "key 2" }];
    const kinds = edits.map((edit) => journal.begin({ ...request, ...edit }).kind);
    expect(kinds).toEqual(["execute", "execute", "execute", "execute"]);
  });

  test("lets only one of two handles make a call, and tells the other that it runs", () => {
    const other = openJournal({ home });
    const request = call("two");
    begun(request);
    expect(other.begin(request).kind).toBe("running");
    other.close();
  });

  test("takes what a closed handle was running for interrupted", () => {
    const other = openJournal({ home });
    const write = call("closed");
    const read = call("closed", { callId: "read", effects: "read" });
    for (const each of [write, read]) other.start(begun(each, other));
    other.close();
    expect(journal.begin(write).kind).toBe("interrupted");
    expect(journal.begin(read).kind).toBe("execute");
    expect(journal.begin(read).kind).toBe("running");
  });

  test("does not repeat a call that was a write when it was made", () => {
    const other = openJournal({ home });
    other.start(begun(call("declared"), other));
    other.close();
    expect(journal.begin(call("declared", { effects: "read" })).kind).toBe("interrupted");
  });

  test("refuses the end of a call that somebody else has taken over", () => {
    const read = call("taken", { effects: "read" });
    const ref = begun(read);
    journal.release(ref);
    const other = openJournal({ home });
    begun(read, other);
    expect(() => journal.finish(ref, END)).toThrow(/another one has taken it over/);
    other.finish(ref, END);
    other.close();
  });

  test.each([
    ["is silent for long on another machine", { host: "elsewhere", beat_at: 0 }, "interrupted"],
    ["says on another machine that it lives", { host: "elsewhere" }, "running"],
    ["has no process any more", { pid: 2 ** 22 + 1 }, "interrupted"],
    ["had this process's id before", { process_started: 1 }, "interrupted"],
    ["has another process's id by now", { pid: process.ppid }, "interrupted"],
    ["is silent for long and still runs", { beat_at: 0 }, "running"],
  ])("judges an owner that %s", (why, changes, kind) => {
    const owner = openJournal({ home });
    const request = call(`owner ${why}`);
    owner.start(begun(request, owner));
    const file = `${home}/runs.db`;
    const database = openDatabase({ file, migrations: JOURNAL_MIGRATIONS });
    const all = Object.keys(changes).map((name) => `${name} = ?`);
    database
      .prepare(
        `UPDATE owners SET ${all.join(", ")}
         WHERE id = (SELECT owner FROM calls WHERE thread_id = ?)`,
      )
      .run(...Object.values(changes), request.threadId);
    database.close();
    expect(journal.begin(request).kind).toBe(kind);
    owner.close();
  });

  test("saves a world with the end of its call or not at all", () => {
    const world = { name: "w", runId: "together", revision: 0, stateJson: "1" };
    journal.finish(begun(call("together")), { ...END, world });
    expect(journal.world(world)).toEqual({ ...world, revision: 1 });
    const ref = begun(call("together", { callId: "late" }));
    const stale = { ...world, stateJson: "2" };
    expect(() => journal.finish(ref, { ...END, world: stale })).toThrow(/changed by another/);
    expect(journal.world(world)).toEqual({ ...world, revision: 1 });
    expect(journal.calls("together").map(({ status }) => status)).toEqual(["done", "accepted"]);
  });

  test("gives a whole result by its reference", () => {
    const ref = begun(call("result"));
    journal.finish(ref, { ...END, resultJson: '{"long":true}' });
    expect(journal.result(ref)).toEqual({ long: true });
    expect(journal.result("999999")).toBeUndefined();
  });
});

/** What is known of a call: which of the two handles runs it, or that it has ended. */
type Known =
  | { ref: string; runner: number; started?: boolean }
  | { ref: string; state: "released" | "ended"; started?: boolean };

interface Step {
  action: "begin" | "start" | "finish" | "release" | "reopen";
  handle: 0 | 1;
  callId: string;
}

/** What the journal has to say to one who wants to begin a call. */
function expectedKind(known: Known | undefined, isWrite: boolean): string {
  if (known === undefined) return "execute";
  if ("runner" in known) return "running";
  if (known.state === "ended") return "finished";
  return isWrite && known.started ? "interrupted" : "execute";
}

/** Takes the steps with two handles; gives what the journal said to each begin, and what it should. */
function said(threadId: string, steps: readonly Step[]): { kind: string; expected: string }[] {
  const handles: [Journal, Journal] = [openJournal({ home }), openJournal({ home })];
  const calls = new Map<string, Known>();
  const answers: { kind: string; expected: string }[] = [];
  for (const { action, handle, callId } of steps) {
    const known = calls.get(callId);
    const effects = callId.startsWith("write") ? "write" : "read";
    if (action === "begin") {
      const claim = handles[handle].begin(call(threadId, { callId, effects }));
      answers.push({ kind: claim.kind, expected: expectedKind(known, effects === "write") });
      if (claim.kind === "execute") {
        calls.set(callId, { ref: claim.ref, runner: handle, started: known?.started });
      }
    } else if (action === "reopen") {
      handles[handle].close();
      handles[handle] = openJournal({ home });
      for (const [id, each] of calls) {
        const isLost = "runner" in each && each.runner === handle;
        if (isLost) calls.set(id, { ref: each.ref, started: each.started, state: "released" });
      }
    } else if (known !== undefined && "runner" in known && known.runner === handle) {
      const { ref, started } = known;
      if (action === "start") {
        if (!started) handles[handle].start(ref);
        calls.set(callId, { ...known, started: true });
      } else {
        if (action === "finish") handles[handle].finish(ref, END);
        else handles[handle].release(ref);
        calls.set(callId, { ref, started, state: action === "finish" ? "ended" : "released" });
      }
    }
  }
  for (const handle of handles) handle.close();
  return answers;
}

/** Made with the first migration alone. */
function oldFile() {
  const old = temporaryFolder();
  const database = openDatabase({
    file: `${old}/runs.db`,
    migrations: JOURNAL_MIGRATIONS.slice(0, 1),
  });
  const insert = database.prepare(
    `INSERT INTO calls (id, thread_id, call_id, args_hash, tool, args, effects, owner, started_at,
                        status, result, error, ms, cost)
     VALUES (?, 't', ?, ?, 'tool', '{"a":1}', 'write', ?, 1700000000000, ?, ?, NULL, 3, 2)`,
  );
  const hash = sha256(canonicalJson({ tool: "tool", args: { a: 1 } }));
  insert.run(7, "ended", hash, null, "done", "41");
  insert.run(9, "broken off", hash, "somebody", "started", null);
  database.prepare("INSERT INTO worlds VALUES ('w', 't', 4, '{}')").run();
  database.close();
  return old;
}

describe("a file of the version before", () => {
  test("keeps its calls under their references, and its worlds", () => {
    const migrated = openJournal({ home: oldFile() });
    expect(migrated.calls("t")).toMatchObject([
      { ref: "7", callId: "ended", status: "done", resultJson: "41", startedAt: 1700000000000 },
      { ref: "9", callId: "broken off", status: "started" },
    ]);
    expect(migrated.result("7")).toBe(41);
    expect(migrated.world({ name: "w", runId: "t" })).toMatchObject({ revision: 4 });
    expect(migrated.begin(call("t", { callId: "ended" })).kind).toBe("finished");
    // It did not say whether the call had begun.
    expect(migrated.begin(call("t", { callId: "broken off" })).kind).toBe("interrupted");
    expect(migrated.begin(call("t", { callId: "next" }))).toEqual({ kind: "execute", ref: "10" });
    migrated.close();
  });
});

describe("any sequence of handle events", () => {
  const step: fc.Arbitrary<Step> = fc.record({
    action: fc.constantFrom("begin", "start", "finish", "release", "reopen"),
    handle: fc.constantFrom(0, 1),
    callId: fc.constantFrom("read 1", "read 2", "write 1", "write 2"),
  });
  let threads = 0;

  test("no call runs twice at once, no ended call runs again, and no write is repeated", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const answers = said(`random ${++threads}`, steps);
        expect(answers.map(({ kind }) => kind)).toEqual(answers.map(({ expected }) => expected));
      }),
      { numRuns: 25 },
    );
  });
});
