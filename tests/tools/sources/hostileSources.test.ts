import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { declarationLines } from "../../../nodes/programs/functionDeclarations.js";
import { listOpenApi } from "../../../tools/sources/openapi/listOpenApi.js";
import { validateArguments } from "../../../tools/calls/engine/validateArguments.js";
import { readServer } from "../../../tools/sources/mcp/listing.js";
import { serve } from "./mcp/httpSupport.js";
import {
  callTool,
  fixture,
  folderOfTest,
  importServer,
  toolsOf,
  workspaceOfTest,
} from "./mcp/support.js";

/** The longest that the event loop may stand still, in milliseconds, on a machine with other work. */
const STANDSTILL_MS = 6_000;

/** Does something, and says how long the event loop stood still meanwhile at most. */
async function watched<Result>(work: () => Promise<Result>) {
  let last = performance.now();
  let standstill = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    standstill = Math.max(standstill, now - last);
    last = now;
  }, 10);
  try {
    return { result: await work(), standstill: () => standstill };
  } finally {
    clearInterval(timer);
  }
}

/** What a library takes of a hostile server, beside an honest one. */
async function imported(mode: string, startMs = 5_000) {
  const workspace = workspaceOfTest();
  await importServer({ workspace, name: "honest", settings: fixture("liar.mjs", "honest") });
  const settings = fixture("liar.mjs", mode);
  const { result, standstill } = await watched(
    async () => await readServer({ name: "s", settings, startMs }),
  );
  const { tools, problems } = result.listing;
  return { workspace, tools, told: problems.map(({ problem }) => problem), standstill };
}

describe("a server that means harm", () => {
  it.each<[string, string, number, RegExp]>([
    ["lists 100,000 tools at once", "hundredThousand", 20_000, /lists more than 20000 tools/],
    ["lists two million tools without names", "millions", 1, /lists more than 20000 tools/],
    ["has a schema of 9 MB", "largeSchema", 1, /"large" is left out: .*50000 characters/],
    ["lists pages without an end", "endless", 1, /does not end/],
  ])("and %s is taken within bounds, and told of in a line", async (_, mode, count, problem) => {
    const { tools, told, standstill, workspace } = await imported(mode);
    expect(tools).toHaveLength(count);
    expect(tools[0]?.name).toBe("good");
    expect(told.at(-1)).toMatch(problem);
    for (const line of new Set(told)) expect(line).toMatch(/^[^\n]{1,300}$/);
    expect(standstill()).toBeLessThan(STANDSTILL_MS);
    const others = await toolsOf(workspace, "honest");
    expect(await callTool({ workspace, tool: others.get("honest.read"), args: {} })).toMatchObject({
      status: "done",
    });
  });

  it.each([
    ["sends 11 MB at once", "tooLarge", 5_000, /more than 10 MB at once/],
    ["sends messages without an end instead of its list", "chatty", 2_000, /not answer within 2 s/],
  ])("and %s is refused in a line", async (_, mode, startMs, problem) => {
    const failing = imported(mode, startMs);
    await expect(failing).rejects.toThrow(problem);
    await expect(failing).rejects.not.toThrow("\n");
  });

  it("has patterns that take for ever bounded, and its other tools go on", async () => {
    const { tools } = await imported("pattern");
    const check = (name: string, args: object) => {
      const tool = tools.find((one) => one.name === name);
      if (!tool) throw new Error(`there is no ${name}`);
      return validateArguments({ record: { ...tool, hash: name }, args });
    };
    const evil = `${"a".repeat(60)}!`;
    const begun = performance.now();
    expect(check("slow", { text: evil })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/`text` must match pattern/),
    });
    expect(check("slowNames", { [evil]: 1 }).ok).toBe(true);
    expect(check("slowList", { text: Array(5_000).fill("a".repeat(60)) }).ok).toBe(false);
    expect(performance.now() - begun).toBeLessThan(STANDSTILL_MS);
    expect(check("good", {}).ok).toBe(true);
    await new Promise((done) => setTimeout(done, 1_100));
    expect(check("slow", { text: "aaa" }).ok).toBe(true);
  });

  it("has references that lead in circles or elsewhere followed nowhere", async () => {
    const { tools } = await imported("references");
    expect(tools.at(-1)?.name).toBe("good");
    for (const tool of tools) {
      expect(declarationLines([{ ...tool, name: tool.name }])).toContain(tool.name);
      const check = validateArguments({ record: { ...tool, hash: `ref ${tool.name}` }, args: {} });
      expect(check.ok ? "" : check.problem).toMatch(/^(?:|[^\n]{1,400})$/);
    }
  });
});

