import { Hono } from "hono";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { compileGraph } from "../../../graphs/compile.js";
import { allGraphs } from "../../../graphs/index.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../../server/schema.js";
import type { Environment } from "../../../server/server.js";
import { openTelemetry } from "../../../server/telemetry/telemetry.js";
import { openStore } from "../../../storage/database.js";
import { newHome } from "../../fakes/homes.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { ORDERS, useOrders } from "../../graphs/orders.js";
import { program } from "../../graphs/tulipRuns.js";
import { spansIn, startCollector } from "./collector.js";

const { tulip } = await allGraphs();
const newLog = useOrders();

const SECRET = "sk-proj-a1b2c3d4e5f6g7h8i9j0";
const REQUEST = "Ship the orders of the customer Mira";

describe("the traces of a run", () => {
  it("have nested spans for the run, its stages, model calls and tool calls", async () => {
    const { spans } = await tracedRun([shipping()]);
    const shown = (name: string) => spans.filter((span) => span.name === name);
    expect(shown("invoke_agent tulip")).toMatchObject([
      {
        attributes: {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.agent.name": "tulip",
          "gen_ai.conversation.id": "thread-1",
          "tulipgraph.run.id": "run-1",
          "tulipgraph.run.status": "success",
        },
      },
    ]);
    expect(shown("stage writeProgram")).toMatchObject([{ parent: "invoke_agent tulip" }]);
    expect(spans.find(({ name }) => name.startsWith("chat "))).toMatchObject({
      parent: "stage writeProgram",
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "fake",
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 2,
      },
    });
    expect(shown("execute_tool list_orders")).toMatchObject([
      {
        parent: "stage runProgram",
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "list_orders",
          "tulipgraph.tool.status": "done",
        },
      },
    ]);
    expect(shown("execute_tool ship_order")).toHaveLength(2);
    expect(spans.filter(({ parent, name }) => !parent && !name.startsWith("invoke"))).toEqual([]);
  });

  it("hold no contents and no key", async () => {
    const { received } = await tracedRun([shipping()]);
    const sent = received.map(({ body }) => body).join("\n");
    for (const content of ["Mira", "A1", "Shipped", "for (const order", SECRET])
      expect(sent).not.toContain(content);
  });

  it("hold contents if asked to", async () => {
    vi.stubEnv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true");
    const { spans } = await tracedRun([shipping()]);
    const chat = spans.find(({ name }) => name.startsWith("chat "));
    expect(chat?.attributes["gen_ai.input.messages"]).toContain(REQUEST);
    expect(chat?.attributes["gen_ai.output.messages"]).toContain("for (const order");
    const call = spans.find(({ name }) => name === "execute_tool list_orders");
    expect(call?.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"customer":"Mira"}',
      "gen_ai.tool.call.result": expect.stringContaining("A1"),
    });
  });

  it("mark failures with the kind of the error, not with its message", async () => {
    const { spans, received } = await tracedRun([new Error("no such order: Mira")], {
      status: "error",
    });
    const failed = spans.filter(({ failed }) => failed);
    expect(failed.map(({ name }) => name.split(" ")[0])).toEqual(["chat", "stage", "invoke_agent"]);
    expect(failed[1]?.attributes["error.type"]).toBe("MODEL_FAILED");
    expect(JSON.stringify(received)).not.toContain("no such order");
  });
});

