import { describe, expect, it } from "vitest";
import { mended } from "../../../../tools/sources/mcp/wire.js";
import { type Exchange, handMadeServer, sendJson } from "./handMade.js";
import { callTool, importServer, toolsOf, workspaceOfTest } from "./support.js";

const INITIALIZED = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "made", version: "1" },
};

/** What a server answers to some of its requests. */
interface Server {
  initialize?: unknown;
  list?: unknown;
  call?: unknown;
}

const schemaOfA = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

/** A server's one tool, called with these arguments. */
async function called(
  { initialize = INITIALIZED, list, call = text("done") }: Server,
  args: Record<string, unknown> = {},
) {
  const sent: unknown[] = [];
  const on = ({ request: { method, params }, answer }: Exchange) => {
    if (method === "initialize") answer(initialize);
    else if (method === "tools/list" && list !== undefined) answer(list);
    else if (method === "tools/call") {
      sent.push(params?.["arguments"]);
      answer(call);
    } else return false;
    return true;
  };
  const { url } = await handMadeServer(on);
  const workspace = workspaceOfTest();
  const { problems } = await importServer({
    workspace,
    name: "made",
    settings: { url, headers: {} },
  });
  const [tool] = (await toolsOf(workspace, "made")).values();
  const outcome = await callTool({ workspace, tool, args });
  return { ...outcome, sent: sent[0], problems };
}

function text(said: unknown) {
  return { content: [{ type: "text", text: said }] };
}

function listing(inputSchema: unknown, more: object = {}) {
  return { tools: [{ name: "t", inputSchema, ...more }] };
}

describe("a server is imported and called although its handshake", () => {
  it.each<[string, object]>([
    ["has a list for capabilities, as PHP writes an empty object", { capabilities: [] }],
    ["has lists within its capabilities", { capabilities: { tools: [], logging: [] } }],
    ["names no revision", { protocolVersion: undefined }],
    ["has true for a capability", { capabilities: { tools: true, resources: false } }],
    ["has nulls for capabilities", { capabilities: { tools: {}, prompts: null, logging: null } }],
    ["has a text for a flag", { capabilities: { tools: { listChanged: "true" } } }],
    ["has no capabilities", { capabilities: undefined }],
    ["says nothing of itself", { serverInfo: undefined }],
    ["has no version of itself", { serverInfo: { name: "made" } }],
    ["has a number for its version", { serverInfo: { name: "made", version: 1.2, title: null } }],
    ["has null for instructions", { instructions: null }],
    ["has a list for instructions", { instructions: ["a", "b"] }],
  ])("%s", async (_, odd) => {
    const { status } = await called({ initialize: { ...INITIALIZED, ...odd } });
    expect(status).toBe("done");
  });
});

describe("a list of tools is read although", () => {
  it.each<[string, object]>([
    ["its cursor is null", { nextCursor: null }],
    ["its cursor is false", { nextCursor: false }],
    ["its time of life is a text", { ttlMs: "3600000" }],
    ["a tool in it is null", { tools: [null, { name: "t", inputSchema: {} }] }],
    ["it is a map by name", { tools: { t: { description: "T", inputSchema: {} } } }],
  ])("%s", async (_, odd) => {
    const { status } = await called({ list: { ...listing({}), ...odd } });
    expect(status).toBe("done");
  });

  it.each([
    ["the API of Anthropic", { input_schema: schemaOfA }],
    ["the API of OpenAI", { parameters: schemaOfA }],
    [
      "OpenAI's wrapper",
      { name: undefined, type: "function", function: { name: "t", parameters: schemaOfA } },
    ],
  ])("its tools have the form of %s", async (_, form) => {
    const list = { tools: [{ name: "t", ...form }] };
    const { sent, problems } = await called({ list }, { a: "x" });
    expect(problems).toEqual([]);
    expect(sent).toEqual({ a: "x" });
    expect(await called({ list }, { a: 1 })).toMatchObject({ status: "invalid" });
  });

  it("its cursor is a number", async () => {
    let page = 0;
    const on = ({ request: { method, params }, answer }: Exchange) => {
      if (method !== "tools/list") return false;
      page += 1;
      expect(params?.["cursor"]).toBe(page === 1 ? undefined : page);
      answer({
        tools: [{ name: `t${page}`, inputSchema: {} }],
        ...(page < 3 && { nextCursor: page + 1 }),
      });
      return true;
    };
    const { url } = await handMadeServer(on);
    const workspace = workspaceOfTest();
    await importServer({ workspace, name: "made", settings: { url, headers: {} } });
    expect((await toolsOf(workspace, "made")).size).toBe(3);
  });

  it("its cursor is an object", async () => {
    const pages = [
      { ...listing({}), nextCursor: { page: 2 } },
      { tools: [{ name: "u", inputSchema: {} }] },
    ];
    const asked: unknown[] = [];
    const { url } = await handMadeServer(({ request: { method, params }, answer }) => {
      if (method !== "tools/list") return false;
      asked.push(params?.["cursor"]);
      answer(pages[asked.length - 1]);
      return true;
    });
    const workspace = workspaceOfTest();
    await importServer({ workspace, name: "made", settings: { url, headers: {} } });
    expect([...(await toolsOf(workspace, "made")).keys()]).toEqual(["made.t", "made.u"]);
    expect(asked).toEqual([undefined, { page: 2 }]);
  });

  it("its next page is refused, which is told", async () => {
    const { url } = await handMadeServer(({ request, response, answer }) => {
      if (request.method !== "tools/list") return false;
      const error = { code: -32_602, message: "Invalid cursor" };
      const isFirst = request.params?.["cursor"] === undefined;
      if (isFirst) answer({ tools: [{ name: "t", inputSchema: {} }], nextCursor: "more" });
      else sendJson(response, { jsonrpc: "2.0", id: request.id, error });
      return true;
    });
    const workspace = workspaceOfTest();
    const { problems } = await importServer({
      workspace,
      name: "made",
      settings: { url, headers: {} },
    });
    expect((await toolsOf(workspace, "made")).size).toBe(1);
    expect(JSON.stringify(problems)).toContain("refuses the next page");
  });
});

