import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { listOpenApi } from "../../../../tools/sources/openapi/listOpenApi.js";
import { requestOf } from "../../../../tools/sources/openapi/request.js";
import { startServer } from "./apiServer.js";
import { caller, documentFile, listDraft, RESPONSES, temporaryFolder, toolOf } from "./support.js";

const text = { type: "string" };
const json = (schema: unknown) => ({ content: { "application/json": { schema } } });

const YAML = `openapi: 3.0.0
info: { title: Shop, version: "1" }
servers: [{ url: "https://shop.example" }]
paths: { /a: { get: { operationId: a, responses: { "200": { description: ok } } } } }
`;

async function listText(content: string) {
  const file = join(temporaryFolder(), "shop.yaml");
  writeFileSync(file, content);
  return await listOpenApi({ name: "shop", document: file });
}

describe("A sloppy document is read:", () => {
  it.each<[what: string, content: string]>([
    ["with a byte-order mark", `\uFEFF${YAML}`],
    ["with numbers for texts", YAML.replace('"1"', "1.0").replace("Id: a", "Id: 12")],
    ["with a number for its version", YAML.replace("3.0.0", "3.0")],
    ["of version 3.2", YAML.replace("3.0.0", "3.2.0")],
    ["without responses", YAML.replace(', responses: { "200": { description: ok } }', "")],
    ["with a response without a description", YAML.replace("{ description: ok }", "{}")],
    ["with nulls", YAML.replace("Id: a,", "Id: a, description: null, tags: null, security: ~,")],
    ["with null parameters", YAML.replace("Id: a,", "Id: a, parameters: [null],")],
    ["with null responses", YAML.replace('{ "200": { description: ok } }', "null")],
    ["with a path without a slash", YAML.replace("/a:", "a:")],
    [
      "with merge keys",
      YAML.replace("paths", "x: &x { summary: S }\npaths").replace("Id: a", "Id: a, <<: *x"),
    ],
    ["with a method in capitals", YAML.replace("get:", "GET:")],
    ["with a text for its server", YAML.replace(/\{ url: (".*?") \}/, "$1")],
    ["with a server without a scheme", YAML.replace("https://shop", "shop")],
    ["with a server that takes any scheme", YAML.replace("https:", "")],
    [
      "with the server of version 2.0",
      YAML.replace(/servers: .*/, "host: shop.example\nbasePath: /\nschemes: [https]"),
    ],
    ["with comments before JSON", `// Shop\n/* v1 */\n${JSON.stringify(load(YAML))}`],
    ["with an object for its servers", YAML.replace(/\[(\{ url.*?\})\]/, "$1")],
    ["with a date", YAML.replace('"1"', "2024-01-01")],
    ["with a key twice", YAML.replace("Id: a,", "Id: a, summary: S, summary: T,")],
    ["with another document behind it", `${YAML}---\na: 1\n`],
    ["with tags of other programs", YAML.replace("paths", "x: !Sub a\ny: !!binary aGk=\npaths")],
    ["with a server of this machine", YAML.replace("https://shop.example", "localhost:80")],
    [
      "with a server that cannot be used before one that can",
      YAML.replace("[{", '["/v1", "wss://x.example", "https://{x}/", {'),
    ],
    [
      "with a server besides the one of version 2.0",
      YAML.replace(/servers: .*/, "servers: []\nhost: https://shop.example/\nbasePath: v1"),
    ],
    [
      "with comments inside JSON",
      '{ "openapi": "3.0.0", // x\n\t"servers": ["https://shop.example"], "paths": {"/a": {"get": {}}} }',
    ],
    [
      "as JSON with comments and commas",
      `{ # mine\n"openapi": "3.0.0", "servers": [{"url": "https://shop.example"}], "paths": {"/a": {"get": {},},}, }`,
    ],
  ])("%s", async (_what, content) => {
    const { tools, problems } = await listText(content);
    expect(problems).toEqual([]);
    expect(tools).toHaveLength(1);
    expect(tools[0]?.source).toMatchObject({ operation: { path: "/a" } });
  });

  it("with numbers and dates in YAML among its texts", async () => {
    const schema = "{ type: string, enum: [1.0, 010, 1e3, 2024-01-01] }";
    const parameters = `parameters: [{ name: q, in: query, schema: ${schema} }],`;
    const { tools } = await listText(YAML.replace("Id: a,", `Id: a, ${parameters}`));
    expect(tools[0]?.parameters.properties).toMatchObject({
      q: { enum: ["1.0", "010", "1e3", "2024-01-01"] },
    });
  });

  it.each([
    "#/definitions/Pet",
    "#/$defs/Pet",
    "Pet",
    "#pet",
    "#Pet",
    "shop.json#/components/schemas/Pet",
  ])("with a reference to a part of it as %s", async ($ref) => {
    const Pet = { $anchor: "pet", type: "object", properties: { a: text } };
    const operation = { requestBody: json({ $ref }) };
    const tool = await toolOf(operation, { method: "post", components: { schemas: { Pet } } });
    expect(tool.parameters.properties).toEqual({ a: text });
  });

  it("with operations that have no Latin letters in their names", async () => {
    const { tools } = await listDraft({ paths: { "/a": { get: { operationId: "获取" } } } });
    expect(tools[0]?.name).toBe("get_a");
  });

  it("with parameters by name, and places in capitals", async () => {
    const parameters = { q: { in: "Query" }, r: { in: "query", required: true } };
    const { tools } = await listDraft({ paths: { "/a": { get: { parameters } } } });
    expect(tools[0]?.parameters).toMatchObject({ properties: { q: {}, r: {} }, required: ["r"] });
  });

  it("with variables in its server's address that have no default, or a number", async () => {
    const variables = { r: { enum: ["eu", "us"] }, p: { default: 8443 } };
    const servers = [{ url: "https://{r}.shop.example:{p}/v1", variables }];
    const { servers: read } = await listDraft({ servers, paths: { "/a": { get: {} } } });
    expect(read).toEqual(["https://eu.shop.example:8443/v1"]);
  });

  it("leaves out only what refers to nothing, with its place", async () => {
    const lost = { $ref: "#/components/parameters/none" };
    const { tools, problems } = await listDraft({
      paths: {
        "/a": { get: { operationId: "a", responses: { 200: { $ref: "#/components/x" } } } },
        "/b": { get: { operationId: "b", parameters: [{ name: "q", in: "query" }, lost] } },
        "/c": { post: { operationId: "c", requestBody: { $ref: "other.yaml#/Body" } } },
        "/d": { post: { operationId: "d", requestBody: json({ properties: { x: lost } }) } },
        "/e": "none",
        "/f": { $ref: "#/paths/none" },
      },
    });
    expect(tools.map(({ id }) => id)).toEqual(["shop.a", "shop.d"]);
    expect(tools[1]?.parameters.properties).toEqual({ x: {} });
    expect(problems.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/^b is left out: paths\.\/b\.get\.parameters\[1\] refers to #/),
      expect.stringMatching(
        /^c is left out: paths\.\/c\.post\.requestBody.*below the document's folder/,
      ),
      expect.stringMatching(/paths\.\/f refers to/),
      expect.stringMatching(/references lead nowhere/),
    ]);
  });

  it("takes what is left of version 2.0", async () => {
    const { parameters, source } = await toolOf(
      {
        consumes: ["application/json"],
        parameters: [
          { name: "q", in: "query", type: "array", items: text, collectionFormat: "pipes" },
          { name: "b", in: "body", schema: { type: "object", properties: { x: text } } },
        ],
      },
      { method: "post" },
    );
    expect(parameters.properties).toEqual({ q: { type: "array", items: text }, x: text });
    expect(source).toMatchObject({ operation: { places: { q: { style: "pipeDelimited" } } } });
    const form = await toolOf(
      { parameters: [{ name: "f", in: "formData", type: "file", required: true }] },
      { method: "post" },
    );
    expect(form.source).toMatchObject({
      operation: { body: { mediaType: "multipart/form-data" } },
    });
    expect(form.parameters).toMatchObject({ required: ["f"] });
  });
});

