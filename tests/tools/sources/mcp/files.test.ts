import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { mcpServers } from "../../../../agents/mcp/mcpServer.js";
import { serveHttp } from "../../../../agents/mcp/serveHttp.js";
import { openToolbox } from "../../../../agents/toolbox.js";
import { compileGraph } from "../../../../graphs/compile.js";
import { type GraphId, loadGraph } from "../../../../graphs/index.js";
import { importTools } from "../../../../home/libraries.js";
import { openWorkspace } from "../../../../home/workspace.js";
import type { GraphState } from "../../../../state/state.js";
import type { DataPlace } from "../../../../storage/database.js";
import { inEachHome, newHome } from "../../../fakes/homes.js";
import { scriptedModel } from "../../../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../../../fakes/testLibrary.js";
import { program } from "../../../graphs/tulipRuns.js";
import { openAiEndpoint } from "../../../models/support.js";
import { serve } from "./httpSupport.js";
import { EMBEDDINGS, callTool, importServer, toolsOf } from "./support.js";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const TAPE = Buffer.alloc(7_000_000).toString("base64");

const BYTES = Buffer.from(PIXEL, "base64").length;

/** Sends a picture, or as many bytes as wanted, and tells the size of what it is sent. */
function archive(): McpServer {
  const server = new McpServer({ name: "archive", version: "1.0.0" });
  const annotations = { readOnlyHint: true };
  const about = { description: "Scan a page", inputSchema: z.object({}), annotations };
  server.registerTool("scan", about, async () => ({
    content: [{ type: "image", mimeType: "image/png", data: PIXEL }],
  }));
  const inputSchema = z.object({ picture: z.base64() });
  server.registerTool(
    "measure",
    { description: "Measure a picture", inputSchema, annotations },
    async ({ picture }) => ({
      content: [{ type: "text", text: `${Buffer.from(picture, "base64").length} sent` }],
    }),
  );
  server.registerTool("tape", { ...about, description: "Copy a tape" }, async () => ({
    content: [{ type: "resource", resource: { uri: "file:///tape", blob: TAPE } }],
  }));
  return server;
}

const WEIGH = `
import { readFileSync } from "node:fs";
/**
 * Weigh a file.
 *
 * @param path - Where it is.
 * @effects read
 */
export function weigh(path: string): string {
  return readFileSync(path).length + " at " + path;
}
`;

const LIBRARY = { ...TEST_LIBRARY, library: "archive", threshold: 0 };

/** A server of a team, with a folder of its own. */
function workspaceAt({ home, url }: DataPlace) {
  const workspace = openWorkspace({ home, database: url });
  onTestFinished(() => workspace.close());
  return workspace;
}

async function archiveAt(place: DataPlace) {
  const workspace = workspaceAt(place);
  const handler = toNodeHandler(createMcpHandler(archive));
  const url = await serve((request, response) => void handler(request, response));
  await importServer({ workspace, name: "archive", settings: { url, headers: {} } });
  const file = join(place.home, "weigh.ts");
  writeFileSync(file, WEIGH);
  await importTools({ store: workspace.store, settings: LIBRARY, file });
  return workspace;
}

type Open = Awaited<ReturnType<typeof archiveAt>>;

async function run(workspace: Open, options: { graph: GraphId; model: string; request: string }) {
  const { graph: name, model, request } = options;
  const { wiring } = await loadGraph(name);
  const { saver: checkpointer } = workspace.checkpoints();
  const graph = compileGraph(wiring, { name, workspace, checkpointer });
  const configurable = { thread_id: randomUUID() };
  const config = { configurable, context: { ...LIBRARY, model } };
  const state = (await graph.invoke({ request }, config)) as GraphState;
  return { state, threadId: configurable.thread_id };
}

