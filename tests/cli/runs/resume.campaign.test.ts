import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { runReport } from "../../../cli/runs/printRun.js";
import { closeWorkspaces } from "../../../home/workspace.js";
import type { ChildScript, LoggedQuestion } from "../../fakes/commandLine.js";
import type { Reply } from "../../fakes/scriptedModel.js";
import {
  type Child,
  type Printed,
  linesOf,
  run,
  runJson,
  scriptIn,
  startChild,
  temporaryFolder,
} from "../support.js";

const TOOLS = ["tests/fixtures/cli/slow.ts", "tests/fixtures/library/tools.ts"];

const OPTIONS = ["--library", "slow", "--model", "fake:child"];
const SETTINGS = [
  "--graph",
  "cot_tulip",
  "--set",
  'defaultTools=["look_up","send_away","double_number"]',
];

type Report = ReturnType<typeof runReport>;

/** The home of this file, whose tools are read only once. */
const TEMPLATE = process.env["TULIPGRAPH_HOME"] ?? "";

let imported: Promise<unknown> | undefined;

async function copyLibrary(home: string): Promise<void> {
  imported ??= run("tools", "import", ...TOOLS, "--library", "slow");
  await imported;
  await closeWorkspaces();
  cpSync(TEMPLATE, home, { recursive: true });
}

/** A folder with a home in it, its tools, and a script for the model of the processes on it. */
async function workplace(act: (files: { log: string; gate: string }) => Reply[]) {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  const files = { log: join(folder, "log.txt"), gate: join(folder, "gate") };
  const script = {
    subtasks: ["Do it"],
    searches: [{ subtask: 1, phrase: "double a number" }],
    act: act(files),
  };
  await copyLibrary(home);
  const start = (argv: string[], changes: Partial<ChildScript> = {}): Child => {
    const env = { TULIPGRAPH_HOME: home, ...scriptIn(folder, { ...script, ...changes }) };
    return startChild({ argv, env });
  };
  return {
    ...files,
    start,
    solve: (changes?: Partial<ChildScript>, ...more: string[]) =>
      start(["solve", "Do it", ...OPTIONS, ...SETTINGS, "--thread", "job", ...more], changes),
    resume: async (code = 0, ...more: string[]): Promise<Printed & { json: Report }> => {
      const printed = await start(["resume", "job", "--json", ...more]).ended;
      expect(printed).toMatchObject({ stderr: "", code });
      return { ...printed, json: JSON.parse(printed.stdout) as Report };
    },
    openGate: () => writeFileSync(files.gate, ""),
    marks: () => linesOf(files.log),
    questions: () =>
      linesOf(join(folder, "questions.jsonl")).map((line) => JSON.parse(line) as LoggedQuestion),
    threads: () => inHome(home, () => run("threads")),
    roles: async () => {
      const { json } = await inHome(home, () => runJson("threads", "job"));
      return (json as { messages: { role: string }[] }).messages.map(({ role }) => role);
    },
  };
}

async function inHome<Result>(home: string, work: () => Promise<Result>): Promise<Result> {
  const before = process.env["TULIPGRAPH_HOME"];
  process.env["TULIPGRAPH_HOME"] = home;
  try {
    return await work();
  } finally {
    process.env["TULIPGRAPH_HOME"] = before;
  }
}

type Workplace = Awaited<ReturnType<typeof workplace>>;

/** Ends a process in the middle of the call that leaves the first mark, or a later one. */
async function endAtMark(options: {
  child: Child;
  place: Workplace;
  signal: NodeJS.Signals;
  count?: number;
}): Promise<Printed> {
  const { child, place, signal, count = 1 } = options;
  const marks = () => place.marks().length;
  await expect.poll(marks, { timeout: 200_000, interval: 50 }).toBe(count);
  child.process.kill(signal);
  return await child.ended;
}

