/**
 * Serves LangGraph.js projects of others as they are, and makes a run of each of their graphs: a line for each.
 *
 *   npx tsx tests/campaigns/exampleProjects.ts --folder DIR [--only memory-agent-js]
 *
 * DIR holds checkouts, such as react-agent-js, memory-agent-js, data-enrichment-js, retrieval-agent-template-js and
 * new-langgraphjs-project of langchain-ai, in each of which `npm install` was run. Their model is an endpoint on this
 * machine: it calls the last tool that it is offered, unless that reaches the network, and then answers. So is Elasticsearch.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { serve } from "@hono/node-server";
import { Client } from "@langchain/langgraph-sdk";
import { Hono } from "hono";
import { inTemporaryFolder } from "../../eval/files.js";
import { type ChatBody, type EndpointReply, startChatEndpoint } from "../fakes/chatEndpoint.js";
import { addressOf } from "../fakes/langgraphServer.js";
import { optionsOf, write } from "./scriptSupport.js";

const { folder, only } = optionsOf({ folder: "", only: "" });

/** What their graphs are given of, as far as their schemas have it. */
const INPUT = {
  messages: [{ role: "user", content: "My name is Ada, and I live in London." }],
  topic: "Lovelace",
  extractionSchema: { type: "object", properties: { name: { type: "string" } } },
  docs: ["Ada lives in London."],
};

/** Settings under which they use the endpoint, as they offer them. */
const MODEL = "openai/gpt-4o-mini";
const CONFIGURABLE = { model: MODEL, queryModel: MODEL, responseModel: MODEL };

const model = await startChatEndpoint(({ path, body }) => answerTo(path, body));
const elastic = serve({ fetch: elasticsearch().fetch, port: 0, hostname: "127.0.0.1" });
await once(elastic, "listening");
const KEYS = ["OPENAI", "ANTHROPIC", "TAVILY", "ELASTICSEARCH"];
const env = {
  ...process.env,
  ...Object.fromEntries(KEYS.map((name) => [`${name}_API_KEY`, "none"])),
  OPENAI_BASE_URL: model.url,
  ELASTICSEARCH_URL: `http://127.0.0.1:${(elastic.address() as AddressInfo).port}`,
};
try {
  const projects = readdirSync(folder)
    .filter((name) => name.includes(only))
    .map((name) => ({ name, file: resolve(folder, name, "langgraph.json") }))
    .filter(({ file }) => existsSync(file));
  for (const { name, file } of projects) {
    const said = await inTemporaryFolder("examples", (home) => tried(file, home)).catch(
      (error: unknown) => [`FAILS ${String(error)}`],
    );
    for (const line of said) write(`${name}: ${line}`);
    if (said.some((line) => line.includes("FAILS"))) process.exitCode = 1;
  }
} finally {
  elastic.close();
  await model.close();
}

async function tried(file: string, home: string): Promise<string[]> {
  const argv = [join("bin", "tulipgraph.mjs"), "serve", "--port", "0", "--config", file];
  const server = spawn("node", argv, {
    env: { ...env, TULIPGRAPH_HOME: home, TULIPGRAPH_LOG_LEVEL: "error" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const apiUrl = await addressOf(server);
    const client = new Client({ apiUrl, apiKey: null, callerOptions: { maxRetries: 0 } });
    server.stderr.on("data", (text: Buffer) => process.stderr.write(text));
    const own = (await client.assistants.search({ limit: 1_000 })).filter(({ description }) =>
      String(description).includes(file),
    );
    if (own.length === 0) return ["FAILS no assistants"];
    const lines: string[] = [];
    for (const { assistant_id: id, graph_id } of own)
      lines.push(
        await used(client, id).then(
          (line) => `${graph_id}: ${line}`,
          (error: unknown) => `${graph_id}: FAILS ${String(error).slice(0, 500)}`,
        ),
      );
    return lines;
  } finally {
    server.kill("SIGKILL");
    await once(server, "exit");
  }
}

/** Looks at an assistant, makes a run with it, and says what was seen. */
async function used(client: Client, assistant: string): Promise<string> {
  const schemas = await client.assistants.getSchemas(assistant);
  const takes = Object.keys(Object(schemas.input_schema).properties ?? {});
  if (takes.length === 0) throw new Error(`no input: ${JSON.stringify(schemas.input_schema)}`);
  const { nodes } = await client.assistants.getGraph(assistant);
  const given = Object.entries(INPUT).filter(([field]) => takes.includes(field));
  const { thread_id } = await client.threads.create();
  const seen = new Set<string>();
  for await (const { event, data } of client.runs.stream(thread_id, assistant, {
    input: Object.fromEntries(given),
    config: { configurable: CONFIGURABLE },
    streamMode: ["updates", "messages-tuple"],
  })) {
    if (event === "error") throw new Error(JSON.stringify(data));
    seen.add(event === "updates" ? Object.keys(data).join() : event);
  }
  const { values, next } = await client.threads.getState(thread_id);
  if (next.length > 0) throw new Error(`it has not ended, but waits for ${next.join()}`);
  const { messages = [] } = values as { messages?: unknown[] };
  const steps = [...seen].filter((name) => name !== "metadata").join(", ");
  return `ok - takes ${takes.join(", ")}; ${nodes.length} nodes drawn; streamed ${steps}; ${messages.length} messages`;
}

/** Called with what fits its schema, once; whatever is asked for as JSON gets that, too. */
function answerTo(path: string, body: ChatBody): EndpointReply {
  if (path.endsWith("/embeddings")) {
    const texts = Array.isArray(body.input) ? body.input : [body.input];
    return { embeddings: texts.map(() => [1, 0]) };
  }
  const { response_format: format, tools = [], messages = [] } = body;
  const { schema } = Object((Object(format) as { json_schema?: object }).json_schema) as {
    schema?: JsonSchema;
  };
  const id = randomUUID();
  if (schema) return { id, content: JSON.stringify(sampleOf(schema)) };
  const offered = tools.map(({ function: one }) => one as { name: string; parameters: JsonSchema });
  const tool = offered.findLast(({ name }) => !/search|scrape/i.test(name));
  const isCalled = messages.some(({ role }) => role === "tool");
  if (!tool || isCalled) return { id, content: "Good day, Ada." };
  const args = sampleOf(tool.parameters) as Record<string, unknown>;
  return { id, calls: [{ name: tool.name, arguments: args }] };
}

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}

function sampleOf({ type, properties = {}, items = {} }: JsonSchema): unknown {
  if (type === "object") {
    const all = Object.entries(properties);
    return Object.fromEntries(all.map(([name, inner]) => [name, sampleOf(inner)]));
  }
  if (type === "array") return [sampleOf(items)];
  return { boolean: true, number: 1, integer: 1 }[type ?? ""] ?? "Ada";
}

function elasticsearch(): Hono {
  const found = { errors: false, items: [], hits: { hits: [] } };
  const header = { "x-elastic-product": "Elasticsearch" };
  return new Hono().all("*", (context) => context.json(found, 200, header));
}
