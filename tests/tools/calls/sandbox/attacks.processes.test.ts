import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sandbox, openSandbox } from "../../../../tools/calls/sandbox/openSandbox.js";
import { ATTACKS, type Attack } from "./attackList.js";
import { errorOf, resultOf } from "./support.js";

// Low limits, so that each is met soon; time is short only for what would never end, since what comes to
// its own end takes as long as the machine is busy.
const limits = { memoryMb: 32, resultChars: 100_000 };
const hasty = openSandbox({ size: 1, limits: { ...limits, computeMs: 400 } });
const patient = openSandbox({ size: 1, limits: { ...limits, computeMs: 60_000 } });
const OUT_OF_TIME = "it computed for more than 400 ms and was ended";
const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
let residentBefore = 0;

beforeAll(async () => {
  process.on("unhandledRejection", note);
  await checkInnocent(hasty);
  await checkInnocent(patient);
  residentBefore = process.memoryUsage().rss;
});
afterAll(async () => {
  process.off("unhandledRejection", note);
  await Promise.all([hasty.close(), patient.close()]);
});

/** Tools of the host that an attack may call. */
async function callTool({ tool, args }: { tool: string; args: unknown }): Promise<unknown> {
  if (tool === "echo") return args;
  if (tool === "slow") return await sleep(20);
  if (tool === "huge") return "x".repeat(2_000_000);
  if (tool === "prototype") return JSON.parse('{"__proto__": {"polluted": 1}}');
  throw new Error(`${tool} is refused`);
}

async function checkInnocent(sandbox: Sandbox): Promise<void> {
  const program = "function f(a, b = 2) { return { sum: a + b, keys: Object.keys({ a }) }; }";
  expect(await resultOf(sandbox, { program, args: [40] })).toEqual({ sum: 42, keys: ["a"] });
}

/** Where an attack is made. */
function sandboxFor({ gives }: Attack): Sandbox {
  return "error" in gives && gives.error.test(OUT_OF_TIME) ? hasty : patient;
}

/** What comes of an attack; an error that is as it should be is named as the attack names it. */
async function outcomeOf(sandbox: Sandbox, { program, args = [], gives }: Attack) {
  const call = { program, args, callTool };
  if ("value" in gives) return { outcome: { value: await resultOf(sandbox, call) }, message: "" };
  const { message } = await errorOf(sandbox, call);
  return { outcome: { error: gives.error.test(message) ? gives.error : message }, message };
}

function grownMb(): number {
  return (process.memoryUsage().rss - residentBefore) / 2 ** 20;
}

describe.each(Object.entries(ATTACKS))("%s", (_aim, attacks) => {
  test.each(attacks)("$name leaves the host and the next call unharmed", async (attack) => {
    const sandbox = sandboxFor(attack);
    const { outcome, message } = await outcomeOf(sandbox, attack);
    expect(outcome).toEqual(attack.gives);
    expect(message).toMatch(/^[^\n\r\u2028]{0,1000}$/);
    await checkInnocent(sandbox);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("after all attacks", () => {
  test("no rejection was left unhandled", () => {
    expect(unhandled).toEqual([]);
  });

  test("the host's memory has grown by less than 150 MB", async () => {
    await expect.poll(grownMb, { timeout: 60_000 }).toBeLessThan(150);
  });
});