const DOUBLE: Reply = { calls: [{ name: "double_number", args: { value: 21 } }] };

describe("a run whose process is killed between two stages", () => {
  it("continues in another process, with its settings and without repeating anything", async () => {
    const place = await workplace(() => [DOUBLE, { stop: "It is 42." }]);
    const killed = place.solve(
      { killAt: { stage: "act", observations: 1 } },
      "--set",
      "maxModelCalls=9",
    );
    expect((await killed.ended).code).toBeNull();
    expect((await place.threads()).stdout).toMatch(/^job .* running {2}cot_tulip$/m);
    const { json } = await place.resume();
    expect(json).toMatchObject({
      graph: "cot_tulip",
      status: "solved",
      answer: "It is 42.",
      calls: [{ tool: "double_number", result: 42 }],
      usage: { modelCalls: 4 },
      threadId: "job",
    });
    expect(place.questions().map(({ stage }) => stage)).toEqual([
      "decompose",
      "phraseSearch",
      "act",
      "act",
    ]);
    expect((await place.threads()).stdout).toMatch(/^job .* solved {2}cot_tulip$/m);
  }, 900_000);
});

describe("a run whose process is killed in the middle of a call", () => {
  it("that only reads makes it again, and no call that had ended", async () => {
    const place = await workplace(({ log, gate }) => [
      { calls: [{ name: "send_away", args: { log, gate: log } }] },
      { calls: [{ name: "look_up", args: { log, gate } }] },
      { stop: "It is done." },
    ]);
    await endAtMark({ child: place.solve(), place, signal: "SIGKILL", count: 2 });
    expect(place.marks()).toEqual(["sent", "looked up"]);
    place.openGate();
    const { json } = await place.resume();
    expect(json).toMatchObject({
      status: "solved",
      answer: "It is done.",
      calls: [
        { tool: "send_away", result: "sent" },
        { tool: "look_up", result: "looked up" },
      ],
    });
    expect(place.marks()).toEqual(["sent", "looked up", "looked up"]);
  }, 900_000);

  it("that writes asks whether it was made, and goes on with the answer", async () => {
    const place = await workplace(({ log, gate }) => [
      { calls: [{ name: "send_away", args: { log, gate } }] },
      { stop: "It is sent." },
    ]);
    await endAtMark({ child: place.solve(), place, signal: "SIGKILL" });
    const { json: waiting } = await place.resume(3);
    expect(waiting).toMatchObject({ status: "waiting" });
    const { json } = await place.resume(0, "--answer", '{"made":true,"result":"sent"}');
    expect(json).toMatchObject({
      status: "solved",
      answer: "It is sent.",
      calls: [{ tool: "send_away", result: "sent" }],
    });
    expect(place.marks()).toEqual(["sent"]);
  }, 900_000);

  it("that writes does not repeat it, and tells the model that its outcome is unknown if nobody knows", async () => {
    const place = await workplace(({ log, gate }) => [
      { calls: [{ name: "send_away", args: { log, gate } }] },
      { stop: "It may have been sent." },
    ]);
    await endAtMark({ child: place.solve(), place, signal: "SIGKILL" });
    place.openGate();
    await place.resume(3);
    const { json } = await place.resume(1, "--reject");
    expect(json).toMatchObject({
      status: "unsolved",
      answer: expect.stringMatching(
        /^It may have been sent\. It is not known whether this was done/,
      ) as string,
      calls: [{ tool: "send_away", error: expect.stringMatching(/^outcome unknown/) as string }],
    });
    expect(place.marks()).toEqual(["sent"]);
    expect(place.questions().at(-1)?.observations).toMatchObject([
      { tool: "send_away", error: expect.stringMatching(/^outcome unknown/) as string },
    ]);
  }, 900_000);

  it("takes a new request instead of being resumed", async () => {
    const place = await workplace(({ log, gate }) => [
      { calls: [{ name: "send_away", args: { log, gate } }] },
    ]);
    await endAtMark({ child: place.solve(), place, signal: "SIGKILL" });
    const next = place.solve({ act: [DOUBLE, { stop: "It is 42." }] }, "--json");
    const { code, stdout } = await next.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      answer: "It is 42.",
      calls: [{ tool: "double_number" }],
      usage: { modelCalls: 4 },
    });
    expect(place.marks()).toEqual(["sent"]);
    // Providers refuse a history in which a call has no answer.
    expect(await place.roles()).toEqual([
      "human",
      "ai",
      "tool",
      "human",
      "ai",
      "tool",
      "ai",
      "tool",
      "ai",
    ]);
  }, 900_000);
});