describe("a tool can be called although its schema has", () => {
  it.each<[string, object, Record<string, unknown>]>([
    ["a list for no properties", { type: "object", properties: [], required: [] }, {}],
    [
      "a map for what is required",
      { type: "object", properties: { a: { type: "string" } }, required: {} },
      { a: "x" },
    ],
    [
      "a multiple of 0",
      { type: "object", properties: { a: { type: "number", multipleOf: 0 } } },
      { a: 3 },
    ],
    [
      "a negative length",
      { type: "object", properties: { a: { type: "string", minLength: -1 } } },
      { a: "x" },
    ],
    [
      "a pattern between slashes",
      { type: "object", properties: { a: { type: "string", pattern: "/^a+$/i" } } },
      { a: "aa" },
    ],
    ["no choices", { type: "object", properties: { a: { type: "string", enum: [] } } }, { a: "x" }],
    [
      "a map of choices",
      { type: "object", properties: { a: { type: "string", enum: { 0: "x", 1: "y" } } } },
      { a: "x" },
    ],
    [
      "choices with their meaning",
      { type: "object", properties: { a: { type: "string", enum: [{ value: "x", label: "X" }] } } },
      { a: "x" },
    ],
    [
      "the same $id twice",
      {
        $id: "https://x.invalid/s",
        type: "object",
        properties: { a: { $id: "https://x.invalid/s", type: "string" } },
      },
      { a: "x" },
    ],
    [
      "a union with null and not",
      {
        type: "object",
        properties: {
          a: { anyOf: [{ anyOf: [{ not: {} }, { type: "string" }] }, { type: "null" }] },
        },
      },
      { a: "x" },
    ],
    [
      "a word for additionalProperties",
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: "false" },
      { a: "x" },
    ],
    [
      "an optional property by a flag",
      {
        type: "object",
        properties: {
          a: { type: "string", optional: true },
          b: { type: "string", required: false },
        },
      },
      { a: "x" },
    ],
    [
      "a property called constructor",
      {
        type: "object",
        properties: { constructor: { type: "string" }, toString: { type: "string" } },
      },
      { constructor: "x" },
    ],
    [
      "formats that nobody knows",
      {
        type: "object",
        properties: {
          a: { type: "string", format: "iso-8601" },
          b: { type: "integer", format: "int64" },
        },
      },
      { a: "x", b: 3 },
    ],
    [
      "a recursive reference",
      {
        type: "object",
        properties: { a: { $ref: "#/$defs/node" } },
        $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
      },
      { a: { next: {} } },
    ],
    [
      "a reference to an address",
      { type: "object", properties: { a: { $ref: "https://x.invalid/a.json#/a" } } },
      { a: 1 },
    ],
    [
      "JSON text for the schema",
      JSON.stringify({ type: "object", properties: { a: { type: "string" } } }) as never,
      { a: "x" },
    ],
  ])("%s", async (_, inputSchema, args) => {
    const { status, sent, problems, error } = await called({ list: listing(inputSchema) }, args);
    expect({ status, sent, error }).toEqual({ status: "done", sent: args, error: undefined });
    expect(problems?.map(({ problem }) => problem).join()).not.toMatch(/left out/);
  });

  it("a draft of its own for its result, which its results do not keep to", async () => {
    const outputSchema = {
      type: "object",
      properties: { n: { type: "integer" } },
      required: ["n"],
    };
    for (const call of [text("done"), { ...text("x"), structuredContent: { m: 1 } }]) {
      const { status } = await called({ list: listing({}, { outputSchema }), call });
      expect(status).toBe("done");
    }
  });
});

