import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { listOpenApi } from "../../../../tools/sources/openapi/listOpenApi.js";
import type { JsonSchema } from "../../../../common/schemas/jsonSchema.js";
import type { HttpOperation, ToolDefinition } from "../../../../tools/tool.js";
import { startServer } from "./apiServer.js";
import { documentFile, listDraft, RESPONSES, temporaryFolder, toolOf } from "./support.js";

function operationOf({ source }: ToolDefinition): HttpOperation {
  if (source.kind !== "openapi") throw new Error("not of a document");
  return source.operation;
}

const json = (schema: unknown) => ({ content: { "application/json": { schema } } });

/** The schema of an argument, as a tool has it. */
async function parameter(
  schema: unknown,
  more: Record<string, unknown> = {},
): Promise<JsonSchema | undefined> {
  const { parameters } = await toolOf(
    { requestBody: json({ type: "object", properties: { x: schema } }) },
    { method: "post", ...more },
  );
  return parameters.properties["x"];
}

async function list(document: string) {
  return await listOpenApi({ name: "shop", document });
}

describe("an operation", () => {
  it("becomes a tool of its API, with what the document says about both", async () => {
    const tool = await toolOf(
      { operationId: "list-things", summary: "List things", tags: ["things"] },
      { info: { title: "Shop API", version: "1", description: "Sells [things](https://x.y)." } },
    );
    expect(tool).toMatchObject({
      id: "shop.list-things",
      name: "list_things",
      description: "List things.",
      provider: "Shop API",
      providerDescription: "Sells things.",
      category: "things",
      effects: "read",
    });
  });

  it("without an id, or with that of another, is named after its method and path", async () => {
    const same = { operationId: "x", responses: RESPONSES };
    const { tools } = await listDraft({
      paths: { "/a/{id}": { get: { responses: RESPONSES } }, "/b": { get: same, put: same } },
    });
    expect(tools.map(({ id }) => id)).toEqual(["shop.get_a_id", "shop.x", "shop.put_b"]);
    expect(tools[0]?.parameters.required).toEqual(["id"]);
  });

  it("takes path, query, header, cookie and body parameters as one object", async () => {
    const tool = await toolOf(
      {
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "integer" } },
          { name: "filter[status]", in: "query", schema: { type: "string" } },
          { name: "X-Trace", in: "header", schema: { type: "string" } },
          { name: "session", in: "cookie", schema: { type: "string" } },
          { name: "Authorization", in: "header", schema: { type: "string" } },
        ],
        requestBody: {
          required: true,
          ...json({
            type: "object",
            required: ["id", "name"],
            properties: { id: { type: "string" }, name: { type: "string" } },
          }),
        },
      },
      { method: "put", path: "/things/{id}" },
    );
    expect(Object.keys(tool.parameters.properties)).toEqual([
      "id",
      "filter_status",
      "X-Trace",
      "session",
      "id_body",
      "name",
    ]);
    expect(tool.parameters.required).toEqual(["id", "id_body", "name"]);
    expect(operationOf(tool).places).toMatchObject({
      id: { in: "path", name: "id" },
      filter_status: { in: "query", name: "filter[status]" },
      id_body: { in: "body", name: "id" },
    });
  });

  it("with several bodies takes the fields of each and requires what all require", async () => {
    const card = { type: "object", required: ["to", "card"], properties: { card: {}, to: {} } };
    const bank = { type: "object", required: ["to", "iban"], properties: { iban: {}, to: {} } };
    const body = json({ oneOf: [card, bank] });
    const tool = await toolOf({ requestBody: { required: true, ...body } }, { method: "post" });
    expect(Object.keys(tool.parameters.properties).toSorted()).toEqual(["card", "iban", "to"]);
    expect(tool.parameters.required).toEqual(["to"]);
    expect(tool.parameters).not.toHaveProperty("anyOf");
  });

  it("states defaults in words: filled in, they would reset what nobody mentioned", async () => {
    const properties = { private: { type: "boolean", default: false } };
    const body = json({ type: "object", properties });
    const tool = await toolOf({ requestBody: body }, { method: "patch" });
    expect(tool.parameters.properties).toEqual({
      private: { type: "boolean", description: "(default: false)" },
    });
  });

  it("returns what its first successful answer contains", async () => {
    const tool = await toolOf({
      responses: {
        404: { description: "None", ...json({ type: "string" }) },
        201: { description: "Made", ...json({ type: "object", properties: { id: {} } }) },
        204: { description: "Nothing" },
      },
    });
    expect(tool.returns).toEqual({ type: "object", properties: { id: {} } });
  });
});

