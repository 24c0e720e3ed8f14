import { type IncomingHttpHeaders, type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { remoteRunner } from "../../../eval/runs/remote.js";
import { checkServer } from "../../../eval/runs/remoteServer.js";
import type { RunRequest } from "../../../eval/runs/runner.js";

const REQUEST = "What is 2 + 3?";

let api: Server | undefined;
let url = "";
let requests: { route: string; headers: IncomingHttpHeaders }[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  requests = [];
  api?.closeAllConnections();
  await new Promise((done) => (api ? api.close(done) : done(undefined)));
  api = undefined;
});

describe("the check of an address", () => {
  it.each(["localhost:2024", "nowhere", "file:///tmp"])(
    "refuses %s, which is none",
    async (address) => {
      const message = /^url: ".*" is not the address of a server\. Give one such as/;
      expect(() => remoteRunner({ url: address, experiment: "e" })).toThrow(message);
      await expect(checkServer({ url: address }, [])).rejects.toThrow(message);
    },
  );

  it("says that nobody is there", async () => {
    await serve({});
    api?.close();
    await expect(runner().check(["base"])).rejects.toThrow(
      /^server http:\S+: cannot be reached\. Check that it runs/,
    );
  });

  it.each([
    ["a web page", { text: "<html></html>" }],
    ["another service", { body: { hello: "world" } }],
    ["a list of something else", { body: [{ id: 7 }] }],
    ["a server without this path", { status: 404, text: "Not Found" }],
  ])("says that %s is not a LangGraph API", async (_, answer) => {
    await serve({ "POST /assistants/search": answer });
    await expect(runner().check(["base"])).rejects.toThrow(/answers, but not as a LangGraph API/);
  });

  it("says that the key is refused, in one line", async () => {
    const body = { detail: "Missing\n  credentials" };
    await serve({ "POST /assistants/search": { status: 403, body } });
    await expect(runner().check(["base"])).rejects.toThrow(
      /HTTP 403: Missing credentials\. Give its API key$/,
    );
  });

  it("sends the key that it was given, and no other", async () => {
    vi.stubEnv("LANGSMITH_API_KEY", "of another server");
    await serve({ "POST /assistants/search": { body: [{ graph_id: "base" }] } });
    await runner().check(["base"]);
    await remoteRunner({ url, experiment: "e", apiKey: "secret" }).check(["base"]);
    const keys = requests.map(({ headers }) => headers["x-api-key"]);
    expect(keys).toEqual([undefined, "secret"]);
  });

  it("asks for a graph by its name when the list of assistants lacks it", async () => {
    let asked = 0;
    const rare = { body: [{ graph_id: "rare" }] };
    const lists = [{ body: [{ graph_id: "base" }] }, rare, { body: [] }];
    await serve({ "POST /assistants/search": () => lists[asked++] ?? rare });
    await expect(runner().check(["rare", "none"])).rejects.toThrow(/unknown graph .*"none"/);
  });
});

describe("a server that is overloaded", () => {
  it.each([429, 503])("is asked again after HTTP %i", async (status) => {
    let asked = 0;
    const busy: Answer = { status, headers: { "retry-after": "0" }, text: "busy" };
    await serve({ ...ENDED, "POST /threads": () => (asked++ === 0 ? busy : { body: {} }) });
    const run = await runner().run(request());
    expect(run.values.answer).toBe("5");
    expect(asked).toBe(2);
  });

  it("is not waited for when it wants too long a pause", async () => {
    const headers = { "retry-after": "100000" };
    await serve({ ...ENDED, "POST /threads": { status: 429, headers, text: "busy" } });
    await expect(runner().run(request())).rejects.toThrow(
      /asks to be left alone for 100000 s \(HTTP 429\)\. Try again later/,
    );
  });

  it("does not keep anybody who has given up", async () => {
    const headers = { "retry-after": "600" };
    await serve({ ...ENDED, "POST /threads": { status: 503, headers, text: "busy" } });
    const reason = new Error("enough");
    const controller = new AbortController();
    const run = runner().run(request({ signal: controller.signal }));
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
  });
});

