import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readServer } from "../../../../tools/sources/mcp/listing.js";
import { hurry } from "../../../fakes/hurriedTime.js";
import { type Exchange, handMadeServer, sendJson } from "./handMade.js";
import { serve } from "./httpSupport.js";
import { callTool, importServer, toolsOf, workspaceOfTest } from "./support.js";

async function library(on: (exchange: Exchange) => boolean | void) {
  const server = await handMadeServer(on);
  const workspace = workspaceOfTest();
  await importServer({ workspace, name: "made", settings: { url: server.url, headers: {} } });
  const tools = await toolsOf(workspace, "made");
  const call = (name: "read" | "write") =>
    callTool({ workspace, tool: tools.get(`made.${name}`), args: {} });
  return { server, call };
}

const REFUSALS = [
  { status: 404, body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"gone"}}' },
  { status: 400, body: "Bad Request: No valid session ID provided" },
  { status: 400, body: "" },
  { status: 410, body: "<h1>Gone</h1>" },
  { status: 500, body: "Invalid session" },
];

describe("a server that no longer knows a session", () => {
  it.each(REFUSALS)(
    "and says $status $body is called in a new one, for reads and writes",
    async ({ status, body }) => {
      let refusals = 0;
      let isForgetful = false;
      const { server, call } = await library(({ request, session, response }) => {
        if (!isForgetful || request.method === "initialize" || server.knows(session)) return false;
        if (request.method === "tools/call") refusals += 1;
        response.writeHead(status).end(body);
        return true;
      });
      isForgetful = true;
      expect(await call("read")).toMatchObject({ status: "done" });
      for (const name of ["read", "write"] as const) {
        server.forget();
        expect(await call(name)).toMatchObject({ status: "done", result: "done" });
      }
      expect(refusals).toBe(2);
    },
  );

  it("for good is asked only once more", async () => {
    let isBroken = false;
    let refusals = 0;
    const { call } = await library(({ request, response }) => {
      if (!isBroken || request.method !== "tools/call") return false;
      refusals += 1;
      response.writeHead(404).end();
      return true;
    });
    isBroken = true;
    expect(await call("read")).toMatchObject({ status: "error" });
    expect(refusals).toBe(2);
  });
});

const refusal = (message: string) => JSON.stringify({ error: { code: -32_002, message } });

describe("a server without sessions that has begun anew", () => {
  it.each([
    [200, refusal("Server not initialized")],
    [400, refusal("Bad Request: Server not initialized")],
    [200, refusal("Received request before initialization was complete")],
  ])("and says %i %s is initialized again, for reads and writes", async (status, said) => {
    let isInitialized = false;
    const { server, call } = await library(({ request: { id, method }, response }) => {
      if (method === "initialize") isInitialized = true;
      if (isInitialized || id === undefined || method === "server/discover") return false;
      const body = JSON.stringify({ jsonrpc: "2.0", id, ...JSON.parse(said) });
      response.writeHead(status, { "content-type": "application/json" }).end(body);
      return true;
    });
    for (const name of ["read", "write"] as const) {
      isInitialized = false;
      expect(await call(name)).toMatchObject({ status: "done", result: "done" });
    }
    expect(server.methods.filter((method) => method === "tools/call")).toHaveLength(3);
  });
});

describe("a server that puts a request off", () => {
  it.each([
    ["initialize", 503],
    ["tools/list", 429],
    ["tools/call", 429],
  ])("is sent %s again when it says", async (method, status) => {
    let put = 0;
    const { server, call } = await library(({ request, response }) => {
      if (request.method !== method || put > 0) return false;
      put += 1;
      response.writeHead(status, { "retry-after": "0" }).end("later");
      return true;
    });
    expect(await call("write")).toMatchObject({ status: "done" });
    expect(server.methods.filter((one) => one === method).length).toBeGreaterThan(1);
  });

  it.each([
    ["429", 429, { "retry-after": "60" }],
    ["429", 429, {}],
    ["503", 503, { "retry-after": "0" }],
  ])("%s for a call is asked once, if it says %i %j", async (_, status, headers) => {
    const { server, call } = await library(({ request, response }) => {
      if (request.method !== "tools/call") return false;
      response.writeHead(status, headers).end("too busy");
      return true;
    });
    const outcome = await call("write");
    expect(outcome).toMatchObject({ status: "error", error: expect.stringContaining("too busy") });
    expect(server.methods.filter((one) => one === "tools/call")).toHaveLength(1);
  });
});