describe("a result is read although it has", () => {
  it.each<[string, unknown, unknown]>([
    ["a text in place of blocks", { content: "done" }, "done"],
    ["one block without a list", { content: { type: "text", text: "done" } }, "done"],
    ["texts in place of blocks", { content: ["a", "b"] }, ["a", "b"]],
    ["a number for isError", { ...text("done"), isError: 0 }, "done"],
    ["a text for isError", { ...text("done"), isError: "false" }, "done"],
    ["a block without a type", { content: [{ text: "done" }] }, "done"],
    ["a type in capitals", { content: [{ type: "TEXT", text: "done" }] }, "done"],
    ["data as the text of a block", text({ n: 1 }), { n: 1 }],
    ["a block of JSON", { content: [{ type: "json", json: { n: 1 } }] }, { n: 1 }],
    ["a block of JSON under data", { content: [{ type: "json", data: [1, 2] }] }, [1, 2]],
    [
      "annotations that are no object",
      { content: [{ type: "text", text: "done", annotations: [] }] },
      "done",
    ],
    ["structured content as a text", { content: [], structuredContent: '{"n":1}' }, { n: 1 }],
    ["structured content that is a list", { content: [], structuredContent: [1, 2] }, [1, 2]],
    ["structured content that is empty", { ...text("done"), structuredContent: [] }, "done"],
    ["a list in place of a result", [{ type: "text", text: "done" }], "done"],
    ["itself in itself", { result: text("done") }, "done"],
    ["fields of its own", { output: { n: 1 } }, { output: { n: 1 } }],
  ])("%s", async (_, call, value) => {
    const { status, result } = await called({ call });
    expect({ status, result }).toEqual({ status: "done", result: value });
  });

  it.each<[string, object]>([
    ["an odd annotation", { annotations: { priority: "high" } }],
    ["an odd _meta", { _meta: "x" }],
    ["a media type under another name", { mimeType: undefined, mime_type: "image/png" }],
    ["a data: address under url", { data: undefined, url: `data:image/png;base64,${PNG}` }],
    [
      "the form of a chat model",
      { type: "image_url", data: undefined, image_url: { url: `data:image/png;base64,${PNG}` } },
    ],
  ])("a picture with %s", async (_, odd) => {
    const image = { type: "image", data: PNG, mimeType: "image/png", ...odd };
    const { status, result } = await called({ call: { content: [image] } });
    expect(status).toBe("done");
    expect(result).toMatchObject({ kind: "image", mimeType: "image/png" });
  });

  it.each<[string, unknown]>([
    ["true as a text", { ...text("no such file"), isError: "True" }],
    ["1", { ...text("no such file"), isError: 1 }],
  ])("the mark of an error as %s", async (_, call) => {
    expect(await called({ call })).toMatchObject({ status: "error", error: /no such file/ });
  });
});

it("a server that refuses a revision is asked for one that it names", async () => {
  const asked: unknown[] = [];
  const { url } = await handMadeServer(({ request: { method, id, params }, answer, response }) => {
    if (method !== "initialize") return false;
    const version = params?.["protocolVersion"];
    asked.push(version);
    if (version === "2024-11-05") answer({ ...INITIALIZED, protocolVersion: version });
    else {
      const data = { supported: ["2024-11-05"], requested: version };
      const error = { code: -32602, message: "Unsupported protocol version", data };
      sendJson(response, { jsonrpc: "2.0", id, error });
    }
    return true;
  });
  const workspace = workspaceOfTest();
  await importServer({ workspace, name: "made", settings: { url, headers: {} } });
  expect((await toolsOf(workspace, "made")).size).toBeGreaterThan(0);
  expect(asked.at(-1)).toBe("2024-11-05");
});

it.each([
  ["that a tool only reads", { readOnlyHint: "true", destructiveHint: null }, "read"],
  ["that it destroys", { readOnlyHint: true, destructiveHint: "True" }, "write"],
])("a text may say %s", async (_, annotations, effects) => {
  const { url } = await handMadeServer(({ request: { method }, answer }) => {
    if (method === "tools/list") answer(listing({}, { annotations }));
    return method === "tools/list";
  });
  const workspace = workspaceOfTest();
  await importServer({ workspace, name: "made", settings: { url, headers: {} } });
  expect((await toolsOf(workspace, "made")).get("made.t")?.effects).toBe(effects);
});

it("a whole number beyond 2⁵³ stays exact in structured content alone", () => {
  const written = '{"content":[],"structuredContent":{"id":725653563933458433,"n":5}}';
  const { text: read } = mended(`{"jsonrpc":"2.0","id":1,"result":${written}}`, [1]);
  expect(JSON.parse(read)).toMatchObject({
    result: { structuredContent: { id: "725653563933458433", n: 5 } },
  });
});

it("nulls in a question to a person are left out", () => {
  const schema = { type: "object", properties: { name: { type: "string", default: null } } };
  const asked = { id: 1, method: "elicitation/create", params: { message: "Who?", schema } };
  const { text: read } = mended(JSON.stringify(asked), []);
  expect(read).not.toContain("null");
});

it("NaN and infinities, as Python writes them, are read as null; texts with these words stay", () => {
  const written = '{"v": NaN, "w": [-Infinity, 1], "text": "a: NaN, b"}';
  const { text: read, answered } = mended(`{"jsonrpc":"2.0","id":1,"result":${written}}`, [1]);
  expect(answered).toEqual(["1"]);
  const { result } = JSON.parse(read) as { result: unknown };
  expect(result).toEqual({ v: null, w: [null, 1], text: "a: NaN, b" });
});

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
