import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { ModelFailed } from "../../../common/errors.js";
import { graphServer } from "../../../eval/runs/graphServer.js";
import { servedRunner } from "../../../eval/runs/servedRunner.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { inEachHome, newHome } from "../../fakes/homes.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { echoModel, serveHere } from "../../server/support.js";
import { errorLine, run, temporaryFolder } from "../support.js";
import { benchmarkFolder, recordsIn } from "./support.js";

/** Options of a small experiment whose tools the catalog has. */
function options(benchmark: string, out: string, ...more: string[]): string[] {
  const tasks = ["--benchmark", benchmark, "--task", "sum,product,both", "--out", out];
  return ["eval", "run", ...tasks, "--graphs", "tulip", "--models", "offline:planner", ...more];
}

const ADD_AND_MULTIPLY = [
  { id: "add", name: "add", description: "Add.", parameters: { type: "object" } },
  { id: "multiply", name: "multiply", description: "Multiply.", parameters: { type: "object" } },
];

const small = () => benchmarkFolder({ tools: ADD_AND_MULTIPLY });

/** What a run did, without times and ids, and where its tools were: a server's library has others, too. */
function deeds({ id, settings, status, answer, calls, stages, error }: RunRecord) {
  const made = calls.map(({ tool, args, result }) => ({ tool, args, result }));
  const { library: _, toolIds: _ids, ...held } = settings;
  return { id, held, status, answer, made, stages: stages.map(({ stage }) => stage), error };
}