describe("a run that was under way", () => {
  it("is lost when the server calls it running and does not work at it", async () => {
    await serve({ ...UNDER_WAY, "GET /threads/T/runs/R": { body: { status: "running" } } });
    const lost = runner().run(request({ settings: { maxSeconds: 0.2 } }));
    await expect(lost).rejects.toMatchObject({
      name: "Error",
      reason: "the server calls the run running, but does not work at it",
      threadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(requests.map(({ route }) => route)).toContain("POST /threads/T/runs/R/cancel");
  });

  it("is lost when the server has forgotten it", async () => {
    await serve({ ...UNDER_WAY, "GET /threads/T/runs/R": { status: 404, text: "Not Found" } });
    await expect(runner().run(request())).rejects.toThrow("the server has forgotten the run");
  });

  it("has failed when it ended in an error, with what its last stage says", async () => {
    const tasks = [{ error: '{"name":"ModelFailed","message":"no credit"}', interrupts: [] }];
    const state = { ...STATE, next: ["act"], tasks };
    await serve({
      ...UNDER_WAY,
      "GET /threads/T/runs/R": { body: { status: "error" } },
      "GET /threads/T/state": { body: state },
    });
    const run = await runner().run(request());
    expect(run.resumed).toBe(true);
    expect(String(run.failure)).toContain("the run failed: ModelFailed: no credit");
    expect(requests.map(({ route }) => route)).not.toContain("POST /threads/T/runs");
  });
});

describe("a run that was started", () => {
  it.each([
    ["timeout", /the run failed: its time on the server was over$/],
    ["interrupted", /the run failed: it was cancelled on the server$/],
    ["error", /the run failed: the server does not say why; see its log$/],
  ])("has failed when the server ends it with status %s", async (status, message) => {
    const state = { ...STATE, values: {}, next: ["act"], tasks: [{ name: "act", interrupts: [] }] };
    await serve({
      ...UNDER_WAY,
      "GET /threads/T/runs": { body: [] },
      "POST /threads/T/runs": { body: { run_id: "R", status: "pending" } },
      "GET /threads/T/runs/R": { body: { status } },
      "GET /threads/T/state": { body: state },
    });
    const run = await runner().run(request());
    expect(run.resumed).toBe(false);
    expect(String(run.failure)).toMatch(message);
  });

  it("is joined when the answer to its start was lost and the thread is busy now", async () => {
    let lists = 0;
    const running = { body: [{ run_id: "R", status: "running" }] };
    await serve({
      ...UNDER_WAY,
      "GET /threads/T/runs": () => (lists++ < 2 ? { body: [] } : running),
      "POST /threads/T/runs": { status: 409, text: "busy" },
      "GET /threads/T/state": { body: { ...STATE, values: {}, next: [] } },
    });
    const run = await runner().run(request());
    expect(run.failure).toBeUndefined();
    expect(requests.map(({ route }) => route)).toContain("GET /threads/T/runs/R/stream");
  });
});

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
}

type Routes = Record<string, Answer | (() => Answer)>;

const STATE = {
  values: { run: { id: "run", request: REQUEST }, answer: "5" },
  next: [] as string[],
  tasks: [] as unknown[],
};

/** A server on which the run has ended. */
const ENDED: Routes = {
  "POST /threads": { body: {} },
  "GET /threads/T/runs": { body: [] },
  "GET /threads/T/state": { body: STATE },
  "POST /threads/T/history": { body: [] },
};

/** A server with a silent run under way. */
const UNDER_WAY: Routes = {
  ...ENDED,
  "GET /threads/T/runs": { body: [{ run_id: "R", status: "running" }] },
  "GET /threads/T/runs/R": { body: { status: "success" } },
  "GET /threads/T/runs/R/stream": { headers: { "content-type": "text/event-stream" }, text: "" },
  "POST /threads/T/runs/R/cancel": { status: 202 },
};

/** Serves answers by method and path; T stands for any thread id. */
async function serve(routes: Routes): Promise<void> {
  api = createServer((incoming, response) => {
    const path = new URL(incoming.url ?? "", url).pathname.replace(/[0-9a-f-]{36}/, "T");
    const route = `${incoming.method} ${path}`;
    requests.push({ route, headers: incoming.headers });
    const found = routes[route] ?? { status: 500, text: `no route ${route}` };
    const { status = 200, headers, body, text } = typeof found === "function" ? found() : found;
    response.writeHead(status, headers).end(text ?? JSON.stringify(body));
  });
  const server = api;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function runner() {
  return remoteRunner({ url, experiment: "experiment" });
}

function request(changes: Partial<RunRequest> = {}): RunRequest {
  return {
    graph: "base",
    threadKey: "run",
    request: REQUEST,
    settings: {},
    signal: new AbortController().signal,
    ...changes,
  };
}
