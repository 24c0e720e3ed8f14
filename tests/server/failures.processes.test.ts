import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type Socket, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { made } from "../../graphs/tulipAgent.js";
import { syncConnected } from "../../home/connectedSources.js";
import { importTools } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import type { DataPlace } from "../../storage/database.js";
import { listOpenApi } from "../../tools/sources/openapi/listOpenApi.js";
import { type EndpointReply, startChatEndpoint } from "../fakes/chatEndpoint.js";
import { inEachHome } from "../fakes/homes.js";
import { hurry } from "../fakes/hurriedTime.js";
import { scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { fixture, importServer } from "../tools/sources/mcp/support.js";
import { importInto, serveHere } from "./support.js";

/** Pauses between tries are cut short; the time for a request is real. */
function hurryTries(): void {
  hurry([1_000, 15_000], 20);
  onTestFinished(() => void vi.restoreAllMocks());
}

/** A model's endpoint that fails in some way, and what a caller is told of it. */
type Failing = [kind: string, open: () => Promise<string>, told: RegExp];

const MODELS: Failing[] = [
  ["refuses connections", () => closedPort(), /cannot be reached \(ECONNREFUSED\)/],
  [
    "has a name that nobody knows",
    async () => "http://nowhere.invalid/v1",
    /cannot be reached \((ENOTFOUND|EAI_AGAIN)\)/,
  ],
  [
    "resets each connection",
    () => socketServer((one) => one.resetAndDestroy()),
    /ECONNRESET|broke off/,
  ],
  [
    "resets the connection in the middle of its reply",
    () =>
      socketServer((one) =>
        one.write(STREAM_BEGIN, () => setTimeout(() => one.resetAndDestroy(), 50)),
      ),
    /broke off/,
  ],
  ["never answers", () => answering("hang"), /did not answer in time/],
  ["refuses the key", () => answering(refusal(401)), /key was refused \(HTTP 401\)/],
  ["does not know the model", () => answering(refusal(404)), /not found \(HTTP 404\)/],
  ["has a rate limit", () => answering(refusal(429)), /HTTP 429/],
  ["has an error of its own", () => answering(refusal(500)), /HTTP 500/],
  ["speaks no JSON", () => answering({ status: 200, body: "<html>" }), /endpoint/],
  [
    "speaks no TLS",
    async () => (await answering({ content: "5" })).replace("http:", "https:"),
    /model openai:any/,
  ],
];

const STREAM_BEGIN = `HTTP/1.1 200 OK\r
content-type: text/event-stream\r
transfer-encoding: chunked\r
\r
8\r
data: {}\r
`;

/** A refusal, with a wait that is longer than a run would wait for. */
function refusal(status: number): EndpointReply {
  return { status, body: { error: { message: "no" } }, headers: { "retry-after": "3600" } };
}

async function answering(reply: EndpointReply): Promise<string> {
  const endpoint = await startChatEndpoint(() => reply);
  onTestFinished(() => endpoint.close());
  return endpoint.url;
}

async function socketServer(meet: (connection: Socket) => void): Promise<string> {
  const server = createServer((connection) => {
    connection.on("error", () => undefined);
    connection.once("data", () => meet(connection));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function closedPort(): Promise<string> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return `http://127.0.0.1:${port}/v1`;
}

/** Runs a graph on a server. @returns how often the run was started, and how it ended */
async function served(place: DataPlace, context: Record<string, unknown>) {
  const { client } = await serveHere(place);
  const { thread_id } = await client.threads.create();
  const stream = client.runs.stream(thread_id, "naive_tool", {
    input: { request: "What is 2 + 3?" },
    context: { ...TEST_LIBRARY, approval: "none", ...context },
    streamMode: ["values"],
  });
  const ended = { starts: 0, error: "", calls: [] as { error?: string }[] };
  for await (const { event, data } of stream) {
    if (event === "metadata") ended.starts += 1;
    // Once more is too often already.
    if (ended.starts > 1) break;
    if (event === "error") ended.error = (data as unknown as { message: string }).message;
    if (event === "values") ended.calls = (data as { calls?: { error?: string }[] }).calls ?? [];
  }
  return ended;
}

const OPENAI = { model: "openai:any", modelTimeoutMs: 20_000 };

/** Errors as our own databases have them, of somebody else's. */
const DATABASES: [code: string, message: string][] = [
  ["57P01", "terminating connection due to administrator command"],
  ["SQLITE_FULL", "database or disk is full"],
  ["", "Connection terminated unexpectedly"],
];

inEachHome("a run whose model's provider has a database that fails", (newPlace) => {
  it.each(DATABASES)("(%s: %s) is started once, and its caller is told", async (code, message) => {
    const { spec } = scriptedModel([Object.assign(new Error(message), { code })]);
    const place = await newPlace();
    await importInto(place);
    const { starts, error } = await served(place, { model: spec });
    expect(error).toContain(message);
    expect(starts).toBe(1);
  });
});

inEachHome("a run whose model's endpoint", (newPlace) => {
  it.each(MODELS)("%s is started once, and its caller is told why", async (kind, open, told) => {
    hurryTries();
    vi.stubEnv("OPENAI_BASE_URL", await open());
    vi.stubEnv("OPENAI_API_KEY", "none");
    const modelTimeoutMs = kind === "never answers" ? 300 : OPENAI.modelTimeoutMs;
    const place = await newPlace();
    await importInto(place);
    const { starts, error } = await served(place, { ...OPENAI, modelTimeoutMs });
    expect(error).toMatch(told);
    expect(starts).toBe(1);
  });
});

describe("a graph in this process whose model's endpoint", () => {
  it.each(MODELS)("%s fails with the same error", async (kind, open, told) => {
    hurryTries();
    vi.stubEnv("OPENAI_BASE_URL", await open());
    vi.stubEnv("OPENAI_API_KEY", "none");
    const modelTimeoutMs = kind === "never answers" ? 300 : OPENAI.modelTimeoutMs;
    const place = { home: process.env.TULIPGRAPH_HOME ?? "" };
    await importInto(place);
    const context = { ...TEST_LIBRARY, ...OPENAI, modelTimeoutMs };
    const { graph } = made.naive_tool;
    await expect(graph.invoke({ request: "What is 2 + 3?" }, { context })).rejects.toThrow(told);
  });
});

const FETCHING = `
/** Fetch a page.
 * @effects read */
export async function visit(url: string): Promise<string> {
  return await (await fetch(url)).text();
}
`;

/** Puts a tool that fails when it is called into the library of the tests. @returns the call's arguments */
const TOOLS: [
  kind: string,
  put: (place: DataPlace) => Promise<[tool: string, args: object]>,
  told: RegExp,
][] = [
  [
    "fetches from a port where nobody listens",
    async (place) => {
      const file = join(place.home, "pages.ts");
      writeFileSync(file, FETCHING);
      const workspace = openWorkspace({ home: place.home, database: place.url });
      await importTools({ store: workspace.store, settings: TEST_LIBRARY, file, description: "x" });
      return ["visit", { url: await closedPort() }];
    },
    /fetch failed/,
  ],
  [
    "is of an MCP server that dies of the call",
    async (place) => {
      const workspace = openWorkspace({ home: place.home, database: place.url });
      onTestFinished(() => workspace.close());
      const settings = fixture("liar.mjs", "breaks");
      await importServer({ workspace, name: "liar", settings, library: TEST_LIBRARY.library });
      return ["read", {}];
    },
    /MCP server liar: the connection broke/,
  ],
  [
    "is of an API that resets connections",
    async (place) => {
      const url = await socketServer((one) => one.resetAndDestroy());
      const document = join(place.home, "shop.json");
      const get = { operationId: "things", responses: { 200: { description: "Done" } } };
      const info = { title: "Shop", version: "1" };
      const shop = { openapi: "3.0.3", info, servers: [{ url }], paths: { "/things": { get } } };
      writeFileSync(document, JSON.stringify(shop));
      const listing = await listOpenApi({ name: "shop", document });
      const { store } = openWorkspace({ home: place.home, database: place.url });
      const source = { name: "shop", kind: "openapi" as const, settings: { document, auth: {} } };
      await syncConnected({ store, settings: parseSettings(TEST_LIBRARY), source, listing });
      return ["things", {}];
    },
    /cannot be reached \(/,
  ],
];

inEachHome("a run whose tool", (newPlace) => {
  it.each(TOOLS)("%s is started once, and its model is told why", async (_kind, put, told) => {
    const place = await newPlace();
    const [name, args] = await put(place);
    const { spec } = scriptedModel([{ calls: [{ name, args }] }, { stop: "It failed." }]);
    const { starts, error, calls } = await served(place, { model: spec });
    expect(error).toBe("");
    expect(calls).toMatchObject([{ error: expect.stringMatching(told) }]);
    expect(starts).toBe(1);
  });
});