/** The deeds of all runs, in the order of their ids. */
function byId(out: string) {
  return recordsIn(out)
    .map(deeds)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

inEachHome("eval run --server", (newPlace) => {
  it("records of each task what a run in this process records", async () => {
    const [here, there] = [join(temporaryFolder(), "here"), join(temporaryFolder(), "there")];
    const benchmark = small();
    // At its end, the command line closes what is open in its process.
    await run(...options(benchmark, here));
    const { url } = await serveHere(await newPlace());
    const { code } = await run(...options(benchmark, there, "--server", url));
    expect(code).toBe(0);
    expect(byId(there)).toEqual(byId(here));
    expect(byId(there).map(({ made }) => made.length)).toEqual([2, 1, 1]);
  });

  it("waits as long as a provider asks, and goes on with the run where it stopped", async () => {
    let asked = 0;
    const { spec } = scriptedModel(({ messages }) => {
      asked += 1;
      const isDone = messages.some(({ type }) => type === "tool");
      const overloaded = { retryAfterMs: 300 };
      if (isDone && asked === 2)
        return new ModelFailed({ model: "m", problem: "full", overloaded });
      return isDone ? { stop: "42" } : { calls: [{ name: "add", args: { a: 17, b: 25 } }] };
    });
    const { url } = await serveHere(await newPlace());
    const out = join(temporaryFolder(), "out");
    const one = ["--task", "sum", "--graphs", "minimal_tulip", "--models", spec, "--server", url];
    const { stderr } = await run(...options(small(), out, ...one));
    expect(stderr).toContain("all runs wait");
    expect(recordsIn(out)).toMatchObject([
      { status: "solved", calls: [{ tool: "add", result: 42 }], attempt: 1, resumed: true },
    ]);
    expect(asked).toBe(3);
  });

  it("asks for the same attempt again without making it again", async () => {
    const { url } = await serveHere(await newPlace());
    const { context, questions } = echoModel();
    const runner = servedRunner({ server: graphServer({ urls: [url] }), experiment: "e" });
    const { signal } = new AbortController();
    const wanted = { graph: "base", request: "hello", settings: { ...context }, signal };
    const first = await runner.run({ ...wanted, threadKey: "a" });
    expect(first).toMatchObject({ values: { answer: "You said hello." }, resumed: false });
    expect(await runner.run({ ...wanted, threadKey: "a" })).toMatchObject({
      values: { answer: "You said hello." },
      threadId: first.threadId,
      resumed: true,
    });
    expect(questions).toHaveLength(1);
    await runner.run({ ...wanted, threadKey: "b" });
    expect(questions).toHaveLength(2);
  });

  it("goes on with a run that was cancelled, from where it was", async () => {
    const { url, client } = await serveHere(await newPlace());
    const { context, gate, questions } = echoModel();
    const runner = servedRunner({ server: graphServer({ urls: [url] }), experiment: "e" });
    const leaving = new AbortController();
    const wanted = { graph: "base", request: "wait", settings: { ...context }, threadKey: "a" };
    const left = runner.run({ ...wanted, signal: leaving.signal });
    await gate.arrived;
    leaving.abort();
    await expect(left).rejects.toThrow(/abort/i);
    const [thread] = await client.threads.search();
    const runs = await client.runs.list(thread?.thread_id ?? "");
    expect(runs).toMatchObject([{ status: "interrupted" }]);
    gate.open();
    const { signal } = new AbortController();
    expect(await runner.run({ ...wanted, signal })).toMatchObject({
      values: { answer: "You said wait." },
    });
    expect(questions).toHaveLength(2);
  });
});

describe("eval run --server", () => {
  it("records results in whole that a server keeps beside the run", async () => {
    const home = newHome();
    vi.stubEnv("TULIPGRAPH_HOME", home);
    const file = join(home, "long.ts");
    writeFileSync(
      file,
      "/** Read the log.\n * @effects read\n */\nexport function read_log(): string { return 'x'.repeat(200_000); }\n",
    );
    expect(await run("tools", "import", file, "--library", "logs")).toMatchObject({ code: 0 });
    const tasks = join(home, "tasks.jsonl");
    writeFileSync(tasks, `${JSON.stringify({ query: "Read the log", tools: ["read_log"] })}\n`);
    const { spec } = scriptedModel(({ messages }) =>
      messages.some(({ type }) => type === "tool")
        ? { stop: "It is long." }
        : { calls: [{ name: "read_log", args: {} }] },
    );
    const { url } = await serveHere({ home });
    const out = join(home, "out");
    const own = ["eval", "run", "--library", "logs", "--tasks", tasks, "--out", out];
    const how = ["--graphs", "minimal_tulip", "--models", spec, "--server", url];
    await run(...own, ...how);
    expect(recordsIn(out)[0]?.calls).toMatchObject([{ result: "x".repeat(200_000) }]);
  });

  it.each<[string, string[], RegExp]>([
    ["tasks whose world is made here", ["--benchmark", "work", "--server", "URL"], /world/],
    ["what is no address", ["--benchmark", "math", "--server", "team"], /"team" is not an address/],
    [
      "a graph that no server has",
      ["--benchmark", "math", "--graphs", "nosuch", "--server", "URL"],
      /unknown graph "nosuch"/,
    ],
    [
      "to keep replies, which servers get",
      ["--benchmark", "math", "--record", "r.jsonl", "--server", "URL"],
      /--server <urls>.* cannot be used with option .*--record/,
    ],
    [
      "a key that the environment lacks",
      ["--benchmark", "math", "--key", "$NO_SUCH_KEY", "--server", "URL"],
      /--key: the environment variable NO_SUCH_KEY is not set/,
    ],
  ])("refuses %s", async (_, argv, reason) => {
    const { url } = await serveHere({ home: newHome() });
    const given = argv.map((each) => (each === "URL" ? url : each));
    const out = join(temporaryFolder(), "out");
    expect(errorLine(await run("eval", "run", ...given, "--out", out))).toMatch(reason);
  });

  it("tells in the server's own words that it refuses a key", async () => {
    const policyFile = join(temporaryFolder(), "serve.json");
    writeFileSync(policyFile, '{ "authentication": "on" }');
    const { url } = await serveHere({ home: newHome() }, { policyFile });
    const argv = ["eval", "run", "--benchmark", "math", "--limit", "1", "--server", url];
    const out = join(temporaryFolder(), "out");
    expect(errorLine(await run(...argv, "--out", out))).toMatch(
      /the request was refused \(no valid key or token came with the request\. [^{}]+\)/,
    );
  });

  it("says which tools a library on the server lacks", async () => {
    const { url } = await serveHere({ home: newHome() });
    const out = join(temporaryFolder(), "out");
    const argv = ["eval", "run", "--benchmark", benchmarkFolder(), "--out", out, "--server", url];
    expect(errorLine(await run(...argv))).toMatch(
      /library math on the server: lacks 1 tool \(book_flight\)/,
    );
  });
});
