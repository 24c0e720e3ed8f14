import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { remoteRunner } from "../../../eval/runs/remote.js";
import type { RunRequest } from "../../../eval/runs/runner.js";
import { importTools } from "../../../nodes/workspace/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../../nodes/workspace/workspace.js";
import { LOCAL_EMBEDDINGS, OFFLINE_MODEL } from "../../../state/settings.js";
import type { Usage } from "../../../state/state.js";
import {
  type ChatEndpoint,
  type EndpointScript,
  startChatEndpoint,
} from "../../fakes/chatEndpoint.js";
import { type LangGraphServer, ROOT, startServer } from "../../fakes/langgraphServer.js";

const REQUEST = "What is 45342 * 23487 + 32478?";
const ANSWER = "1064980032";

let server: LangGraphServer;
let endpoint: ChatEndpoint;
let client: Client;
let script: EndpointScript;
let asked = 0;

beforeAll(async () => {
  // Embedded in advance, which takes most of the time of a first run.
  await openWorkspace().library({ library: "math", embeddings: LOCAL_EMBEDDINGS });
  await importTools({
    store: openWorkspace().store,
    context: { library: WRITING.library, embeddings: LOCAL_EMBEDDINGS },
    file: resolve("tests/fixtures/library/tools.ts"),
    description: "Numbers and greetings",
  });
  endpoint = await startChatEndpoint((request) => script(request, asked++));
  server = await startServer({
    command: [join(ROOT, "node_modules/.bin/langgraphjs"), "dev", "--no-reload"],
    env: { OPENAI_API_KEY: "none", OPENAI_BASE_URL: endpoint.url },
  });
  client = new Client({ apiUrl: server.url });
});
beforeEach(() => {
  asked = 0;
});
afterAll(async () => {
  await server.stop();
  await endpoint.close();
  await closeWorkspaces();
});