describe("a call that is refused in a session which the server knows", () => {
  const error = { code: -32_602, message: "session 42 not found among the bookings" };
  it.each([
    ["with HTTP 400", 400, { jsonrpc: "2.0", id: null, error }],
    ["with HTTP 400 and a text", 400, "session 42 not found among the bookings"],
    ["with an error that speaks of a session of its own", 200, { jsonrpc: "2.0", error }],
  ])("%s is made once, in this session", async (_, status, said) => {
    const { server, call } = await library(({ request, response }) => {
      if (request.method !== "tools/call") return false;
      const isText = typeof said === "string";
      const type = isText ? "text/plain" : "application/json";
      const body = isText ? said : JSON.stringify({ id: request.id, ...said });
      response.writeHead(status, { "content-type": type }).end(body);
      return true;
    });
    const before = server.methods.filter((method) => method === "initialize").length;
    for (const name of ["read", "write", "read"] as const) {
      const { error: reason } = await call(name);
      expect(reason).toMatch(/session 42 not found among the bookings/);
      expect(reason).not.toMatch(/may or may not/);
    }
    const made = server.methods.filter((method) => method === "tools/call");
    expect(made).toHaveLength(3);
    const begun = server.methods.filter((method) => method === "initialize").length;
    expect(begun - before).toBe(1);
  });
});

const ending = (events: string) => {
  let ended = 0;
  const on = ({ request, response }: Exchange) => {
    if (request.method !== "tools/call" || ended > 0) return false;
    ended += 1;
    response.writeHead(200, { "content-type": "text/event-stream" }).end(events);
    return true;
  };
  return on;
};

describe("a stream that ends without an answer", () => {
  it.each([
    ["at once", ""],
    ["after a comment", ": wait\n\n"],
    ["after an event that can be resumed", "id: 7\ndata:\n\n"],
  ])("%s is a broken connection: a read is made again, a write is in doubt", async (_, events) => {
    const read = await library(ending(events));
    expect(await read.call("read")).toMatchObject({ status: "done", result: "done" });
    const write = await library(ending(events));
    const outcome = await write.call("write");
    expect(outcome).toMatchObject({
      status: "error",
      error: expect.stringMatching(/connection broke .* may or may not have taken effect/),
    });
    expect(write.server.methods.filter((method) => method === "tools/call")).toHaveLength(1);
  });
});

describe("the probe for revision 2026-07-28", () => {
  it.each([
    ["at which the connection breaks", ({ response }: Exchange) => void response.destroy()],
    ["that is never answered", () => {}],
  ])("%s is followed by initialize", async (_, react) => {
    hurry([8_000, 8_000], 20);
    onTestFinished(() => void vi.restoreAllMocks());
    const { call } = await library((exchange) => {
      if (exchange.request.method !== "server/discover") return false;
      react(exchange);
      return true;
    });
    expect(await call("read")).toMatchObject({ status: "done" });
  });

  it.each([500, 401, 403, 503, 200])(
    "answered with HTTP %i is followed by initialize",
    async (status) => {
      const { call } = await library(({ request, response }) => {
        if (request.method !== "server/discover") return false;
        response.writeHead(status, { "content-type": "text/html" }).end("<h1>What?</h1>");
        return true;
      });
      expect(await call("read")).toMatchObject({ status: "done" });
    },
  );

  it("is over with its answer, also in a stream that stays open", async () => {
    const begun = performance.now();
    const { call } = await library(({ request, response }) => {
      if (request.method !== "server/discover") return false;
      const error = { code: -32_601, message: "Method not found" };
      const answer = JSON.stringify({ jsonrpc: "2.0", id: request.id, error });
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`: hello\n\ndata: ${answer}\n\n`);
      return true;
    });
    expect(await call("read")).toMatchObject({ status: "done" });
    expect(performance.now() - begun).toBeLessThan(7_000);
  });
});

interface ProgramParts {
  atProbe: string;
  answer: string;
  /** What it writes before each message. */
  log?: string;
  /** What it does before it answers. */
  first?: string;
}