describe("A body is sent as the first type that suits it:", () => {
  const schema = {
    type: "object",
    properties: { a: text, f: { type: "string", format: "binary" } },
  };
  const form = { name: "a", in: "formData", type: "string" };
  const whole = { name: "b", in: "body", schema: { type: "object" } };
  it.each<[type: string, operation: object]>([
    ["application/json", { consumes: ["text/xml", "application/json"], parameters: [whole] }],
    ["multipart/form-data", { consumes: ["multipart/form-data"], parameters: [form] }],
    ["application/x-www-form-urlencoded", { parameters: [form] }],
    [
      "multipart/form-data",
      {
        requestBody: {
          content: { "application/json": { schema }, "multipart/form-data": { schema } },
        },
      },
    ],
  ])("%s", async (mediaType, operation) => {
    const { source } = await toolOf({ ...operation }, { method: "post" });
    expect(source).toMatchObject({ operation: { body: { mediaType } } });
  });
});

describe("A document of version 2.0", () => {
  const pet = { $ref: "#/definitions/Pet" };
  const list = { type: "array", items: text };
  const document = {
    swagger: "2.0",
    info: { title: "Shop", version: "1" },
    host: "shop.example",
    basePath: "/v1",
    schemes: ["http", "https"],
    consumes: ["application/x-www-form-urlencoded"],
    securityDefinitions: {
      login: { type: "basic" },
      key: { type: "apiKey", in: "header", name: "K" },
    },
    parameters: { Ids: { name: "ids", in: "query", ...list } },
    definitions: {
      Pet: { type: "object", discriminator: "kind", properties: { kind: text } },
      Dog: { allOf: [pet, { properties: { bark: { type: "boolean" } } }] },
    },
    paths: {
      "/pets": {
        parameters: [{ name: "tags", in: "query", ...list, collectionFormat: "multi" }],
        get: {
          operationId: "list",
          parameters: [{ $ref: "#/parameters/Ids" }],
          responses: { 200: { description: "ok", schema: { type: "array", items: pet } } },
        },
        post: {
          operationId: "add",
          consumes: ["application/json"],
          parameters: [{ name: "pet", in: "body", required: true, schema: pet }],
        },
        put: { operationId: "change", parameters: [{ name: "names", in: "formData", ...list }] },
      },
    },
  };

  it("is read as one of version 3", async () => {
    const { tools, problems, schemes } = await listText(JSON.stringify(document));
    expect(problems).toEqual([]);
    // No operation asks for them.
    expect(schemes).toEqual({
      login: { as: "basic", always: true },
      key: { as: "header", name: "K", always: true },
    });
    const operations = Object.fromEntries(
      tools.map(({ name, source }) => [name, source.kind === "openapi" && source.operation]),
    );
    const requests = [
      { operation: operations["list"], args: { ids: ["a", "b"], tags: ["c", "d"] } },
      { operation: operations["add"], args: { kind: "Dog", bark: true } },
      { operation: operations["change"], args: { names: ["a", "b"] } },
    ].map(({ operation, args }) => {
      if (!operation) throw new Error("no operation");
      const { method, url, body } = requestOf({ operation, args, credentials: [] });
      return [method, url.href, body];
    });
    expect(requests).toEqual([
      ["GET", "https://shop.example/v1/pets?ids=a,b&tags=c&tags=d", undefined],
      ["POST", "https://shop.example/v1/pets", '{"kind":"Dog","bark":true}'],
      ["PUT", "https://shop.example/v1/pets", "names=a,b"],
    ]);
    expect(tools.find(({ name }) => name === "add")?.parameters).toMatchObject({
      properties: { kind: text, bark: { type: "boolean" } },
    });
    expect(tools.find(({ name }) => name === "list")?.returns).toMatchObject({ type: "array" });
  });
});