/** A document with a parameter of that type, and an operation without one. */
function withSchema(schema: object, more: object = {}) {
  return {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://shop.example" }],
    paths: {
      "/orders": {
        get: {
          operationId: "orders",
          parameters: [{ name: "text", in: "query", schema }],
          responses: { 200: { description: "Orders" } },
        },
      },
      "/others": { get: { operationId: "others", responses: { 200: { description: "Others" } } } },
    },
    ...more,
  };
}

/** A document at this place. */
function from(host: string) {
  return { name: "shop", document: `${host}/api.json` };
}

describe("a document of an API that means harm", () => {
  it.each<[string, object, object?]>([
    ["a pattern that takes for ever", { type: "string", pattern: "^(a+)+$" }],
    ["a schema of 9 MB", { type: "string", description: "x".repeat(9_000_000) }],
    [
      "references in a circle",
      { $ref: "#/components/schemas/A" },
      {
        components: {
          schemas: {
            A: { $ref: "#/components/schemas/B" },
            B: { $ref: "#/components/schemas/A" },
          },
        },
      },
    ],
    [
      "a type that contains itself",
      { $ref: "#/components/schemas/A" },
      {
        components: {
          schemas: { A: { type: "object", properties: { a: { $ref: "#/components/schemas/A" } } } },
        },
      },
    ],
  ])("with %s is read within bounds, and its other operations go on", async (_, schema, more) => {
    const document = join(folderOfTest(), "api.json");
    writeFileSync(document, JSON.stringify(withSchema(schema, more)));
    const { result, standstill } = await watched(
      async () => await listOpenApi({ name: "shop", document }).catch((error: Error) => error),
    );
    expect(standstill()).toBeLessThan(STANDSTILL_MS);
    // One that cannot be read is refused in a line; of one that can, the other operation is taken.
    const { tools } = result instanceof Error ? { tools: [] } : result;
    const told = result instanceof Error ? result.message : tools.map(({ id }) => id).join(" ");
    expect(told).toMatch(/^(?:document [^\n]{1,600}|.*shop\.others.*)$/);
    const begun = performance.now();
    for (const tool of tools) {
      expect(declarationLines([tool]).length).toBeLessThan(10_000);
      validateArguments({
        record: { ...tool, hash: tool.id },
        args: { text: "a".repeat(60) + "!" },
      });
    }
    expect(performance.now() - begun).toBeLessThan(STANDSTILL_MS);
  });

  it.each([
    "http://169.254.169.254/latest",
    "http://localhost:9200",
    "http://[::1]/",
    "http://10.1",
  ])("has nobody call %s, unless it comes from there", async (server) => {
    const document = withSchema({ type: "string" }, { servers: [{ url: server }] });
    vi.stubGlobal("fetch", async () => Response.json(document));
    await expect(listOpenApi(from("https://shop.example"))).rejects.toThrow(
      /a private address, and the document comes from elsewhere.*--base/,
    );
    expect((await listOpenApi(from("http://192.168.0.1"))).tools).toHaveLength(2);
  });

  it("that never ends is broken off", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const part = Buffer.alloc(1_000_000, " ");
      const more = () => {
        let hasRoom = true;
        while (hasRoom && !response.destroyed) hasRoom = response.write(part);
      };
      response.on("drain", more);
      more();
    });
    await expect(listOpenApi({ name: "shop", document: `${url}/api.json` })).rejects.toThrow(
      /more than 50 MB/,
    );
  });
});
