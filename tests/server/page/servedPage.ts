import { Client } from "@langchain/langgraph-sdk";
import { openKeys } from "../../../server/access/keys.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../../server/schema.js";
import { type RunningServer, startServer } from "../../../server/serve.js";
import { openWorkspace } from "../../../home/workspace.js";
import { openStore } from "../../../storage/database.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY, importFixture } from "../../fakes/testLibrary.js";
import { program } from "../../graphs/tulipRuns.js";

const ORDERS = { ...TEST_LIBRARY, library: "orders", threshold: 0 };

/** A server with a library of orders, for tests of its page. */
export interface ServedPage extends RunningServer {
  /** Starts a run and returns its ids. */
  begin: (run: {
    script: Reply[] | Parameters<typeof scriptedModel>[0];
    request?: string;
    settings?: object;
    graph?: string;
  }) => Promise<{ threadId: string; runId: string }>;
  /** Waits for the end of all runs on a thread. */
  settled: (threadId: string) => Promise<void>;
}

/** How a server is started. */
export interface Serving {
  home: string;
  apiKey?: string;
  policyFile?: string;
  port?: number;
}

/** Starts a server with its own home. */
export async function servePage(options: Serving): Promise<ServedPage> {
  const { home, apiKey, policyFile, port = 0 } = options;
  const workspace = openWorkspace({ home });
  await importFixture({
    store: workspace.store,
    settings: ORDERS,
    file: "tests/fixtures/orders/tools.ts",
    description: "Orders",
  });
  const server = await startServer({
    place: { home },
    host: "127.0.0.1",
    port,
    concurrency: 4,
    leaseSeconds: 30,
    policyFile,
  });
  const client = new Client({ apiUrl: server.url, apiKey: apiKey ?? null });
  return {
    ...server,
    begin: async (run) => {
      const { script, request = "Ship the orders of the customer Mira", settings = {} } = run;
      const { thread_id: threadId } = await client.threads.create();
      const model = scriptedModel(script).spec;
      const context = { ...ORDERS, approval: "plan", model, ...settings };
      const { run_id: runId } = await client.runs.create(threadId, run.graph ?? "tulip", {
        input: { request },
        context,
        streamMode: ["updates"],
      });
      return { threadId, runId };
    },
    settled: async (threadId) => {
      for (const { run_id } of await client.runs.list(threadId)) {
        await client.runs.join(threadId, run_id);
      }
    },
  };
}

/** Makes keys before a server starts, and returns their secrets. */
export async function makeKeys(
  home: string,
  wanted: Parameters<ReturnType<typeof openKeys>["create"]>[0][],
): Promise<string[]> {
  const data = openStore<ServerTables>({
    place: { home },
    store: "server",
    migrations: SERVER_MIGRATIONS,
  });
  const secrets: string[] = [];
  for (const each of wanted) secrets.push((await openKeys(data).create(each)).secret);
  await data.close();
  return secrets;
}

/** A tool of a connected MCP server. */
export function connectedTool(server: string, name: string, description: string): ToolDefinition {
  return {
    id: `${server}.${name}`,
    name,
    description,
    parameters: { type: "object", properties: {} },
    source: { kind: "mcp", file: `mcp:${server}`, server, tool: name },
    effects: "read",
  };
}

/** A program that ships Mira's orders, A1 and A3, and writes each to a file. */
export function shippingAll(log: string): Reply {
  return program(
    'const orders = await list_orders({ customer: "Mira" });',
    "for (const order of orders) {",
    `  await ship_order({ order: order.id, log: ${JSON.stringify(log)} });`,
    "}",
    "return `Shipped ${orders.length} orders.`;",
  );
}

/** A model that waits until it is let go on. */
export function heldModel(file: string) {
  const gate = new EventTarget();
  const script = async () => {
    await new Promise((done) => gate.addEventListener("open", done));
    return shippingAll(file);
  };
  return { script, letGo: () => gate.dispatchEvent(new Event("open")) };
}