describe("the metrics of a server", () => {
  it("count runs, stages, models, tokens and tools, without a label for a thread, run or tool", async () => {
    const { telemetry } = await run([shipping()]);
    const text = await telemetry.metrics();
    expect(text).toContain('tulipgraph_runs_total{graph="tulip",status="success"} 1');
    expect(text).toContain('tulipgraph_stage_seconds_count{stage="writeProgram"} 1');
    expect(text).toContain('tulipgraph_tool_call_seconds_count{status="done"} 3');
    expect(text).toMatch(
      /tulipgraph_model_tokens_total\{model="fake:[^"]+",direction="input"\} 10/,
    );
    expect(text).toMatch(/tulipgraph_model_usd_total\{model="fake:[^"]+"\} 0/);
    expect(text).toContain("tulipgraph_runs_running 0");
    expect(text).toContain("tulipgraph_runs_pending 0");
    expect(text).toContain("tulipgraph_database_up 1");
    expect(text).toContain("process_cpu_seconds_total");
    for (const detail of ["run-1", "thread-1", "ship_order"]) expect(text).not.toContain(detail);
  });
});

describe("the log of a server", () => {
  it("says why a caller was not let in", async () => {
    const { app, lines } = await servedApp();
    await app.request("/refused");
    expect(lines()).toMatchObject([{ status: 401, refused: "unexpected claim" }]);
  });

  it("has a line of JSON for a request, with the request's id and without its contents", async () => {
    const { app, lines } = await servedApp();
    const headers = { "x-request-id": "abc-1", "x-api-key": SECRET };
    const response = await app.request(`/threads/7?token=${SECRET}`, { headers });
    expect(response.headers.get("x-request-id")).toBe("abc-1");
    expect(lines()).toEqual([
      {
        level: "info",
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        event: "request",
        id: "abc-1",
        method: "GET",
        path: "/threads/7",
        status: 200,
        ms: expect.any(Number),
        caller: "key-1",
      },
    ]);
  });

  it("tells when runs begin and end, and nothing about their contents", async () => {
    const { lines } = await run([shipping()]);
    expect(lines()).toMatchObject([
      { event: "run_started", graph: "tulip", runId: "run-1", threadId: "thread-1" },
      { event: "run_ended", status: "success", ms: expect.any(Number) },
    ]);
    expect(JSON.stringify(lines())).not.toContain("Mira");
  });

  it("replaces keys and passwords", async () => {
    const { telemetry, lines } = await opened();
    const error = `postgres://me:pass-word-1@db refused ${SECRET}`;
    telemetry.log({ level: "error", event: "failed", error, deep: { key: [SECRET] } });
    expect(JSON.stringify(lines())).not.toMatch(/pass-word-1|a1b2c3d4/);
  });
});

const RUN = { runId: "run-1", threadId: "thread-1" };

async function opened() {
  const data = openStore<ServerTables>({
    place: { home: newHome() },
    store: "server",
    migrations: SERVER_MIGRATIONS,
  });
  onTestFinished(() => data.close());
  vi.stubEnv("TULIPGRAPH_LOG_LEVEL", "info");
  const written: string[] = [];
  const output = { write: (line: string) => void written.push(line) };
  const telemetry = await openTelemetry({ data }, { output });
  const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { telemetry, lines };
}

/** A server with one route, whose callers are all known. */
async function servedApp() {
  const { telemetry, lines } = await opened();
  const app = new Hono<Environment>();
  app.use(telemetry.observe);
  app.use(async (context, next) => {
    context.set("caller", { owner: "me", id: "key-1", scopes: [] });
    await next();
  });
  app.get("/threads/:id", (context) => context.json({}));
  app.get("/refused", (context) => {
    context.set("refused", "unexpected claim");
    return context.json({}, 401);
  });
  return { app, telemetry, lines };
}

/** Runs `tulip` as a server does. */
async function run(script: Reply[], options: { traceparent?: string; status?: string } = {}) {
  vi.stubEnv("OPENAI_API_KEY", SECRET);
  const { traceparent, status = "success" } = options;
  const { telemetry, lines } = await opened();
  const graph = compileGraph(tulip.wiring, { name: "tulip", checkpointer: new MemorySaver() });
  const model = scriptedModel(script).spec;
  const followed = telemetry.follow({ ...RUN, graph: "tulip", queuedMs: 5, traceparent });
  const settled = graph.invoke(
    { request: REQUEST },
    {
      configurable: { thread_id: "thread-1" },
      context: { ...ORDERS, model },
      callbacks: followed.callbacks,
    },
  );
  await settled.catch(() => undefined);
  followed.end({ status });
  await telemetry.close();
  return { telemetry, lines };
}

async function tracedRun(script: Reply[], options: Parameters<typeof run>[1] = {}) {
  const { url, received } = await startCollector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", url);
  await run(script, options);
  return { received, spans: spansIn(received) };
}

function shipping(): Reply {
  return program(
    'const orders = await list_orders({ customer: "Mira" });',
    "for (const order of orders) {",
    `  await ship_order({ order: order.id, log: ${JSON.stringify(newLog())} });`,
    "}",
    "return `Shipped ${orders.length} orders.`;",
  );
}
