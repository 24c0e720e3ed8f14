import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Outcome, PlannedCall, ProgramTool } from "../../../plans/language/progress.js";
import { interpretProgram } from "../../../plans/language/run/interpretProgram.js";
import { programOf, TODAY } from "./programRuns.js";
import { type Answer, type Call, openJavaScript } from "./quickJsPrograms.js";
import { randomProgram } from "./randomPrograms.js";

/** `PROGRAMS=10000 npx vitest run …` tries more of them. */
const PROGRAMS = Number(process.env.PROGRAMS ?? 150);
const SEED = Number(process.env.SEED ?? 20_260_310);

const tools: ProgramTool[] = [
  ...["get", "list", "rate", "risky"].map((name) => ({ name, id: name, effects: "read" as const })),
  ...["close", "create"].map((name) => ({ name, id: name, effects: "write" as const })),
];

let javaScript: Awaited<ReturnType<typeof openJavaScript>>;
beforeAll(async () => {
  javaScript = await openJavaScript();
});
afterAll(() => javaScript.close());

interface Given {
  k?: number;
  s?: string;
  id?: number;
  n?: number;
  title?: string;
}

/** A small world: what is read depends on the arguments and on what was written before. */
function openWorld() {
  const calls: Call[] = [];
  let written = 0;
  let failed = 0;
  const answer: Answer = (call) => {
    calls.push(call);
    const { k = 0, s = "", id = 0, n = 0, title = "" } = call.args as Given;
    const at = Math.abs(Math.trunc(k)) % 11;
    switch (call.name) {
      case "get":
        return { id: at, name: `g${at}${s.length}`, n: at + written, open: at % 2 === 0 };
      case "list":
        return Array.from({ length: at % 4 }, (_, i) => ({
          id: i,
          name: `l${i}`,
          n: (at * i) % 5,
          open: i % 2 === 0,
        }));
      case "rate":
        return at * 3 + written;
      case "risky":
        if (at % 2 === 0) return at;
        failed += 1;
        throw new Error(`failed ${at}`);
      default:
        written += 1;
        return { id, name: title, n, open: written % 2 === 0 };
    }
  };
  return { answer, calls, hasFailed: () => failed > 0 };
}

/** Runs a program by the interpreter; of the calls that could be made, those that `chosen` takes are. */
function interpret(code: string, chosen: (calls: PlannedCall[]) => PlannedCall[]) {
  const program = programOf(code);
  const world = openWorld();
  const outcomes = new Map<string, Outcome>();
  const planned = new Map<string, string>();
  for (;;) {
    const last = interpretProgram(program, { outcomes, looks: new Map(), today: TODAY, tools });
    for (const { place, tool, args } of [...last.calls, ...last.writes]) {
      const call = JSON.stringify([tool.name, args]);
      // What is to be called at a place does not change with what becomes known.
      expect(planned.get(place) ?? call).toBe(call);
      planned.set(place, call);
    }
    if (last.calls.length === 0) return { last, world, planned };
    for (const { place, tool, args } of chosen(last.calls)) {
      expect(outcomes.has(place)).toBe(false);
      outcomes.set(place, outcomeOf(world.answer, { name: tool.name, args }));
    }
  }
}

function outcomeOf(answer: Answer, call: Call): Outcome {
  try {
    return { result: answer(call) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

const GUARDED = /is not a number|number is needed|has no value|text is needed|steps|characters/;

function isWrite({ name }: Call): boolean {
  return name === "close" || name === "create";
}

function told({ name, args }: Call): string {
  return JSON.stringify([name, args]);
}

/** Writes in their order, reads in any. */
function split(calls: readonly Call[]) {
  const reads = calls.filter((call) => !isWrite(call)).map(told);
  return { writes: calls.filter(isWrite).map(told), reads: reads.toSorted() };
}

it("gives the values and calls that JavaScript gives, for random programs", () => {
  let compared = 0;
  let withWrites = 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), (seed) => {
      const code = randomProgram(seed);
      const world = openWorld();
      const expected = javaScript.run(code, world.answer);
      const { last, world: own } = interpret(code, (calls) => calls);
      const threw = last.fault !== undefined || last.end?.failed === true;
      // What throws there does not go well here, either.
      expect(expected.error !== undefined && !threw).toBe(false);
      if (expected.error !== undefined) return;
      // A number beyond all bounds, or nothing where something is needed: JavaScript goes on with NaN or undefined.
      if (last.fault && GUARDED.test(last.fault.problem)) return;
      compared += 1;
      expect(last.fault).toBeUndefined();
      expect(last.end?.value).toBe(expected.value);
      const [ours, theirs] = [split(own.calls), split(world.calls)];
      expect(ours.writes).toEqual(theirs.writes);
      if (theirs.writes.length > 0) withWrites += 1;
      // Reads are begun at once: behind one that fails, more of them than one after the other.
      expect(theirs.reads.filter((read) => !ours.reads.includes(read))).toEqual([]);
      expect(own.hasFailed() || ours.reads.length === theirs.reads.length).toBe(true);
    }),
    { numRuns: PROGRAMS, seed: SEED },
  );
  expect(compared).toBeGreaterThan(PROGRAMS * 0.9);
  expect(withWrites).toBeGreaterThan(PROGRAMS * 0.4);
});

it("plans the same calls in whatever order outcomes arrive", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000_000_000 }),
      fc.infiniteStream(fc.nat()),
      (seed, order) => {
        const code = randomProgram(seed);
        const all = interpret(code, (calls) => calls);
        const single = interpret(code, (calls) => {
          const at = (order.next().value ?? 0) % calls.length;
          return calls.slice(at, at + 1);
        });
        expect(single.last.end).toEqual(all.last.end);
        const [some, every] = [split(single.world.calls), split(all.world.calls)];
        expect(some.writes).toEqual(every.writes);
        // What stands behind a read that has failed may have been read already, or not.
        if (all.world.hasFailed()) return;
        expect(some.reads).toEqual(every.reads);
        expect(Object.fromEntries(single.planned)).toEqual(Object.fromEntries(all.planned));
      },
    ),
    { numRuns: Math.ceil(PROGRAMS / 3), seed: SEED },
  );
});
