import { afterAll, describe, expect, test } from "vitest";
import { createToolRuntime, type ToolRuntime } from "../../../tools/calls/runtime.js";
import type { CallsToRun } from "../../../tools/calls/engine/callScope.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { generatedTool, recordOf } from "./generatedSupport.js";
import {
  CATALOGS,
  COUNTER,
  counterTool,
  NUMBER,
  temporaryFolder,
  TEXT,
  toolRecord,
} from "./support.js";

const home = temporaryFolder();
const open = (computeMs: number) =>
  createToolRuntime({
    home,
    catalogs: CATALOGS,
    worlds: [COUNTER],
    sandbox: { size: 2, limits: { computeMs } },
  });
/** Gives programs more time than any of them needs, however busy the machine is. */
const runtime = open(60_000);
/** For those that never end. */
const hasty = open(1_000);
afterAll(() => Promise.all([runtime.close(), hasty.close()]));

const double = counterTool("double", {
  properties: { value: NUMBER },
  effects: "read",
  cost: 2,
  source: { takesContext: false },
});
const increase = counterTool("increase", {
  properties: { by: NUMBER, ms: { type: "number", default: 1 } },
});
const secret = toolRecord("secret", { effects: "read", approval: true });
const hang = toolRecord("hang", { effects: "read" });
const quadruple = recordOf(
  generatedTool("quadruple", {
    program: `async function quadruple(value) {
      return await callTool("double", { value: await callTool("double", { value }) });
    }`,
    properties: { value: NUMBER },
    calls: ["double"],
    cost: 1,
  }),
);
const library = new Map<string, ToolRecord>(
  [double, increase, secret, hang, quadruple].map((tool) => [tool.id, tool]),
);

/** A tool whose program is the body of an async function without parameters. */
function doing(
  body: string,
  details: { calls?: string[]; effects?: "read" | "write"; timeoutMs?: number } = {},
) {
  return recordOf(
    generatedTool("act", { program: `async function act() { ${body} }`, ...details }),
  );
}

async function run(
  threadId: string,
  tool: ToolRecord,
  args: Record<string, unknown> = {},
  { on = runtime, ...options }: Partial<CallsToRun> & { on?: ToolRuntime } = {},
) {
  const [outcome] = await on.runCalls({
    threadId,
    timeoutMs: 100_000,
    library,
    ...options,
    calls: [{ id: "call", tool, args }],
  });
  return outcome;
}

describe("a call of a tool that a model has written", () => {
  test("gets its arguments one by one, and lists of the last one spread", async () => {
    const join = recordOf(
      generatedTool("join", {
        program: `function join(at, by = "-", ...words) { return [at, words.join(by)]; }`,
        properties: {
          at: TEXT,
          by: TEXT,
          words: { type: "array", items: TEXT },
        },
        rest: true,
      }),
    );
    const args = { at: "x", words: ["a", "b"] };
    expect(await run("arguments", join, args)).toMatchObject({ result: ["x", "a-b"] });
  });

  test("is journaled, and answered from the journal when it is repeated", async () => {
    const tool = doing("return Math.random();");
    const first = await run("again", tool);
    const second = await run("again", tool);
    expect(second).toMatchObject({ result: first?.result, replayed: true });
    expect(await runtime.journal.calls("again")).toMatchObject([{ tool: "act", status: "done" }]);
  });

  test.each<[string, ToolRuntime, string, string]>([
    [
      "what it has thrown",
      runtime,
      "throw new RangeError('not\\nnegative');",
      "^RangeError: not negative$",
    ],
    ["the limit of time", hasty, "for (;;);", "it computed for more than 1000 ms and was ended"],
    ["the limit of nesting", runtime, "return act();", "its calls are nested too deep"],
  ])("is an error in one line that says %s", async (what, on, body, error) => {
    const outcome = await run(`error ${what}`, doing(body), {}, { on });
    expect(outcome).toMatchObject({ status: "error" });
    expect(outcome?.error).toMatch(new RegExp(error));
    expect(outcome?.resultText).not.toContain("\n");
  });
});

describe("a tool of a model that calls tools", () => {
  test("is charged for them, and they are journaled under its id", async () => {
    expect(await run("nested", quadruple, { value: 3 })).toMatchObject({ result: 12, cost: 5 });
    const entries = await runtime.journal.calls("nested");
    expect(entries.map(({ callId, tool, status }) => `${callId} ${tool} ${status}`)).toEqual([
      "call quadruple done",
      "call/1 double done",
      "call/2 double done",
    ]);
  });

  test.each<[string, string, { calls: string[] }, string]>([
    [
      "it does not list",
      "double",
      { calls: ["quadruple", "hang"] },
      "act cannot call double: it may only call quadruple, hang, which it lists with @calls",
    ],
    ["that does not exist", "gone", { calls: ["gone"] }, "there is no such tool"],
    ["that needs an approval", "secret", { calls: ["secret"] }, "a person has to approve"],
    ["that writes, while it only reads", "increase", { calls: ["increase"] }, "it writes"],
  ])("cannot call one %s", async (why, name, { calls }, error) => {
    const tool = doing(`return await callTool('${name}', {});`, { calls });
    const outcome = await run(`refused ${why}`, tool);
    expect(outcome).toMatchObject({ status: "error", error: expect.stringContaining(error) });
    expect(await runtime.journal.calls(`refused ${why}`)).toHaveLength(1);
  });

  test.each<[string, () => boolean, object]>([
    [
      "asks a person about",
      () => true,
      { error: expect.stringContaining("has to approve each of its calls; call it directly") },
    ],
    ["asks nobody about", () => false, { result: 4 }],
  ])("calls what its run %s only where nobody is asked", async (what, needsApproval, outcome) => {
    const tool = doing("return await callTool('double', { value: 2 });", { calls: ["double"] });
    const asking = { get: (id: string) => library.get(id), needsApproval };
    expect(await run(what, tool, {}, { library: asking })).toMatchObject(outcome);
  });

  test("changes the run's world through them", async () => {
    const tool = doing(
      "for (const by of [1, 10]) await callTool('increase', { by }); return await callTool('increase', { by: 100 });",
      { calls: ["increase"], effects: "write" },
    );
    expect(await run("world", tool)).toMatchObject({ status: "done", result: 111 });
    const { world } = await runtime.worlds.open({ name: "counter", runId: "world" });
    expect(world).toMatchObject({ value: 111, history: ["call/1", "call/2", "call/3"] });
  });
});
