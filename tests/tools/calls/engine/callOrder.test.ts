import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createToolRuntime } from "../../../../tools/calls/runtime.js";
import { temporaryFolder, toolRecord } from "../support.js";

const TOOLS = {
  read: toolRecord("read", { effects: "read" }),
  write: toolRecord("write"),
};

/** Runs calls that take a moment, and tells when each began and ended. */
async function happeningsOf(names: readonly (keyof typeof TOOLS)[]): Promise<string[]> {
  const happenings: string[] = [];
  const runtime = createToolRuntime({
    home: temporaryFolder(),
    invoke: async ({ call: { id } }) => {
      happenings.push(`${id} begins`);
      await wait(20);
      happenings.push(`${id} ends`);
      if (id.includes("write 1")) throw new Error("no room");
      return { resultJson: "1" };
    },
  });
  onTestFinished(() => runtime.close());
  const calls = names.map((name, at) => ({ id: `${name} ${at}`, tool: TOOLS[name], args: {} }));
  const outcomes = await runtime.runCalls({ threadId: "order", timeoutMs: 60_000, calls });
  expect(outcomes.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
  return happenings;
}

test("reads of one message are made together", async () => {
  const [first, second] = await happeningsOf(["read", "read"]);
  expect([first, second]).toEqual(["read 0 begins", "read 1 begins"]);
});

test("a write waits for what stands before it, and what follows waits for it, also where it fails", async () => {
  expect(await happeningsOf(["read", "write", "write", "read"])).toEqual(
    ["read 0", "write 1", "write 2", "read 3"].flatMap((id) => [`${id} begins`, `${id} ends`]),
  );
});