it("A form has a field in JSON where its encoding says so.", async () => {
  const schema = { type: "object", properties: { a: { type: "object" }, b: text } };
  const { source } = await toolOf(
    {
      requestBody: {
        content: {
          "application/x-www-form-urlencoded": {
            schema,
            encoding: { a: { contentType: "application/json" } },
          },
        },
      },
    },
    { method: "post" },
  );
  if (source.kind !== "openapi") throw new Error("no operation");
  const args = { a: { x: 1 }, b: "y" };
  const { body } = requestOf({ operation: source.operation, args, credentials: [] });
  expect(body).toBe(new URLSearchParams({ a: '{"x":1}', b: "y" }).toString());
});

function one(...names: string[]) {
  return { oneOf: names.map((name) => ({ type: "object", properties: { [name]: text } })) };
}

describe("A schema of a document", () => {
  it("takes the fields of its subtypes, which only say so themselves", async () => {
    const pet = { $ref: "#/components/schemas/Pet" };
    const components = {
      schemas: {
        Pet: {
          type: "object",
          required: ["kind"],
          discriminator: { propertyName: "kind", mapping: { dog: "#/components/schemas/Dog" } },
          properties: { kind: text },
        },
        Dog: { allOf: [pet, { type: "object", required: ["bark"], properties: { bark: text } }] },
        Puppy: { allOf: [{ $ref: "#/components/schemas/Dog" }, { properties: { age: text } }] },
        Cat: { allOf: [pet, { properties: { claws: text } }] },
      },
    };
    const { parameters } = await toolOf(
      { requestBody: { required: true, ...json(pet) } },
      { method: "post", components },
    );
    expect(parameters).toMatchObject({
      properties: { kind: {}, bark: {}, claws: {} },
      required: ["kind"],
    });
  });

  it("has what each of its parts says of a field, and the alternatives of all", async () => {
    const allOf = [
      { properties: { kind: { type: "string", enum: ["a"] } } },
      { properties: { kind: { description: "Which" } } },
      one("b", "c"),
      one("d", "e"),
    ];
    const { parameters } = await toolOf({ requestBody: json({ allOf }) }, { method: "post" });
    expect(parameters.properties).toMatchObject({
      kind: { enum: ["a"], description: "Which" },
      ...Object.fromEntries(["b", "c", "d", "e"].map((name) => [name, text])),
    });
  });

  it("has values that its type takes", async () => {
    const parameters = [
      { name: "a", in: "query", schema: { type: "string", enum: [1, 7] } },
      { name: "b", in: "query", schema: { type: "integer", enum: ["0", "1"] } },
    ];
    expect((await toolOf({ parameters })).parameters.properties).toEqual({
      a: { type: "string", enum: ["1", "7"] },
      b: { type: "integer", enum: [0, 1] },
    });
  });

  it("has names that tell its arguments apart", async () => {
    const parameters = ["T", "T<", "T>", "T<=", "$top"].map((name) => ({ name, in: "query" }));
    const { properties } = (await toolOf({ parameters })).parameters;
    expect(Object.keys(properties)).toEqual(["T", "T_lt", "T_gt", "T_lte", "top"]);
  });
});

