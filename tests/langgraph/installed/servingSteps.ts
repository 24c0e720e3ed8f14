import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Client as GraphClient } from "@langchain/langgraph-sdk";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished } from "vitest";
import { oauthServer } from "../../fakes/oauthServer.js";
import { executablePath, openPage, startBrowser } from "../../server/page/browserPage.js";
import { serve } from "../../tools/sources/mcp/httpSupport.js";
import { type Steps, done } from "./commandSteps.js";
import type { Installed } from "./install.js";

export const SERVING_STEPS: Steps = {
  "imports an MCP server, withholds what it changes, and calls its tools": async (place) => {
    // Beside the example, whose packages a file of the project would not find where pnpm installs.
    const server = join(place.examples, "changing.mjs");
    copyFileSync(join(place.folder, place.examples, "shelves.mjs"), join(place.folder, server));
    const add = ["tools", "import", "mcp", "shelves", "--", process.execPath, server];
    expect(await done(place, ...add)).toContain("2 added");
    const library = ["--library", "shelves"];
    await done(place, "tools", "label", "shelves.list_books", "--reads", ...library);
    const checked = await done(place, "check", "--", process.execPath, server);
    expect(checked).toContain("nothing to mend");
    const listed = await done(place, "tools", "call", "shelves.list_books", "{}", ...library);
    expect(listed).toContain("Walden");
    expect(await done(place, "tools", "verify")).toContain("as it was accepted");
    const text = readFileSync(join(place.folder, server), "utf8");
    writeFileSync(join(place.folder, server), text.replace("List all books", "List every book"));
    await place.tulipgraph(...add);
    const review = await place.tulipgraph("tools", "review");
    expect(review).toMatchObject({ code: 1, stdout: expect.stringContaining("every book") });
    await done(place, "tools", "review", "--accept", "shelves.list_books");
    expect(await done(place, "tools", "review")).toContain("nothing waits");
  },

  "logs in to an MCP server": async (place) => {
    const { url } = await oauthServer();
    const { command, args } = place.command("tools", "login", "weather", "--url", url);
    const login = spawn(command, args, { cwd: place.folder, env: plain(place) });
    followLogin(login);
    expect(await once(login, "exit")).toEqual([0, null]);
    await done(place, "tools", "import", "mcp", "weather", "--url", url);
    const call = ["tools", "call", "weather.warmth", '{ "place": "Oslo" }', "--library", "weather"];
    await done(place, "tools", "label", "weather.warmth", "--reads", "--library", "weather");
    expect(await done(place, ...call)).toContain("21");
  },

  "imports an OpenAPI document, and calls its operations": async (place) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{ "stock": 7 }');
    });
    writeFileSync(join(place.folder, "shop.json"), JSON.stringify(shop(url)));
    const added = await done(place, "tools", "import", "openapi", "shop.json", "shop");
    expect(added).toContain("1 added");
    const call = ["tools", "call", "shop.stock", '{ "item": "tulip" }', "--library", "shop"];
    expect(await done(place, ...call)).toContain("7");
  },

  "serves a library over MCP, by standard input and by HTTP, and tells a client of it": async (
    place,
  ) => {
    const file = ["--file", "cursor.json", "--yes"];
    await done(place, "connect", "cursor", "--library", "temperatures", ...file);
    const { mcpServers } = JSON.parse(readFileSync(join(place.folder, "cursor.json"), "utf8"));
    expect(mcpServers.tulipgraph.args).toContain("temperatures");
    const words = ["mcp", "--library", "temperatures"];
    const options = { ...place.command(...words), cwd: place.folder, env: plain(place) };
    const { url } = await place.serve(...words, "--http", "0");
    const ways = [
      new StdioClientTransport({ ...options, stderr: "ignore" }),
      new StreamableHTTPClientTransport(new URL(url)),
    ];
    for (const transport of ways) {
      const client = new Client({ name: "test", version: "1" });
      await client.connect(transport);
      onTestFinished(() => client.close());
      const found = await client.callTool({
        name: "find_tools",
        arguments: { queries: ["how a temperature feels"] },
      });
      expect(JSON.stringify(found)).toContain("describe_temperature");
    }
  },

  "serves the graphs to a key, runs one through LangGraph's SDK, shows the page, and forgets":
    async (place) => {
      const made = await done(
        place,
        "keys",
        "create",
        "--scope",
        "run",
        "--scope",
        "read",
        "--json",
      );
      const { id, secret: apiKey } = JSON.parse(made) as { id: string; secret: string };
      expect(await done(place, "keys", "list")).toContain(id);
      const { url } = await place.serve("serve", "--port", "0", "--processes", "2");
      const client = new GraphClient({ apiUrl: url, apiKey });
      const { thread_id } = await client.threads.create();
      const input = { request: "What is 3 times 4?" };
      const values = await client.runs.wait(thread_id, "tulip", { input });
      expect(values).toMatchObject({ status: "solved", answer: expect.stringContaining("12") });
      await showPage(url, apiKey);
      await done(place, "keys", "revoke", id);
      await expect(client.threads.get(thread_id)).rejects.toThrow(/401|revoked|key/i);
      await done(place, "users", "forget", "key:nobody", "--yes");
      await done(place, "threads", "prune", "--keep", "1");
    },
};

/** The page asks and answers, where there is a browser. */
async function showPage(url: string, key: string): Promise<void> {
  if (executablePath === undefined) return;
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const { page, problems } = await openPage({ browser, url, key });
  await page.getByLabel("Your request").fill("What is 5 times 7?");
  await page.keyboard.press("Enter");
  await page.getByText("The result is 35.").waitFor();
  // The first request is made without the key.
  expect(problems.filter((problem) => !problem.includes("401"))).toEqual([]);
}

/** Opens the address that a login prints, as a person would. */
function followLogin(login: ChildProcess): void {
  login.stderr?.on("data", (part: Buffer) => {
    const address = /http\S+authorize\S+/.exec(part.toString())?.[0];
    if (address) void fetch(address);
  });
}

function plain(place: Installed): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: place.folder };
}

/** An API with one operation. */
function shop(url: string): object {
  const item = { name: "item", in: "query", required: true, schema: { type: "string" } };
  const content = { "application/json": { schema: { type: "object" } } };
  return {
    openapi: "3.0.3",
    info: { title: "Shop", version: "1" },
    servers: [{ url }],
    paths: {
      "/stock": {
        get: {
          operationId: "stock",
          summary: "How many of an item are in stock",
          parameters: [item],
          responses: { 200: { description: "The number", content } },
        },
      },
    },
  };
}