inEachHome("a file that a tool sends", (newPlace) => {
  it("goes by its name through a program to tools that read it", async () => {
    const workspace = await archiveAt(await newPlace());
    const { spec: model } = scriptedModel([
      program(
        "const page = await archive.scan({});",
        "const weight = await weigh({ path: page.file });",
        "const size = await archive.measure({ picture: page.file });",
        "return `${size}, ${weight}`;",
      ),
    ]);
    const request = "Scan a page, weigh the file and measure the picture";
    const { state } = await run(workspace, { graph: "tulip", model, request });
    expect(state.calls.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect(state.answer).toMatch(new RegExp(`^${BYTES} sent, ${BYTES} at /.*[0-9a-f]{32}\\.png$`));
    const [, path = ""] = / at (.*)/.exec(state.answer) ?? [];
    // Nothing of it stays on the server.
    expect(existsSync(path)).toBe(false);
  });

  it("is kept once, is there on every server, and goes with its thread", async () => {
    const place = await newPlace();
    const workspace = await archiveAt(place);
    const tool = (await toolsOf(workspace, "archive")).get("archive.scan");
    const { result } = await callTool({ workspace, tool, args: {} });
    await callTool({ workspace, tool, args: {} });
    const name = String(Object(result).file);
    const elsewhere =
      place.url === undefined ? workspace : workspaceAt({ ...place, home: newHome() });
    const { journal } = elsewhere.runtime;
    expect(await journal.files("t", [name])).toEqual([
      { name, data: Buffer.from(PIXEL, "base64") },
    ]);
    expect(await journal.files("another", [name])).toEqual([]);
    await journal.copyFiles({ from: "t", to: "copy" });
    await elsewhere.forget("t");
    expect(await journal.files("t", [name])).toEqual([]);
    expect(await journal.files("copy", [name])).toHaveLength(1);
  });

  it("is not kept once a thread has 100 MB of files", async () => {
    const workspace = await archiveAt(await newPlace());
    const tools = await toolsOf(workspace, "archive");
    const call = (name: string) => callTool({ workspace, tool: tools.get(name), args: {} });
    const { result } = await call("archive.scan");
    const { journal } = workspace.runtime;
    const data = Buffer.alloc(95_000_000);
    expect(await journal.keepFile({ threadId: "t", data })).toMatch(
      /^received\/[0-9a-f]{32}\.bin$/,
    );
    expect((await call("archive.tape")).result).toEqual({
      uri: "file:///tape",
      bytes: 7_000_000,
      problem: "not kept: a thread has room for 100 MB of files",
    });
    expect((await call("archive.scan")).result).toEqual(result);
  });

  it.each([
    ["as it is to a model that sees pictures", "openai:gpt-4.1-mini", 1],
    ["by its name to a model of which that is not known", "openai:my-model", 0],
  ])("is shown %s", async (_, model, shown) => {
    const { bodies } = await openAiEndpoint(({ body }, at) =>
      at === 0
        ? { calls: [{ name: String(body.tools?.[0]?.function.name), arguments: {} }] }
        : { calls: [{ name: "stop", arguments: { message: "A page.", solved: true } }] },
    );
    const workspace = await archiveAt(await newPlace());
    await run(workspace, { graph: "minimal_tulip", model, request: "Scan a page" });
    const pictures =
      JSON.stringify(bodies.at(-1)).split(`data:image/png;base64,${PIXEL}`).length - 1;
    expect(pictures).toBe(shown);
    expect(JSON.stringify(bodies.at(-1))).toMatch(/received\/[0-9a-f]{32}\.png/);
  });
});

it("a file comes whole to a client of the MCP server, which could not fetch it", async () => {
  const place = { home: newHome() };
  await archiveAt(place);
  const toolbox = await openToolbox({ library: "archive", ...place, embeddings: EMBEDDINGS });
  const server = await serveHttp(mcpServers({ toolbox, allowWrites: true }), 0);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const picture = { type: "image", mimeType: "image/png", data: PIXEL };
  const given = { tool: "archive.scan", arguments: {} };
  const called = await client.callTool({ name: "call_tool", arguments: given });
  expect(called.content).toContainEqual(picture);
  const program = "return archive.scan({});";
  const ran = await client.callTool({ name: "run_plan", arguments: { program } });
  expect(ran.content).toContainEqual(picture);
});