describe("a schema", () => {
  it("is replaced by what it refers to, and allows anything of its type where it contains itself", async () => {
    const node = {
      type: "object",
      properties: { name: { type: "string" }, next: { $ref: "#/components/schemas/Node" } },
    };
    const found = await parameter(
      { $ref: "#/components/schemas/Node" },
      { components: { schemas: { Node: node } } },
    );
    expect(found).toEqual({
      type: "object",
      properties: { name: { type: "string" }, next: { type: "object" } },
    });
  });

  it("that is enormous is cut to the room there is, however it branches", async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => {
        const next = { $ref: `#/components/schemas/L${Math.min(level + 1, 39)}` };
        const description = "What there is to say of it. ".repeat(10);
        const properties = Object.fromEntries("abcdefgh".split("").map((name) => [name, next]));
        return [`L${level}`, { type: "object", description, properties }];
      }),
    );
    const found = await parameter({ $ref: "#/components/schemas/L0" }, { components: { schemas } });
    expect(found).toMatchObject({ type: "object", properties: { a: { type: "object" } } });
    expect(JSON.stringify(found).length).toBeLessThan(20_000);
  });

  it("of 3.0 is modernised", async () => {
    const schema = { type: "integer", nullable: true, minimum: 1, exclusiveMinimum: true };
    expect(await parameter(schema)).toEqual({ type: ["integer", "null"], exclusiveMinimum: 1 });
  });

  it("combined of several is merged", async () => {
    const allOf = [
      { type: "object", required: ["a"], properties: { a: { type: "string" } } },
      { properties: { b: { type: "integer", readOnly: true }, c: {} } },
    ];
    const expected = { type: "object", properties: { a: { type: "string" }, c: {} } };
    expect(await parameter({ allOf })).toEqual({ ...expected, required: ["a"] });
  });
});

describe("a document", () => {
  it("of 3.1, and in YAML, is read as well", async () => {
    const file = join(temporaryFolder(), "shop.yaml");
    writeFileSync(
      file,
      `openapi: 3.1.0
info: { title: Shop, version: "1" }
servers: [{ url: "https://{region}.shop.example", variables: { region: { default: eu } } }]
paths:
  /things:
    get:
      operationId: find
      parameters:
        - { name: q, in: query, schema: { type: [string, "null"] } }
      responses: { "200": { description: Done } }
`,
    );
    const { tools, servers } = await listOpenApi({ name: "shop", document: file });
    expect(servers).toEqual(["https://eu.shop.example"]);
    expect(tools[0]?.parameters.properties).toEqual({ q: { type: ["string", "null"] } });
  });

  it("loses only the operations that cannot be called", async () => {
    const servers = [{ url: "https://{your-agent}.example" }];
    const { tools, problems } = await listDraft({
      paths: {
        "/a": { get: { operationId: "a", responses: RESPONSES } },
        "/b": { get: { operationId: "b", servers, responses: RESPONSES } },
      },
    });
    expect(tools.map(({ id }) => id)).toEqual(["shop.a"]);
    expect(problems).toMatchObject([
      { exportName: "b", problem: expect.stringContaining("your-agent") },
    ]);
  });

  it("can be limited to the wanted operations", async () => {
    const paths = {
      "/a": { get: { operationId: "a/list", responses: RESPONSES } },
      "/b": { get: { operationId: "b/list", tags: ["Beta"], responses: RESPONSES } },
    };
    const ids = async (only: string[]) => {
      const { tools } = await listDraft({ paths }, { only });
      return tools.map(({ id }) => id);
    };
    expect(await ids(["a/*"])).toEqual(["shop.a/list"]);
    expect(await ids(["beta"])).toEqual(["shop.b/list"]);
    await expect(ids(["c/*"])).rejects.toThrow(/no operation.*a\/list/);
  });

  it("can leave out what it calls deprecated", async () => {
    const old = { operationId: "old", deprecated: true, responses: RESPONSES };
    const paths = { "/a": { get: old, put: { operationId: "new", responses: RESPONSES } } };
    const { tools } = await listDraft({ paths }, { deprecated: false });
    expect(tools.map(({ id }) => id)).toEqual(["shop.new"]);
    await expect(listDraft({ paths }, { deprecated: false, only: ["old"] })).rejects.toThrow(
      /--no-deprecated: all 1 operations are deprecated/,
    );
  });

  it("with more than 50 MB is refused with a way to cut it, which works", async () => {
    const folder = temporaryFolder();
    const file = documentFile(
      {
        paths: {
          "/orders/{id}": { get: { operationId: "order", responses: RESPONSES } },
          "/big": { get: { description: "x".repeat(50_000_001), responses: RESPONSES } },
        },
      },
      folder,
    );
    const message = String(await list(file).catch((error: unknown) => error));
    expect(message).toContain("it has more than 50 MB. Cut it to the paths you need");
    if (spawnSync("jq", ["--version"]).status !== 0) return;
    const [, command = ""] = /: (jq .*)$/.exec(message) ?? [];
    const cut = command.replace("BIG.json", file).replace("SMALL.json", `${folder}/small.json`);
    execFileSync("sh", ["-c", cut]);
    const { tools } = await list(`${folder}/small.json`);
    expect(tools.map(({ id }) => id)).toEqual(["shop.order"]);
  });

  it("with values that stand for many others is refused before they are expanded", async () => {
    const file = join(temporaryFolder(), "bomb.yaml");
    const levels = Array.from({ length: 40 }, (_, at) => {
      const inner = at === 0 ? "x" : `*a${at - 1}`;
      return `  a${at}: &a${at} [${Array.from({ length: 10 }, () => inner).join(", ")}]`;
    });
    const head = 'openapi: 3.0.3\ninfo: { title: T, version: "1" }\npaths: {}\nx-bomb:\n';
    writeFileSync(file, head + levels.join("\n"));
    await expect(listOpenApi({ name: "shop", document: file })).rejects.toThrow(/more than/);
  });
});