describe("a run on a server", () => {
  it("gives the whole state of its end, its stages, and what it uses on the way", async () => {
    const told: Usage[] = [];
    const run = await runner().run(request({ onUsage: (usage) => told.push(usage) }));
    expect(run).toMatchObject({ resumed: false, waiting: false });
    expect(run.failure).toBeUndefined();
    const { values, stages } = run;
    expect(values).toMatchObject({ status: "solved", answer: expect.stringContaining(ANSWER) });
    expect(values.calls?.map(({ tool }) => tool)).toEqual(["multiply", "add"]);
    expect(values.subtasks).toHaveLength(2);
    expect(values.searches).toHaveLength(2);
    expect(stages.map(({ stage }) => stage).join(" ")).toBe(
      "intake decompose phraseSearch search act execute act execute act respond",
    );
    const calls = stages.map(({ modelCalls }) => modelCalls);
    expect(calls.reduce((sum, each) => sum + each)).toBe(values.usage?.modelCalls);
    expect(told.length).toBeGreaterThan(3);
    expect(told.at(-1)).toEqual(values.usage);
  });

  it("gives the plan that it has made", async () => {
    const steps = [
      { tool: "multiply", args: { a: 45342, b: 23487 } },
      { tool: "add", args: { a: "$$PREV[0]", b: 32478 } },
    ];
    script = () => ({ content: JSON.stringify({ steps }) });
    const settings = { model: "openai:scripted", defaultTools: ["multiply", "add"] };
    const { values } = await runner().run({ ...request({ settings }), graph: "iit_main" });
    expect(values).toMatchObject({
      status: "planned",
      plan: {
        steps: [{ tool: "multiply" }, { tool: "add", args: { a: { $prev: 0, path: [] } } }],
        issues: [],
      },
    });
    expect(asked).toBe(1);
  });

  it("is not made a second time when it has ended", async () => {
    const once = request();
    const first = await runner().run(once);
    const second = await runner().run(once);
    expect(second).toEqual({ ...first, resumed: true });
    expect(await client.runs.list(first.threadId)).toHaveLength(1);
  });

  it("is another one for another experiment", async () => {
    const once = request();
    const first = await runner("a").run(once);
    const second = await runner("b").run(once);
    expect(second.threadId).not.toBe(first.threadId);
    expect(second.resumed).toBe(false);
  });

  it("is joined while it is under way, and made once", async () => {
    const keys = ["one", "other"];
    const listening = watchListeners();
    // Under way until both have seen it, however busy the machine is.
    script = async (_, index) => {
      if (index > 0) return STOP;
      await until(() => keys.every((key) => listening().includes(key)));
      return ADD;
    };
    const once = { ...request(), graph: "naive_tool", settings: { model: "openai:scripted" } };
    const both = await Promise.all(keys.map((key) => runner("experiment", key).run(once)));
    expect(both.map(({ values }) => values.status)).toEqual(["solved", "solved"]);
    const [one, other] = both;
    expect(one?.stages).toEqual(other?.stages);
    expect(await client.runs.list(one?.threadId ?? "")).toHaveLength(1);
  });

  it("goes on from its last stage after it was cancelled", async () => {
    script = (_, index) => (index === 0 ? ADD : "hang");
    const cancelling = new AbortController();
    const attempt = { ...request(), graph: "naive_tool", settings: { model: "openai:scripted" } };
    const cancelled = runner().run({ ...attempt, signal: cancelling.signal });
    const reason = new Error("enough");
    void until(() => asked === 2).then(() => cancelling.abort(reason));
    await expect(cancelled).rejects.toBe(reason);
    script = () => STOP;
    const run = await runner().run(attempt);
    expect(run).toMatchObject({ resumed: true, values: { status: "solved", answer: "It is 5." } });
    expect(run.values.calls).toMatchObject([{ tool: "add", result: 5 }]);
    expect(run.stages.map(({ stage }) => stage)).toEqual([
      "intake",
      "search",
      "act",
      "execute",
      "act",
      "respond",
    ]);
    expect(asked).toBe(3);
    const runs = await client.runs.list(run.threadId);
    expect(runs.map(({ status }) => status).toSorted()).toEqual(["interrupted", "success"]);
  });

  it("that breaks off gives the server's reason and the stages before", async () => {
    const run = await runner().run(request({ settings: { library: "maths" } }));
    expect(String(run.failure)).toMatch(
      /ServerFailed: server http.*: the run failed: .*unknown library "maths"/,
    );
    expect(String(run.failure)).not.toContain("\n");
    expect(run.stages.map(({ stage }) => stage)).toEqual(["intake", "decompose", "phraseSearch"]);
  });

  it("that was broken off is continued by the next start", async () => {
    script = (_, index) => (index === 0 ? ADD : { status: 400, body: "no such thing" });
    const attempt = { ...request(), graph: "naive_tool", settings: { model: "openai:scripted" } };
    const broken = await runner().run(attempt);
    expect(String(broken.failure)).toMatch(/the run failed: .*no such thing/);
    expect(broken.values.usage).toMatchObject({ modelCalls: 1 });
    script = () => STOP;
    const run = await runner().run(attempt);
    expect(run).toMatchObject({ resumed: true, values: { answer: "It is 5." } });
    expect(run.failure).toBeUndefined();
  });

  it("that waits for a person is left waiting", async () => {
    const folder = mkdtempSync(join(tmpdir(), "remote-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const args = { file: join(folder, "log"), line: "x" };
    script = () => ({ calls: [{ name: "write_line", arguments: args }] });
    const attempt = { ...request({ settings: WRITING }), graph: "naive_tool" };
    const run = await runner().run(attempt);
    expect(run).toMatchObject({ waiting: true, resumed: false, values: { status: "running" } });
    expect(run.failure).toBeUndefined();
    const again = await runner().run(attempt);
    expect(again).toEqual({ ...run, resumed: true });
    expect(asked).toBe(1);
  });
});

describe("the check of a server", () => {
  it("finds the graphs that it serves", async () => {
    await expect(runner().check(["base", "cot_tulip"])).resolves.toBeUndefined();
  });

  it("names the graphs that there are when one is unknown", async () => {
    await expect(runner().check(["base", "cot_tullip"])).rejects.toThrow(
      /unknown graph at http.* "cot_tullip"; did you mean "cot_tulip"\?; available: auto_tulip, base, /,
    );
  });
});

const ADD = { calls: [{ name: "add", arguments: { a: 2, b: 3 } }] };
const STOP = { calls: [{ name: "stop", arguments: { message: "It is 5.", solved: true } }] };

/** A model that can be scripted, and a library with a tool that writes. */
const WRITING = {
  model: "openai:scripted",
  library: "test",
  threshold: 0,
  approval: "writes",
};

let keys = 0;

function request(changes: Partial<RunRequest> = {}): RunRequest {
  return {
    graph: "cot_tulip",
    threadKey: `run ${keys++}`,
    request: REQUEST,
    signal: new AbortController().signal,
    ...changes,
    settings: { model: OFFLINE_MODEL, ...changes.settings },
  };
}

function runner(experiment = "experiment", apiKey?: string) {
  return remoteRunner({ url: server.url, experiment, apiKey });
}

/** Returns the keys of the runners that have since asked for the events of a run. */
function watchListeners(): () => (string | null)[] {
  const fetched = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => fetched.mockRestore());
  return () =>
    fetched.mock.calls
      .filter(([input]) => /\/runs\/[^/]+\/stream$/.test(pathOf(input)))
      .map(([, init]) => new Headers(init?.headers).get("x-api-key"));
}

function pathOf(input: string | URL | Request): string {
  return new URL(input instanceof Request ? input.url : input).pathname;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((done) => setTimeout(done, 20));
}