/** A program whose process is of no use after it got `server/discover`, and that wraps its answers. */
function program({ atProbe, answer, log = "log line\\n", first = "" }: ProgramParts) {
  const code = `
    const info = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "p", version: "1" } };
    const list = { tools: [{ name: "one", inputSchema: { type: "object" } }] };
    let isSpoilt = false;
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (method === "server/discover") { isSpoilt = true; ${atProbe} }
      const message = { jsonrpc: "2.0", id, result: method === "initialize" ? info : list };
      ${first}
      if (id !== undefined && !isSpoilt) console.log("${log}" + JSON.stringify(${answer}));
    });`;
  return { command: process.execPath, args: ["-e", code], env: {}, cwd: "." };
}

describe("a program", () => {
  it.each([
    ["that ends at the probe", { atProbe: "process.exit(1);", answer: "message" }],
    ["that the probe spoils", { atProbe: "return console.log('{}');", answer: "message" }],
    ["that answers in lists", { atProbe: "process.exit();", answer: "[message]" }],
    [
      "whose logs share a line with its answers",
      { atProbe: "process.exit();", answer: "message", log: "Working … done " },
    ],
    [
      "that answers the notice of the beginning",
      {
        atProbe: "process.exit();",
        answer: "message",
        first: `if (method === "notifications/initialized")
          console.log('{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}');`,
      },
    ],
    [
      "that answers the notice with nothing",
      {
        atProbe: "process.exit();",
        answer: "message",
        first: `if (method === "notifications/initialized")
          console.log('{"jsonrpc":"2.0","id":null,"result":{}}');`,
      },
    ],
    [
      "whose last line has no end",
      {
        atProbe: "process.exit();",
        answer: "message",
        first: `if (method === "tools/list")
          return process.stdout.write(JSON.stringify(message), () => process.exit());`,
      },
    ],
    [
      "whose messages share a line",
      {
        atProbe: "process.exit();",
        answer: "message",
        log: String.raw`{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}`,
      },
    ],
  ])("%s is listed", async (_what, how) => {
    const { listing } = await readServer({ name: "p", settings: program(how), startMs: 8_000 });
    expect(listing.tools.map(({ name }) => name)).toEqual(["one"]);
  });

  it("that says on its standard output why it ends is quoted", async () => {
    const args = ["-e", 'console.log("Usage: p --token TOKEN"); process.exit(1);'];
    const settings = { command: process.execPath, args, env: {}, cwd: "." };
    await expect(readServer({ name: "p", settings })).rejects.toThrow("Usage: p --token TOKEN");
  });
});

describe("a server of the old transport", () => {
  it("is listed and called over its stream", async () => {
    let stream: { write: (text: string) => void } | undefined;
    const url = await serve(async (request, response) => {
      if (request.method === "GET" && request.url === "/sse") {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("event: endpoint\ndata: /messages?sessionId=1\n\n");
        stream = response;
        return;
      }
      if (!request.url?.startsWith("/messages")) {
        response.writeHead(405).end();
        return;
      }
      let body = "";
      for await (const part of request) body += String(part);
      const { id, method } = JSON.parse(body) as Exchange["request"];
      response.writeHead(202).end();
      const results: Record<string, unknown> = {
        initialize: {
          protocolVersion: "2024-11-05",
          capabilities: { tools: {} },
          serverInfo: { name: "old", version: "1" },
        },
        "tools/list": { tools: [{ name: "read", inputSchema: { type: "object" } }] },
        "tools/call": { content: [{ type: "text", text: "from the old one" }], _meta: null },
      };
      if (id === undefined) return;
      const message = { jsonrpc: "2.0", id, result: results[method] ?? {} };
      stream?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    });
    const workspace = workspaceOfTest();
    await importServer({ workspace, name: "old", settings: { url: `${url}/sse`, headers: {} } });
    const tools = await toolsOf(workspace, "old");
    const outcome = await callTool({ workspace, tool: tools.get("old.read"), args: {} });
    expect(outcome).toMatchObject({ status: "done", result: "from the old one" });
  });
});