/** A caller of one operation at a server that notes what it receives. */
async function operationAt(
  operation: object,
  options: { method?: string; path?: string; query?: string } = {},
  reply: Parameters<typeof startServer>[0] = () => ({ body: {} }),
) {
  const { method = "get", path = "/things", query = "" } = options;
  const { url, received } = await startServer(reply);
  const document = documentFile({
    servers: [{ url: `${url}/v1${query}` }],
    paths: { [path]: { [method]: { operationId: "it", responses: RESPONSES, ...operation } } },
  });
  const call = await caller({ document });
  return { call: async (args: Record<string, unknown>) => await call("it", args), received };
}

const inPath = (more: object) => ({ name: "a", in: "path", required: true, schema: {}, ...more });

describe("A path leads where its document says:", () => {
  it.each<[path: string, parameter: object[], a: unknown, url: string]>([
    ["/t/{a+}", [], "x/y z", "/v1/t/x/y%20z"],
    ["/t/{+a}", [], "x/y", "/v1/t/x/y"],
    ["/t/{a=projects/*}:run", [], "projects/p", "/v1/t/projects/p:run"],
    ["/t/{a:path}", [inPath({ name: "a" })], "x/y", "/v1/t/x/y"],
    ["/t/{a:[0-9]+}", [], "12", "/v1/t/12"],
    ["/t/{ a }{?b,c}", [], "x", "/v1/t/x"],
    ["/t/:a/u", [inPath({})], "x/y", "/v1/t/x%2Fy/u"],
    ["/t/{a}", [inPath({ style: "matrix" })], "x", "/v1/t/;a=x"],
    ["/t/{a}", [inPath({ style: "matrix", explode: true })], ["x", "y"], "/v1/t/;a=x;a=y"],
    ["/t/{a}", [inPath({ style: "label" })], ["x", "y"], "/v1/t/.x.y"],
  ])("%s", async (path, parameters, a, url) => {
    const { call, received } = await operationAt({ parameters }, { path });
    expect(await call({ a })).toMatchObject({ status: "done" });
    expect(received[0]?.url).toBe(url);
  });

  it("a value with slashes cannot leave it", async () => {
    const { call, received } = await operationAt({}, { path: "/t/{a+}" });
    expect(await call({ a: "x/../../y" })).toMatchObject({ status: "error" });
    expect(received).toEqual([]);
  });

  it("a query of the server goes with each call", async () => {
    const parameters = [{ name: "q", in: "query", schema: text }];
    const { call, received } = await operationAt({ parameters }, { query: "?version=2" });
    await call({ q: "x" });
    expect(received[0]?.url).toBe("/v1/things?version=2&q=x");
  });
});

