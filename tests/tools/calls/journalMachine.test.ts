import * as fc from "fast-check";
import { sql } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import { type DataPlace, openStore } from "../../../storage/database.js";
import { StorageFailed } from "../../../storage/sqlite/sqlite.js";
import {
  type ClaimedCall,
  type Journal,
  openJournal,
} from "../../../tools/calls/journal/journal.js";
import { RUN_MIGRATIONS, type RunTables } from "../../../tools/calls/journal/journalSchema.js";
import {
  ThreadHeld,
  type ThreadHold,
  type ThreadHolds,
} from "../../../tools/calls/journal/threadHolds.js";
import { inEachHome } from "../../fakes/homes.js";

/** Owners never beat by themselves in a test: it says who counts as gone. */
const LEASE_MS = 60 * 60 * 1_000;

const END = { status: "done" as const, ms: 1, cost: 0 };

/** An open journal, of a process that may have vanished: what it does after that comes from one that hung. */
interface Process {
  journal: Journal & ThreadHolds;
  /** How others find it among the owners, once it has done something. */
  id?: string;
  isGone: boolean;
}

interface Hold {
  process: Process;
  thread: string;
  hold: ThreadHold;
}

interface Made {
  process: Process;
  claim: ClaimedCall;
  call: KnownCall;
}

/** What must be true of a call. */
interface KnownCall {
  isWrite: boolean;
  status: "accepted" | "started" | "done";
  runner?: Made;
  result?: string;
  /** Times that its code has run. */
  effects: number;
}

/** Which of all processes, holds or claims that there have been, counted from the newest. */
type Pick = number;

type Step =
  | { do: "hold"; process: Pick; thread: number }
  | { do: "let go"; hold: Pick }
  | { do: "begin"; process: Pick; thread: number; hold: Pick; call: number }
  | { do: "start" | "finish" | "release" | "withdraw"; claim: Pick }
  | { do: "vanish" | "come back" | "crash" | "close"; process: Pick }
  | { do: "turn the clock"; minutes: number };

const pick = fc.nat({ max: 1 });
const thread = fc.nat({ max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("hold" as const), process: pick, thread }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("let go" as const), hold: pick }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("begin" as const),
      process: pick,
      thread,
      hold: pick,
      call: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom("start" as const, "start", "finish", "release", "withdraw"),
      claim: pick,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("vanish" as const, "come back", "crash", "close"),
      process: pick,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("turn the clock" as const),
      minutes: fc.integer({ min: -2, max: 2 }),
    }),
  },
);

/** The one of a list that is meant; the last are the most interesting. */
function picked<Item>(items: readonly Item[], at: Pick): Item | undefined {
  return items.at(-1 - (at % Math.max(1, items.length)));
}

/** Processes that work on two threads, and what has to be true of these. */
class Machine {
  processes: Process[] = [];
  holds: Hold[] = [];
  made: Made[] = [];
  current = new Map<string, Hold>();
  calls = new Map<string, KnownCall>();
  /** What was not as it has to be. */
  surprises: string[] = [];
  private readonly store;

  constructor(
    readonly place: DataPlace,
    readonly name: string,
  ) {
    this.store = openStore<RunTables>({ place, store: "runs", migrations: RUN_MIGRATIONS });
    this.processes = [this.newProcess(), this.newProcess()];
  }