describe("what cannot be imported", () => {
  const paths = { "/a": { get: { responses: RESPONSES } } };

  it.each<[string, (folder: string) => string, RegExp]>([
    ["no file", (folder) => join(folder, "none.json"), /no such file/],
    ["no operations", (folder) => documentFile({ paths: {} }, folder), /no operations/],
    [
      "a relative server",
      (folder) => documentFile({ paths, servers: [{ url: "/v1" }] }, folder),
      /"\/v1".*--base/,
    ],
    [
      "nothing but operations that cannot be read",
      (folder) => documentFile({ paths: { "/a": { get: "none" } } }, folder),
      /paths\.\/a\.get is not an object/,
    ],
    [
      "neither JSON nor YAML",
      (folder) => {
        writeFileSync(join(folder, "x.yaml"), "openapi: 3.0.0\n\t- {");
        return join(folder, "x.yaml");
      },
      /neither JSON nor YAML/,
    ],
    [
      "a reference to the web",
      (folder) => documentFile({ paths: { "/a": { $ref: "http://127.0.0.1:9/x.json" } } }, folder),
      /below the document's folder/,
    ],
  ])("%s: one line says so", async (_what, document, problem) => {
    const error = await listOpenApi({ name: "shop", document: document(temporaryFolder()) }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code: "INVALID_SETTING",
      message: expect.stringMatching(problem),
    });
    expect(String(error)).not.toContain("\n");
  });
});