describe("A request carries", () => {
  it.each<[what: string, encoding: object, args: object, body: string]>([
    [
      "lists of objects in a form",
      {},
      { phases: [{ items: [{ price: "p" }], tags: ["a"] }] },
      "phases[0][items][0][price]=p&phases[0][tags][0]=a",
    ],
    ["a list as it is encoded", { x: { style: "deepObject" } }, { x: ["a", "b"] }, "x[0]=a&x[1]=b"],
    ["a list in one field", { x: { explode: false } }, { x: ["a", "b"] }, "x=a,b"],
    ["a list as usual", {}, { x: ["a", "b"] }, "x=a&x=b"],
  ])("%s", async (_what, encoding, args, body) => {
    const properties = Object.fromEntries(Object.keys(args).map((name) => [name, {}]));
    const schema = { type: "object", properties };
    const content = { "application/x-www-form-urlencoded": { schema, encoding } };
    const { call, received } = await operationAt({ requestBody: { content } }, { method: "post" });
    await call({ ...args });
    expect(decodeURIComponent(received[0]?.body ?? "")).toBe(body);
  });

  it("a body with GET", async () => {
    const requestBody = json({ type: "object", properties: { query: {} } });
    const { call, received } = await operationAt({ requestBody });
    expect(await call({ query: { a: 1 } })).toMatchObject({ status: "done" });
    expect(received[0]).toMatchObject({ method: "GET", body: '{"query":{"a":1}}' });
  });

  it("letters beyond Latin-1 in a header, in UTF-8", async () => {
    const { call, received } = await operationAt({ parameters: [{ name: "X-A", in: "header" }] });
    await call({ "X-A": "日本" });
    const sent = String(received[0]?.headers["x-a"]);
    expect(Buffer.from(sent, "latin1").toString("utf8")).toBe("日本");
  });

  it("whole numbers beyond 2⁵³ exactly, given as texts", async () => {
    const id = "725653563933458433";
    const schema = { type: "object", properties: { id: { type: "integer" }, name: text } };
    const parameters = [{ name: "a", in: "path", required: true, schema: { type: "integer" } }];
    const { call, received } = await operationAt(
      { parameters, requestBody: json(schema) },
      { method: "post", path: "/t/{a}" },
    );
    expect(await call({ a: id, id, name: id })).toMatchObject({ status: "done" });
    expect(received[0]).toMatchObject({ url: `/v1/t/${id}`, body: `{"id":${id},"name":"${id}"}` });
    expect(await call({ a: "12x", id })).toMatchObject({ status: "invalid" });
  });
});

describe("An answer is read", () => {
  it.each<
    [
      what: string,
      status: number,
      headers: Record<string, string>,
      body: Buffer | string,
      result: unknown,
    ]
  >([
    [
      "in the charset that it declares",
      200,
      { "content-type": "text/plain; charset=iso-8859-1" },
      Buffer.from("Köln", "latin1"),
      "Köln",
    ],
    [
      "as UTF-8 if it is that, whatever it declares",
      200,
      { "content-type": "text/plain; charset=ISO-8859-1" },
      "Köln",
      "Köln",
    ],
    [
      "without a byte-order mark",
      200,
      { "content-type": "application/json" },
      '\uFEFF{"a":1}',
      { a: 1 },
    ],
    [
      "in UTF-16",
      200,
      { "content-type": "application/json" },
      Buffer.from('\uFEFF{"a":1}', "utf16le"),
      { a: 1 },
    ],
    [
      "with its whole numbers exact",
      200,
      { "content-type": "application/json" },
      '{"id":725653563933458433}',
      { id: "725653563933458433" },
    ],
    [
      "by its location, if that is all",
      201,
      { location: "/things/42" },
      "",
      { location: "/things/42" },
    ],
  ])("%s", async (_what, status, headers, body, result) => {
    const { call } = await operationAt({}, {}, () => ({ status, headers, body }));
    expect(await call({})).toMatchObject({ status: "done", result });
  });
});