describe("a run that is cancelled with Ctrl-C", () => {
  it("exits with 130, says how to continue, and can be resumed", async () => {
    const place = await workplace(({ log, gate }) => [
      { calls: [{ name: "look_up", args: { log, gate } }] },
      { stop: "It is done." },
    ]);
    const printed = await endAtMark({ child: place.solve(), place, signal: "SIGINT" });
    expect(printed.code).toBe(130);
    expect(printed.stderr).toBe("Cancelled. To continue: tulipgraph resume job\n");
    expect((await place.threads()).stdout).toMatch(/^job .* cancelled {2}cot_tulip$/m);
    place.openGate();
    const { json } = await place.resume();
    expect(json).toMatchObject({ status: "solved", calls: [{ result: "looked up" }] });
  }, 900_000);
});

async function marked(place: Workplace): Promise<void> {
  const marks = () => place.marks().length;
  await expect.poll(marks, { timeout: 200_000, interval: 50 }).toBe(1);
}

function toldOf(child: Child, { code, stderr }: Printed): void {
  expect(code).toBe(2);
  expect(stderr.trimEnd().split("\n")).toEqual([
    expect.stringMatching(
      new RegExp(`^error: thread job: process ${child.process.pid} on .* since .*try again$`),
    ),
  ]);
}

/** A run in the middle of a write that ends when the gate opens. */
async function inTheMiddle() {
  const place = await workplace(({ log, gate }) => [
    { calls: [{ name: "send_away", args: { log, gate } }] },
    { stop: "It is sent." },
  ]);
  const child = place.solve();
  await marked(place);
  return { place, child };
}

describe("a thread that two processes want", () => {
  it("is continued by one of two that resume it at once, and the other is told by whom", async () => {
    for (let time = 0; time < 2; time += 1) {
      const place = await workplace(({ log, gate }) => [
        DOUBLE,
        { calls: [{ name: "send_away", args: { log, gate } }] },
        { stop: "It is sent." },
      ]);
      await place.solve({ killAt: { stage: "act", observations: 1 } }).ended;
      const children = [1, 2].map(() => place.start(["resume", "job"]));
      const first = await Promise.race(
        children.map(async (child) => ({ child, printed: await child.ended })),
      );
      const other = children.find((child) => child !== first.child);
      if (other === undefined) throw new Error("there are two");
      toldOf(other, first.printed);
      await marked(place);
      place.openGate();
      expect(await other.ended).toMatchObject({ code: 0 });
      expect(place.marks()).toEqual(["sent"]);
    }
  }, 900_000);

  it("stays with the one that works on it, whatever the other wants", async () => {
    const { place, child } = await inTheMiddle();
    toldOf(child, await place.start(["resume", "job"]).ended);
    const next = place.start([
      "solve",
      "Do more",
      ...OPTIONS,
      "--thread",
      "job",
      "--set",
      "topK=3",
    ]);
    toldOf(child, await next.ended);
    place.openGate();
    expect(await child.ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching("It is sent"),
    });
    expect(place.marks()).toEqual(["sent"]);
    expect((await place.threads()).stdout).toMatch(/^job .* solved {2}cot_tulip\n {2}Do it$/m);
  }, 900_000);
});