describe("a document of several files", () => {
  const PARTS = {
    "paths/pets.yaml": [
      "post:",
      "  operationId: addPet",
      "  parameters: [{ $ref: '../parameters/n.yaml' }]",
      "  requestBody: { $ref: '../shared.json#/bodies/Pet' }",
      "  responses: { '200': { description: Done } }",
    ].join("\n"),
    "parameters/n.yaml": "{ name: n, in: query, schema: { type: integer } }",
    "shared.json": JSON.stringify({
      bodies: { Pet: { content: { "application/json": { schema: { $ref: "#/Pet" } } } } },
      Pet: {
        type: "object",
        properties: {
          name: { $ref: "shop.json#/components/schemas/Name" },
          kin: { $ref: "#/Pet" },
        },
      },
    }),
  };
  const root = {
    paths: { "/pets": { $ref: "./paths/pets.yaml" } },
    components: { schemas: { Name: { type: "string", minLength: 1 } } },
  };
  const properties = {
    n: { type: "integer" },
    name: { type: "string", minLength: 1 },
    kin: { type: "object" },
  };

  it("is read with what its files refer to, also in each other and back", async () => {
    const folder = temporaryFolder();
    for (const [name, text] of Object.entries(PARTS)) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const document = documentFile(root, folder);
    const { tools, problems } = await listOpenApi({ name: "shop", document });
    expect(problems).toEqual([]);
    expect(tools).toMatchObject([{ id: "shop.addPet", parameters: { properties } }]);
  });

  it("is read from its host, and from no other", async () => {
    const other = await startServer(() => ({ body: {} }));
    const elsewhere = { "/other": { $ref: `${other.url}/paths.yaml` } };
    const { url } = await startServer(({ url: path }) => {
      const text = (PARTS as Record<string, string>)[path.slice(1)];
      const draft = {
        openapi: "3.0.3",
        info: {},
        servers: [{ url: "https://shop.example" }],
        ...root,
      };
      return { body: text ?? { ...draft, paths: { ...root.paths, ...elsewhere } } };
    });
    const { tools, problems } = await list(`${url}/shop.json`);
    expect(tools).toMatchObject([{ id: "shop.addPet", parameters: { properties } }]);
    expect(problems[0]?.problem).toMatch(/paths\.\/other.*on its host/);
    expect(other.received).toEqual([]);
  });

  it("takes nothing from outside its folder", async () => {
    const folder = temporaryFolder();
    const inner = join(folder, "api");
    mkdirSync(inner);
    writeFileSync(join(folder, "above.json"), JSON.stringify({ get: { responses: {} } }));
    const document = documentFile({ paths: { "/a": { $ref: "../above.json" } } }, inner);
    await expect(listOpenApi({ name: "shop", document })).rejects.toThrow(
      /below the document's folder/,
    );
  });
});

it("Version 3.2 has other methods, and a whole query as one parameter.", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const content = { "application/x-www-form-urlencoded": { schema } };
  const parameters = [{ name: "q", in: "querystring", content }];
  const copy = { operationId: "copy", parameters, responses: RESPONSES };
  const { tools } = await listDraft({
    openapi: "3.2.0",
    paths: { "/things": { additionalOperations: { COPY: copy, TRACE: copy, "no method": copy } } },
  });
  expect(tools).toMatchObject([
    {
      parameters: { properties: { q: { properties: { a: { type: "string" } } } } },
      source: { operation: { method: "COPY", places: { q: { in: "query", name: "q" } } } },
    },
  ]);
});

describe("a document on the web", () => {
  const draft = {
    openapi: "3.0.3",
    info: { title: "Shop", version: "1" },
    paths: { "/a": { get: { operationId: "a", responses: RESPONSES } } },
  };
  it("shows by its address where the API answers, if it names no server", async () => {
    const { url } = await startServer(() => ({ body: draft }));
    expect(await list(`${url}/docs/shop.json`)).toMatchObject({ servers: [url] });
  });

  it("is followed when it has moved on its host, but not to another host", async () => {
    const other = await startServer(() => ({ body: draft }));
    const { url } = await startServer(({ url: path }) => {
      if (path === "/new") return { body: draft };
      const location = path === "/old" ? "/new" : `${other.url}/shop.json`;
      return { status: 302, headers: { location } };
    });
    expect((await list(`${url}/old`)).tools).toHaveLength(1);
    await expect(list(`${url}/elsewhere`)).rejects.toThrow(/redirects to .* not followed/);
    expect(other.received).toEqual([]);
  });

  it.each([
    ["HTML", { headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><p>Hi" }, /HTML/],
    ["an error", { status: 503, body: "busy" }, /503/],
    [
      "more than it may",
      { headers: { "content-length": "60000000" }, body: "" },
      /50 MB|broke off/,
    ],
    [
      "a reference into a file of this machine",
      { body: { ...draft, paths: { "/a": { $ref: "file:///etc/hosts" } } } },
      /below the document's folder/,
    ],
  ])("that is %s is refused in one line", async (_what, reply, problem) => {
    const { url } = await startServer(() => reply);
    await expect(list(`${url}/shop.json`)).rejects.toThrow(problem);
  });
});
