import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkedDraft } from "../../../../tools/sources/made/checkedDraft.js";
import { functionsOf } from "../../../../tools/sources/index.js";
import { SQUARE_ROOT, record } from "../made/support.js";
import { temporaryFolder } from "../../calls/support.js";
import { TYPE_BOMBS } from "./typeBombs.js";

/** Shorter than for real drafts, so that endless ones do not hold up the tests. */
const BOMB_MS = 1_500;

/** The name of a draft that would keep the compiler busy for longer than anybody waits. */
const ENDLESS = "utility types upon utility types";

const REQUEST = { tools: [], reserved: [] };

const folder = temporaryFolder();

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** How often the event loop ran while something was awaited. */
async function ticksWhile<T>(work: () => Promise<T>): Promise<{ value: T; ticks: number }> {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 5);
  try {
    return { value: await work(), ticks };
  } finally {
    clearInterval(timer);
  }
}

const ADD = `
/**
 * Adds two numbers.
 * @param a the first
 * @param b the second
 */
export function add(a: number, b: number): number { return a + b; }
`;

describe("A hostile draft", () => {
  it("is answered in time with a problem or a tool of bounded size, and the next draft is read", async () => {
    const faults: string[] = [];
    await checkedDraft({ ...REQUEST, reply: SQUARE_ROOT });
    for (const [name, reply] of TYPE_BOMBS) {
      const reading = await checkedDraft({ ...REQUEST, reply }, { timeoutMs: BOMB_MS });
      const told = reading.ok ? JSON.stringify(reading.tool) : JSON.stringify(reading.problems);
      if (told.length > 200_000) faults.push(`${name}: ${told.length} characters`);
      if (!reading.ok && !reading.problems[0]?.problem) faults.push(`${name}: no problem is told`);
    }
    expect(faults).toEqual([]);
    expect(await checkedDraft({ ...REQUEST, reply: SQUARE_ROOT })).toMatchObject({ ok: true });
  }, 300_000);

  it("that never ends leaves the event loop free, and the model is told what to change", async () => {
    const [, reply = ""] = TYPE_BOMBS.find(([name]) => name === ENDLESS) ?? [];
    const { value, ticks } = await ticksWhile(() =>
      checkedDraft({ ...REQUEST, reply }, { timeoutMs: BOMB_MS }),
    );
    expect(value).toMatchObject({ ok: false });
    expect(JSON.stringify(value)).toContain("use simpler types");
    expect(ticks).toBeGreaterThan(10);
  }, 120_000);

  it("is given up when its run is cancelled", async () => {
    const signal = AbortSignal.timeout(200);
    const [, reply = ""] = TYPE_BOMBS.find(([name]) => name === ENDLESS) ?? [];
    await expect(checkedDraft({ ...REQUEST, reply }, { signal })).rejects.toThrow(/abort/i);
    expect(await checkedDraft({ ...REQUEST, reply: SQUARE_ROOT })).toMatchObject({ ok: true });
  }, 120_000);
});

describe("An honest draft", () => {
  it("is checked against the tools it calls, regardless of the rest of the library", async () => {
    const reply = SQUARE_ROOT.replace("@returns", "@calls goto\n * @returns")
      .replace("): number {", "): Promise<number> {")
      .replace("export function", "export async function")
      .replace("return Math", 'await callTool("goto", { place: 5 }); return Math');
    const tools = [record("goto"), record("other", { description: "Another tool." })];
    const reading = await checkedDraft({ reply, tools, reserved: [] });
    expect(reading).toMatchObject({ ok: false });
    expect(JSON.stringify(reading)).toContain("not assignable");
    const mended = await checkedDraft({ reply: reply.replace("5", '"here"'), tools, reserved: [] });
    expect(mended).toMatchObject({ ok: true, tool: { source: { calls: ["goto"] } } });
  }, 120_000);
});

describe("A user's file", () => {
  it("whose types never end is a problem with its name, and the event loop stays free", async () => {
    const [, bomb = ""] = TYPE_BOMBS.find(([name]) => name === ENDLESS) ?? [];
    const file = write("bomb.ts", bomb + ADD);
    const { value, ticks } = await ticksWhile(() => functionsOf({ file }, BOMB_MS));
    expect(value.problems).toMatchObject([{ file }]);
    expect(ticks).toBeGreaterThan(10);
  }, 120_000);
});
