import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mostCalls } from "../../../plans/program/mostCalls.js";
import type { Outcome } from "../../../plans/program/progress.js";
import { interpretProgram } from "../../../plans/program/run/interpretProgram.js";
import { programOf, TODAY } from "./programRuns.js";
import { randomProgram } from "./randomPrograms.js";

const RECORD = {
  type: "object",
  properties: {
    id: { type: "number" },
    name: { type: "string" },
    n: { type: "number" },
    open: { type: "boolean" },
  },
};

const MOST_ITEMS = 3;

/** `list` gives at most three, `all` says nothing of how many, `pages` gives lists in lists. */
const tools = new Map([
  ["list", { returns: { type: "array", items: RECORD, maxItems: MOST_ITEMS } }],
  ["all", { returns: { type: "array", items: RECORD } }],
  ["three", { returns: { type: "array", items: RECORD, minItems: 3, maxItems: 3 } }],
  [
    "pages",
    {
      returns: {
        type: "object",
        properties: {
          items: { type: "array", maxItems: 5, items: { type: "array", maxItems: 2 } },
          total: { type: "number" },
        },
      },
    },
  ],
  ["get", { returns: RECORD }],
  ["rate", { returns: { type: "number" } }],
  ["risky", { returns: { type: "number" } }],
  ["create", { returns: RECORD }],
  ["close", {}],
]);