  newProcess(): Process {
    return { journal: openJournal(this.place, { leaseMs: LEASE_MS }), isGone: false };
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case "hold":
        return await this.hold(step);
      case "let go":
        return await this.letGo(step);
      case "begin":
        return await this.begin(step);
      case "start":
      case "finish":
      case "release":
      case "withdraw":
        return await this.goOn(step);
      case "turn the clock":
        // With files, the machine's clock is the only one.
        if (this.place.url) vi.setSystemTime(Date.now() + step.minutes * 60_000);
        return;
      default:
        return await this.befall(step);
    }
  }

  async hold({ process: at, thread: number }: Extract<Step, { do: "hold" }>): Promise<void> {
    const process = picked(this.processes, at);
    if (!process) return;
    const name = `${this.name}-${number}`;
    const before = this.current.get(name);
    const taking = process.journal.hold(name);
    if (before && !before.process.isGone) {
      return this.compare("hold", await outcomeOf(taking), "THREAD_HELD");
    }
    const hold = { process, thread: name, hold: await taking };
    await this.learnId(process, name);
    for (const [key, call] of this.calls) {
      const isLost = before !== undefined && call.runner?.process === before.process;
      if (key.startsWith(name) && isLost) call.runner = undefined;
    }
    this.holds.push(hold);
    this.current.set(name, hold);
  }

  async letGo({ hold: at }: Extract<Step, { do: "let go" }>): Promise<void> {
    const held = picked(this.holds, at);
    if (!held) return;
    await held.hold.release();
    if (this.current.get(held.thread) === held) this.current.delete(held.thread);
  }

  async begin(step: Extract<Step, { do: "begin" }>): Promise<void> {
    const process = picked(this.processes, step.process);
    const name = `${this.name}-${step.thread}`;
    const own = picked(
      this.holds.filter((each) => each.thread === name && each.process === process),
      step.hold,
    );
    // The first two calls write.
    const isWrite = step.call < 2;
    const effects = isWrite ? ("write" as const) : ("read" as const);
    const callId = String(step.call);
    if (!process || !own) return;
    const asked = { threadId: name, hold: own.hold.token, callId, tool: "t", args: {}, effects };
    const beginning = process.journal.begin(asked);
    if (this.current.get(name) !== own) {
      return this.compare("begin", await outcomeOf(beginning), "STORAGE_FAILED");
    }
    const claim = await beginning;
    const call = this.calls.get(`${name}/${callId}`);
    this.compare("claim", claim.kind, expectedKind(call));
    if (claim.kind === "finished") this.compare("result", claim.entry.resultJson, call?.result);
    if (claim.kind !== "execute") return;
    const known = call ?? { isWrite, status: "accepted", effects: 0 };
    const made = { process, claim, call: known };
    known.runner = made;
    this.calls.set(`${name}/${callId}`, known);
    this.made.push(made);
  }

  async goOn(step: {
    do: "start" | "finish" | "release" | "withdraw";
    claim: Pick;
  }): Promise<void> {
    const made = picked(this.made, step.claim);
    if (!made) return;
    const { process, claim, call } = made;
    const isRunner = call.runner === made;
    if (step.do === "release") {
      await process.journal.release(claim);
      if (isRunner) call.runner = undefined;
    } else if (step.do === "withdraw") {
      // Only somebody whose code has not run takes it back.
      if (isRunner && call.status === "started") return;
      await process.journal.withdraw(claim);
      if (isRunner) call.runner = undefined;
    } else if (step.do === "start") {
      const started = await outcomeOf(process.journal.start(claim));
      this.compare("start", started, isRunner ? "done" : "STORAGE_FAILED");
      if (started !== "done") return;
      if (call.status === "accepted" || !call.isWrite) call.effects += 1;
      call.status = "started";
    } else {
      const resultJson = JSON.stringify(claim.claim);
      const ended = await outcomeOf(process.journal.finish(claim, { ...END, resultJson }));
      // Its own end may be told twice.
      const isOwn = isRunner || call.result === resultJson;
      this.compare("finish", ended, isOwn ? "done" : "STORAGE_FAILED");
      if (!isRunner) return;
      Object.assign(call, { status: "done", result: resultJson, runner: undefined });
    }
  }

  async befall(step: {
    do: "vanish" | "come back" | "crash" | "close";
    process: Pick;
  }): Promise<void> {
    const process = picked(this.processes, step.process);
    if (!process) return;
    if (step.do === "come back") return await this.judge(process, false);
    if (step.do === "close") {
      this.holds = this.holds.filter((each) => each.process !== process);
      this.made = this.made.filter((each) => each.process !== process);
      await process.journal.close();
      process.isGone = true;
    } else {
      await this.judge(process, true);
    }
    if (step.do === "vanish") return;
    this.processes = this.processes.map((each) => (each === process ? this.newProcess() : each));
  }

  /** Has others take a process for gone, or for alive. */
  async judge(process: Process, isGone: boolean): Promise<void> {
    if (process.id === undefined) return;
    process.isGone = isGone;
    const silentMs = isGone ? 2 * LEASE_MS : 0;
    const beat_at = sql<number>`${this.store.clock()} - ${silentMs}`;
    await this.store.db
      .updateTable("owners")
      .set({ host: "elsewhere", beat_at })
      .where("id", "=", process.id)
      .execute();
  }

  async learnId(process: Process, name: string): Promise<void> {
    const { owner } = await this.store.db
      .selectFrom("holds")
      .select("owner")
      .where("thread_id", "=", name)
      .executeTakeFirstOrThrow();
    process.id = owner;
  }

  async check(): Promise<void> {
    for (const each of this.holds) {
      this.compare("held", await each.hold.isHeld(), this.current.get(each.thread) === each);
    }
    for (const { isWrite, effects } of this.calls.values()) {
      if (isWrite && effects > 1) this.surprises.push(`a write was made ${effects} times`);
    }
  }

  compare(what: string, found: unknown, wanted: unknown): void {
    if (found !== wanted) {
      this.surprises.push(`${what}: ${String(found)} instead of ${String(wanted)}`);
    }
  }

  async close(): Promise<void> {
    for (const { journal } of this.processes) await journal.close();
    await this.store.close();
  }
}

/** The code of the refusal, if it is one. */
async function outcomeOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked;
    return "done";
  } catch (error) {
    if (error instanceof StorageFailed || error instanceof ThreadHeld) return error.code;
    throw error;
  }
}

function expectedKind(call: KnownCall | undefined): string {
  if (!call) return "execute";
  if (call.status === "done") return "finished";
  if (call.runner && !call.runner.process.isGone) return "running";
  return call.isWrite && call.status === "started" ? "interrupted" : "execute";
}

afterEach(() => {
  vi.useRealTimers();
});

inEachHome("any sequence of what processes do and what befalls them", (newPlace) => {
  test("leaves one holder of a thread, makes no write twice and loses no result", async () => {
    const place = await newPlace();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 100 }), async (steps) => {
        const machine = new Machine(place, `run-${++runs}`);
        try {
          for (const each of steps) await machine.take(each);
          await machine.check();
          expect(machine.surprises).toEqual([]);
        } finally {
          await machine.close();
        }
      }),
      { numRuns: place.url ? 8 : 20 },
    );
  });
});
