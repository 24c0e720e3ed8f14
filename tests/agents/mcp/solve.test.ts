import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { mcpServers } from "../../../agents/mcp/mcpServer.js";
import { openToolbox } from "../../../agents/toolbox.js";
import { temporaryFolder } from "../../cli/support.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../../fakes/testLibrary.js";

beforeAll(importTestLibrary);

/** A client of a server in this process, with the given answer of its person and replies of its model. */
async function connected(options: { model?: Reply[]; approve?: boolean }): Promise<Client> {
  const { model, approve } = options;
  const servers = mcpServers({
    toolbox: await openToolbox(TEST_LIBRARY),
    allowWrites: false,
    ...(model && { model: scriptedModel(model).spec }),
  });
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler("elicitation/create", async () => ({
    action: "accept",
    content: { approve: approve ?? false },
  }));
  const [here, there] = InMemoryTransport.createLinkedPair();
  await (await servers({ era: "legacy" })).connect(there);
  await client.connect(here);
  onTestFinished(() => client.close());
  return client;
}

function writing(file: string): Reply {
  const call = `write_line({ file: ${JSON.stringify(file)}, line: "done" })`;
  return { text: ["```ts", `const said = ${call};`, "return `It is ${said}.`;", "```"].join("\n") };
}

it("is not offered where no model is set", async () => {
  const { tools } = await (await connected({})).listTools();
  expect(tools.map(({ name }) => name)).not.toContain("solve");
});

it("solves a request, and asks a person before it writes", async () => {
  const file = join(temporaryFolder(), "log.txt");
  const client = await connected({ model: [writing(file)], approve: true });
  const request = `Write the line done into the log file ${file}`;
  const solved = await client.callTool({ name: "solve", arguments: { request } });
  expect(solved.structuredContent).toMatchObject({ status: "solved" });
  expect(readFileSync(file, "utf8")).toBe("done\n");
});

it("writes nothing where the person says no", async () => {
  const file = join(temporaryFolder(), "log.txt");
  const client = await connected({ model: [writing(file)], approve: false });
  const request = `Write the line done into the log file ${file}`;
  const refused = await client.callTool({ name: "solve", arguments: { request } });
  expect(refused.isError).toBe(true);
  expect(existsSync(file)).toBe(false);
});
