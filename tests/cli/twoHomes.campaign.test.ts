import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { runReport } from "../../cli/runs/printRun.js";
import { hasPostgres, newDatabase } from "../fakes/homes.js";
import { GONE, pretend } from "../fakes/journals.js";
import { type Child, linesOf, scriptIn, startChild, temporaryFolder } from "./support.js";

/** Takes the money at once, but is slow to confirm. */
const TOOLS = `
import { appendFileSync } from "node:fs";

/**
 * Charge a card.
 *
 * @param amount - The amount in euros.
 * @param book - The file in which the charge is booked.
 * @param waitMs - Milliseconds until it is confirmed.
 * @name charge_card
 */
export async function chargeCard(amount: number, book: string, waitMs = 0): Promise<string> {
  appendFileSync(book, amount + "\\n");
  await new Promise((done) => setTimeout(done, waitMs));
  return "charged " + amount;
}
`;

const LIBRARY = ["--library", "shop"];

/** Two machines, each with a home, which share a database; the model charges these amounts in turn. */
async function twoMachines(amounts: readonly { amount: number; waitMs?: number }[]) {
  const folder = temporaryFolder();
  const url = await newDatabase();
  const book = join(folder, "book.txt");
  const tools = join(folder, "tools.ts");
  writeFileSync(tools, TOOLS);
  const act = amounts.map((charge) => ({
    calls: [{ name: "charge_card", args: { ...charge, book } }],
  }));
  const script = { subtasks: [], searches: [], act: [...act, { stop: "It is paid." }] };
  const homes = ["here", "there"].map((name) => join(folder, name));
  const [here, there] = homes.map((home) => {
    const env = {
      TULIPGRAPH_HOME: home,
      TULIPGRAPH_DATABASE_URL: url,
      ...scriptIn(folder, script),
    };
    return (...argv: string[]): Child => startChild({ argv, env });
  });
  if (!here || !there) throw new Error("there are two homes");
  for (const start of [here, there]) {
    expect(await start("tools", "import", tools, ...LIBRARY).ended).toMatchObject({ code: 0 });
  }
  const solve = ["solve", "Pay", ...LIBRARY, "--graph", "naive_tool", "--model", "fake:child"];
  return {
    here,
    there,
    place: { home: homes[0] ?? "", url },
    solve: () => here(...solve, "--thread", "job", "--set", 'defaultTools=["charge_card"]'),
    charges: () => linesOf(book),
  };
}

async function killAtCharge(child: Child, charges: () => string[], count: number): Promise<void> {
  await expect.poll(() => charges().length, { timeout: 200_000, interval: 20 }).toBe(count);
  child.process.kill("SIGKILL");
  await child.ended;
}

async function reportOf(child: Child): Promise<ReturnType<typeof runReport>> {
  const { stdout, stderr } = await child.ended;
  expect(stderr).toBe("");
  return JSON.parse(stdout) as ReturnType<typeof runReport>;
}

describe.skipIf(!hasPostgres)("a run whose process dies on one machine", () => {
  it("continues on another one, and charges nobody twice", async () => {
    const { there, solve, place, charges } = await twoMachines([
      { amount: 1 },
      { amount: 2, waitMs: 60_000 },
      { amount: 3 },
    ]);
    await killAtCharge(solve(), charges, 2);
    const early = await there("resume", "job").ended;
    expect(early).toMatchObject({ code: 2, stdout: "" });
    expect(early.stderr).toMatch(/has been working on it since .* silent for 30 s, and try again/);
    await pretend(place, "job", GONE);
    expect((await reportOf(there("resume", "job", "--json"))).status).toBe("waiting");
    const known = '{"made":true,"result":"charged 2"}';
    const report = there("resume", "job", "--answer", known, "--json");
    const { status, answer, calls } = await reportOf(report);
    expect({ status, answer }).toEqual({ status: "solved", answer: "It is paid." });
    expect(calls.map(({ result, error }) => error ?? result)).toEqual([
      "charged 1",
      "charged 2",
      "charged 3",
    ]);
    expect(charges()).toEqual(["1", "2", "3"]);
  });
});