describe("an answer that departs from the schema", () => {
  const errors: [string, unknown, RegExp][] = [
    [
      "a text as code",
      { code: "QUOTA", message: "quota of 5 used up" },
      /quota of 5 used up \(QUOTA\)/,
    ],
    ["a text alone", "quota of 5 used up", /quota of 5 used up/],
    ["another key for its text", { code: 7, detail: "quota of 5 used up" }, /quota of 5 used up/],
    ["its text in data", { code: 7, message: null, data: "quota of 5" }, /quota of 5/],
    [
      "its reason in data",
      { code: -32_603, message: "Internal error", data: { reason: "quota of 5" } },
      /Internal error: quota of 5/,
    ],
    [
      "a list of faults in data",
      { code: -32_602, message: "Invalid params", data: [{ path: ["q"], message: "too short" }] },
      /Invalid params: .*"path":\["q"\],"message":"too short"/,
    ],
  ];
  it.each(errors)("an error with %s is told at once", async (_, error, said) => {
    const { call } = await library(({ request, response }) => {
      if (request.method !== "tools/call") return false;
      sendJson(response, { id: null, error, result: null, took: 3 });
      return true;
    });
    expect((await call("read")).error).toMatch(said);
  });

  it.each([
    ["_meta: null", { content: [{ type: "text", text: "here" }], _meta: null }, "here"],
    ["content as a text", { content: "here" }, "here"],
    ["one block in place of a list", { content: { type: "text", text: "here" } }, "here"],
    ["a block of an unknown type", { content: [{ type: "error", text: "here" }] }, "here"],
    ["a text that is null", { content: [{ type: "text", text: null }, "here"] }, "here"],
    ["nulls in _meta", { content: "here", _meta: { progressToken: null } }, "here"],
    ["content for text", { content: [{ type: "text", content: "here" }] }, "here"],
    ["a byte-order mark", { content: '\uFEFF{"n":1}' }, { n: 1 }],
    ["annotations: null", { content: [{ type: "text", text: "here", annotations: null }] }, "here"],
    ["the old toolResult", { toolResult: { n: 1 } }, { n: 1 }],
  ])("a result with %s keeps what it says", async (_, result, value) => {
    const { call } = await library(({ request, response }) => {
      if (request.method !== "tools/call") return false;
      sendJson(response, { jsonrpc: "2.0", id: request.id, result, error: null, extra: 1 });
      return true;
    });
    expect(await call("read")).toMatchObject({ status: "done", result: value });
  });

  const EVENTS = "text/event-stream";
  it.each<[string, string | undefined, (message: string) => string]>([
    ["without a type", undefined, (message) => message],
    ["as a stream that is none", EVENTS, (message) => message],
    ["under another name", EVENTS, (message) => `event: response\ndata: ${message}\n\n`],
    ["in an event that does not end", EVENTS, (message) => `event: message\ndata: ${message}\n`],
    ["in a line that does not end", EVENTS, (message) => `data: ${message}`],
    ["in lines that end with CR", EVENTS, (message) => `data: ${message}\r\r`],
    ["as events that are called JSON", "application/json", (message) => `data: ${message}\n\n`],
    [
      "behind events of other kinds",
      EVENTS,
      (message) => `: hello\n\nevent: ping\ndata: {}\n\ndata: ${message}\n\n`,
    ],
  ])("is read: %s", async (_, type, written) => {
    const { call } = await library(({ request, response }) => {
      if (request.method !== "tools/call") return false;
      const result = { content: [{ type: "text", text: "here" }] };
      const message = JSON.stringify({ jsonrpc: "2.0", id: request.id, result });
      response.writeHead(200, type === undefined ? {} : { "content-type": type });
      response.end(written(message));
      return true;
    });
    expect(await call("read")).toMatchObject({ status: "done", result: "here" });
  });

  it.each([400, 500])(
    "is the server's own refusal whatever its status says: %d",
    async (status) => {
      const { call } = await library(({ request, response }) => {
        if (request.method !== "tools/call") return false;
        const error = { code: -32_603, message: "the database is locked" };
        const message = JSON.stringify({ jsonrpc: "2.0", id: request.id, error });
        response.writeHead(status, { "content-type": "application/json" }).end(message);
        return true;
      });
      expect((await call("write")).error).toMatch(/rejected the call: the database is locked$/);
    },
  );

  it("is missed at once where a request is accepted and nothing can follow", async () => {
    const { call } = await library(({ request, response }) => {
      if (request.method !== "tools/call") return false;
      response.writeHead(202).end();
      return true;
    });
    const begun = performance.now();
    expect((await call("read")).error).toMatch(/does not answer/);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it.each([400, 404, 410, 500])("to what nobody asked does no harm: HTTP %d", async (status) => {
    const { call } = await library(({ request, response }) => {
      if (request.method !== "notifications/initialized") return false;
      response.writeHead(status).end("unknown method");
      return true;
    });
    expect(await call("read")).toMatchObject({ status: "done" });
  });

  it.each([
    ["a later revision", { protocolVersion: "2031-01-01" }],
    ["a version of its own", { protocolVersion: 1 }],
    ["odd pictures", { serverInfo: { name: "made", version: 1, icons: "x.png" } }],
  ])("to the first request has %s", async (_, more) => {
    const { call } = await library(({ request, answer }) => {
      if (request.method !== "initialize") return false;
      const serverInfo = { name: "made", version: "1" };
      answer({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo, ...more });
      return true;
    });
    expect(await call("read")).toMatchObject({ status: "done" });
  });

  it("keeps structured content beside a picture and a text that says more", async () => {
    const data = "data:image/png;base64,iVBORw0KGgo=";
    const { call } = await library(({ request, answer }) => {
      if (request.method !== "tools/call") return false;
      answer({
        structuredContent: { page: 1 },
        content: [
          { type: "text", text: '{"page": 1}' },
          { type: "image", data, mimeType: null },
          { type: "text", text: "see page 2, too" },
        ],
      });
      return true;
    });
    const { result } = await call("read");
    expect(result).toMatchObject({
      page: 1,
      content: [{ kind: "image", mimeType: "image/png" }, "see page 2, too"],
    });
  });

  it.each([
    ["structured content", { structuredContent: { error: { message: "too many requests" } } }],
    ["a key of its own", { details: "too many requests" }],
    [
      "a resource",
      { content: [{ type: "resource", resource: { uri: "a:b", text: "too many requests" } }] },
    ],
    [
      "structured content beside a heading",
      {
        content: [{ type: "text", text: "Error" }],
        structuredContent: { reason: "too many requests" },
      },
    ],
  ])("finds the reason of an error in %s", async (_, result) => {
    const { call } = await library(({ request, answer }) => {
      if (request.method !== "tools/call") return false;
      answer({ content: [], isError: true, ...result });
      return true;
    });
    expect((await call("read")).error).toContain("too many requests");
  });
});

it("a server that has tools without announcing them is imported with them", async () => {
  const { url } = await handMadeServer(({ request, answer }) => {
    if (request.method !== "initialize") return false;
    answer({
      protocolVersion: "2025-06-18",
      capabilities: {},
      serverInfo: { name: "m", version: "1" },
    });
    return true;
  });
  const { listing } = await readServer({ name: "m", settings: { url, headers: {} } });
  expect(listing.tools.map(({ id }) => id)).toEqual(["m.read", "m.write"]);
});

/** A program that answers each method with a line by hand. */
const PROGRAM = `
const lines = require("node:readline").createInterface({ input: process.stdin });
const serverInfo = { name: "p", version: "1" };
const tools = ["odd", "refused"].map((name) => ({ name, inputSchema: { type: "object" } }));
const say = (message) => console.log(JSON.stringify(message));
lines.on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const result = { content: [{ type: "text", text: "here" }], _meta: null };
  if (method === "initialize")
    say({ jsonrpc: "2.0", id, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo } });
  else if (method === "tools/list") say({ jsonrpc: "2.0", id, result: { tools, nextCursor: "" } });
  else if (params.name === "odd") say({ id, result, error: null, took: 3 });
  else say({ jsonrpc: "2.0", id: null, error: { code: "E_QUOTA", message: "quota of 5 used up" } });
});`;

it("a program's odd answers are read, and an error without an id belongs to the only call", async () => {
  const workspace = workspaceOfTest();
  const settings = {
    command: process.execPath,
    args: ["-e", PROGRAM],
    env: {},
    cwd: process.cwd(),
  };
  await importServer({ workspace, name: "p", settings });
  const tools = await toolsOf(workspace, "p");
  const call = (name: string) => callTool({ workspace, tool: tools.get(name), args: {} });
  expect(await call("p.odd")).toMatchObject({ status: "done", result: "here" });
  expect((await call("p.refused")).error).toContain("quota of 5 used up (E_QUOTA)");
});