/** Calls of each tool: "3", "0..3", or "1..∞". */
function bounds(code: string): Record<string, string> {
  const program = programOf(`${code}\nreturn "done";`);
  const found = mostCalls(program, tools).map(({ tool, least, most }) => {
    const text = Number.isFinite(most) ? String(most) : "∞";
    return [tool, least === most ? text : `${least}..${text}`];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

const CLOSE = "await close({ id: i });";

describe("how often a program calls its tools", () => {
  it.each([
    ["await get({}); await get({});", { get: "2" }],
    [`for (const i of [1, 2, 3]) { ${CLOSE} }`, { close: "3" }],
    [`for (const i of await list({})) { ${CLOSE} }`, { list: "1", close: "0..3" }],
    [`for (const i of await three({})) { ${CLOSE} }`, { three: "1", close: "3" }],
    [`for (const i of await all({ limit: 10 })) { ${CLOSE} }`, { all: "1", close: "0..∞" }],
    [`for (const i of (await all({})).slice(0, 4)) { ${CLOSE} }`, { all: "1", close: "0..4" }],
    [`for (const i of (await all({})).slice(-2)) { ${CLOSE} }`, { all: "1", close: "0..2" }],
    [
      `const most = 2; for (const i of (await three({})).slice(0, most)) { ${CLOSE} }`,
      { three: "1", close: "2" },
    ],
    [
      `const open = (await list({})).filter((i) => i.open).map((i) => i.id).toSorted();
       for (const i of open) { ${CLOSE} }`,
      { list: "1", close: "0..3" },
    ],
    [
      `for (const i of (await pages({})).items.flatMap((page) => page)) { ${CLOSE} }`,
      { pages: "1", close: "0..10" },
    ],
    [
      `for (const page of (await pages({})).items) { for (const i of page) { ${CLOSE} } }`,
      { pages: "1", close: "0..10" },
    ],
    [
      `const groups = groupBy(await list({}), (i) => i.name);
       for (const group of groups) { await get({}); for (const i of group.items) { ${CLOSE} } }`,
      { list: "1", get: "0..3", close: "0..9" },
    ],
    [`for (const i of unique([1, 1, 2])) { ${CLOSE} }`, { close: "0..3" }],
    ["const all = await Promise.all([1, 2].map((k) => get({ k })));", { get: "2" }],
    [
      `const found = [1, 2].map((k) => get({ k })); for (const i of [...found, 7]) { ${CLOSE} }`,
      { get: "2", close: "3" },
    ],
    [
      "if (await rate({})) { await close({}); await close({}); } else { await close({}); }",
      { rate: "1", close: "1..2" },
    ],
    ["const n = (await rate({})) > 1 ? await get({}) : 0;", { rate: "1", get: "0..1" }],
    ["const n = (await rate({})) || (await get({}));", { rate: "1", get: "0..1" }],
    ["await get({}); if (await rate({})) return 1; await get({});", { get: "1..2", rate: "1" }],
    [`for (const i of [1, 2, 3]) { if (i === 2) break; ${CLOSE} }`, { close: "0..3" }],
    ["try { await risky({}); } catch (e) { await get({}); }", { risky: "0..1", get: "0..1" }],
    [
      `const some = []; for (const k of [1, 2, 3]) { some.push(k); some.push(k); }
       for (const i of some) { ${CLOSE} }`,
      { close: "0..6" },
    ],
    [
      `let some = await list({}); if (await rate({})) { some = [1, 2, 3, 4]; }
       for (const i of some) { ${CLOSE} }`,
      { list: "1", rate: "1", close: "0..4" },
    ],
    [
      `let some = [1]; for (const k of [1, 2]) { some = [...some, ...some]; }
       for (const i of some) { ${CLOSE} }`,
      { close: "0..∞" },
    ],
    [
      "const [one, ...rest] = await list({}); for (const i of rest) { await close({ id: i }); }",
      { list: "1", close: "0..3" },
    ],
    [`for (const i of [..."text"]) { ${CLOSE} }`, { close: "0..∞" }],
    [`for (const i of Array.from({ length: 4 })) { ${CLOSE} }`, { close: "4" }],
    [
      "const found = (await all({})).find(async (i) => await get({ k: i.id }));",
      { all: "1", get: "0..∞" },
    ],
    ["await get({}); need('a tool');", { get: "0..1" }],
  ])("is known of %s", (code, expected) => {
    expect(bounds(code)).toEqual(expected);
  });

  it("names the list that decides if there is no bound, and the line that iterates it", () => {
    const code = `const found = await all({});
const stale = found.filter((one) => one.open);
for (const one of stale) {
  await close({ id: one.id });
}
return "done";`;
    const close = mostCalls(programOf(code), tools).find(({ tool }) => tool === "close");
    expect(close?.unknown).toEqual({
      by: "the length of the list that all gives (line 1)",
      name: "stale (line 3)",
    });
  });

  it("stays within its bounds for any results", () => {
    const numRuns = Number(process.env.PROGRAMS ?? 300);
    let looped = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000_000_000 }),
        fc.infiniteStream(fc.nat()),
        (seed, chance) => {
          const code = randomProgram(seed);
          const made = run(code, () => chance.next().value ?? 0);
          const known = new Map(mostCalls(programOf(code), tools).map((one) => [one.tool, one]));
          for (const [tool, count] of made.counts) {
            expect(count).toBeLessThanOrEqual(known.get(tool)?.most ?? 0);
            if (count > 1) looped += 1;
          }
          if (!made.hasEnded) return;
          for (const [tool, { least }] of known) {
            expect(made.counts.get(tool) ?? 0).toBeGreaterThanOrEqual(least);
          }
        },
      ),
      { numRuns, seed: 20_260_310 },
    );
    expect(looped).toBeGreaterThan(numRuns / 4);
  });
});

/** Runs a program to its end with results by chance that are as their tools declare them. */
function run(code: string, chance: () => number) {
  const program = programOf(code);
  const outcomes = new Map<string, Outcome>();
  const counts = new Map<string, number>();
  const known = [...tools.keys()].map((name) => {
    const effects = ["create", "close"].includes(name) ? ("write" as const) : ("read" as const);
    return { name, id: name, effects };
  });
  for (;;) {
    const last = interpretProgram(program, {
      outcomes,
      looks: new Map(),
      today: TODAY,
      tools: known,
    });
    if (last.calls.length === 0) return { counts, hasEnded: last.end !== undefined };
    for (const { place, tool } of last.calls) {
      counts.set(tool.name, (counts.get(tool.name) ?? 0) + 1);
      outcomes.set(place, outcomeOf(tool.name, chance));
    }
  }
}

function outcomeOf(tool: string, chance: () => number): Outcome {
  const n = chance() % 20;
  const record = (id: number) => ({ id, name: `r${n}`, n, open: n % 2 === 0 });
  if (tool === "risky") return n % 2 === 0 ? { result: n } : { error: "failed" };
  if (tool === "rate") return { result: n };
  if (tool !== "list") return { result: record(n) };
  return { result: Array.from({ length: n % (MOST_ITEMS + 1) }, (_, at) => record(at)) };
}
