import { MemorySaver } from "@langchain/langgraph";
import { ChatAnthropic } from "langchain-anthropic";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { openWorkspace } from "../../home/workspace.js";
import { registerChatProvider } from "../../models/providers.js";
import { parseSettings } from "../../state/settings.js";
import type { GraphState } from "../../state/state.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { type ChatEndpoint, type Completion, startChatEndpoint } from "../fakes/chatEndpoint.js";
import { importTestLibrary, TEST_LIBRARY } from "../fakes/testLibrary.js";
import { program, programRun } from "./tulipRuns.js";

const graphs = await allGraphs();

beforeAll(importTestLibrary);

let endpoint: ChatEndpoint | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await endpoint?.close();
  endpoint = undefined;
});

const LONG = "It keeps what it is given, and tells what it has kept before. ".repeat(6);

/** A library of 40 tools, each of some 250 tokens. */
async function importLongTools() {
  const tools = Array.from({ length: 40 }, (_, at): ToolDefinition => {
    const field = { type: "string", description: LONG };
    return {
      id: `store.keep_item_${at}`,
      name: `keep_item_${at}`,
      description: `Keep an item in drawer ${at}. ${LONG}`,
      parameters: { type: "object", properties: { item: field, note: field }, required: ["item"] },
      effects: "read",
      source: { kind: "declared", file: "tools.jsonl" },
    };
  });
  const library = await openWorkspace().store.open({
    name: "drawers",
    ...(await embeddings()),
    create: true,
  });
  await library.sync({ origin: "tools.jsonl", fingerprint: "", tools });
}

async function embeddings() {
  const { openEmbeddings } = await import("../../models/embeddings/embeddings.js");
  const { embeddings: spec } = parseSettings(TEST_LIBRARY);
  return { embeddings: await openEmbeddings(spec), embeddingModel: spec };
}

async function thread(options: {
  graph: GraphId;
  script: (at: number) => Completion;
  settings?: object;
}) {
  endpoint = await startChatEndpoint((_request, at) => options.script(at));
  vi.stubEnv("OPENAI_BASE_URL", endpoint.url);
  vi.stubEnv("OPENAI_API_KEY", "test-key");
  const { wiring } = graphs[options.graph];
  const graph = compileGraph(wiring, { name: options.graph, checkpointer: new MemorySaver() });
  const context = {
    ...TEST_LIBRARY,
    model: "openai:test-model",
    offer: "called",
    topK: 1,
    ...options.settings,
  };
  const config = { configurable: { thread_id: crypto.randomUUID() }, context };
  const ask = async (request: string) =>
    (await graph.invoke({ request }, { ...config, recursionLimit: 200 })) as GraphState;
  return { ask, bodies: endpoint.bodies };
}

const writes = (...lines: string[]): Completion => ({
  content: ["```ts", ...lines, "```"].join("\n"),
});
const called = (name: string, args: object): Completion => ({
  calls: [{ name: "call_tool", arguments: { name, arguments: args } }],
});
const search = (phrase: string): Completion => ({
  calls: [{ name: "search_tools", arguments: { action_descriptions: [phrase] } }],
});
const stop = (message: string): Completion => ({
  calls: [{ name: "stop", arguments: { message, solved: true } }],
});
const QUERIES = ["double a number", "greet a person", "halve a number", "write a line", "log file"];

/** A call as Anthropic streams it. */
function anthropicCall(at: number, name: string, input: object): string {
  const message = {
    id: `msg_${at}`,
    type: "message",
    role: "assistant",
    model: "claude",
    content: [],
  };
  const usage = { input_tokens: 10, output_tokens: 5 };
  const delta = { type: "input_json_delta", partial_json: JSON.stringify(input) };
  const content_block = { type: "tool_use", id: `toolu_${at}`, name, input: {} };
  return [
    { type: "message_start", message: { ...message, usage } },
    { type: "content_block_start", index: 0, content_block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage },
    { type: "message_stop" },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

describe("a model that acts call by call", () => {
  it("is sent the same tools and the same beginning through ten searches", async () => {
    const { ask, bodies } = await thread({
      graph: "minimal_tulip",
      script: (at) => (at < 10 ? search(`${QUERIES[at % 5]} ${at}`) : stop("Nothing to do.")),
    });
    await ask("Double the number 21");
    expect(bodies.length).toBeGreaterThan(10);
    expect(new Set(bodies.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    const messages = bodies.slice(0, 11).map((body) => JSON.stringify(body.messages).slice(0, -1));
    for (const [at, text] of messages.slice(1).entries()) expect(text).toContain(messages[at]);
  });

  it("calls what was found for the request, and what it finds itself, through one fixed tool", async () => {
    const replies = [
      called("double_number", { value: 21 }),
      search("greet a person"),
      called("greet", { person: "Ann" }),
      stop("It is 42. Hello, Ann!"),
    ];
    const { ask, bodies } = await thread({
      graph: "minimal_tulip",
      script: (at) => replies[at] ?? stop("Done."),
    });
    const { calls, messages } = await ask("Double the number 21");
    expect(calls.map(({ tool }) => tool)).toEqual(["double_number", "greet"]);
    expect(JSON.stringify(bodies[0]?.messages)).toContain("double_number(value: number)");
    expect(JSON.stringify(bodies[0]?.messages)).not.toContain("greet(");
    expect(JSON.stringify(bodies[2]?.messages)).toContain("greet(");
    // The conversation has the tools' own names.
    expect(JSON.stringify(messages)).not.toContain("call_tool");
  });

  it.each([
    '{"name": "double_number", "arguments": {"value": 21}}',
    '```json\n{"name": "double_number", "arguments": {"value": 21}}\n```',
    "Sure!\n\n<tool_call>double_number(value=21)</tool_call>",
  ])("calls what was found also in text, by its own name: %j", async (content) => {
    const { ask } = await thread({
      graph: "minimal_tulip",
      script: (at) => (at === 0 ? { content } : stop("It is 42.")),
    });
    expect(await ask("Double the number 21")).toMatchObject({
      status: "solved",
      calls: [{ tool: "double_number", result: 42 }],
    });
  });

  it("is referred to what was found where Anthropic has an encoding for it", async () => {
    const calls: [string, object][] = [
      ["search_tools", { action_descriptions: ["greet a person"] }],
      ["greet", { person: "Ann" }],
    ];
    endpoint = await startChatEndpoint((_request, at) => {
      const [name, input] = calls[at] ?? ["stop", { message: "Hello, Ann!", solved: true }];
      return {
        status: 200,
        headers: { "content-type": "text/event-stream" },
        body: anthropicCall(at, name, input),
      };
    });
    const anthropicApiUrl = endpoint.url.replace("/v1", "");
    registerChatProvider("claude", {
      structuredReplies: "provider",
      makeChat: async (model) => new ChatAnthropic({ model, apiKey: "none", anthropicApiUrl }),
    });
    const { graph } = graphs.minimal_tulip;
    const model = "claude:claude-sonnet-4-5";
    const context = { ...TEST_LIBRARY, model, offer: "native", topK: 1 } as const;
    const state = (await graph.invoke({ request: "Double 21" }, { context })) as GraphState;
    expect(state.calls).toMatchObject([{ tool: "greet", result: "Hello, Ann!" }]);
    const bodies = endpoint.bodies as Record<string, unknown>[];
    expect(new Set(bodies.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    expect(JSON.stringify(bodies[0]?.["tools"])).toContain('"defer_loading":true');
    expect(JSON.stringify(bodies[0]?.["messages"])).not.toContain('"tool_name":"greet"');
    expect(JSON.stringify(bodies[1]?.["messages"])).toContain(
      '{"type":"tool_reference","tool_name":"greet"}',
    );
  });

  it("is told the same of earlier turns in later ones", async () => {
    const { ask, bodies } = await thread({
      graph: "minimal_tulip",
      script: (at) =>
        at % 2 === 0 ? called("double_number", { value: at }) : stop(`It is ${2 * (at - 1)}.`),
    });
    await ask("Double the number 0");
    await ask("Double the number 2");
    expect(new Set(bodies.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    const [before = "", after = ""] = [bodies[1], bodies[2]].map((body) =>
      JSON.stringify(body?.messages),
    );
    expect(after.startsWith(before.slice(0, -1))).toBe(true);
  });

  it("goes on where a program stopped with the tools that it used and the likeliest few", async () => {
    await importLongTools();
    const run = programRun({
      request: "Keep an item in a drawer",
      settings: { ...TEST_LIBRARY, library: "drawers", threshold: 0 },
      script: ({ stage }) =>
        stage === "writeProgram"
          ? program(
              'const kept = await store.keep_item_3({ item: "a" });',
              "return kept.shelf.name;",
            )
          : {
              calls: [{ name: "stop", args: { message: "It could not be kept.", solved: false } }],
            },
    });
    await run.start();
    const acted = run.model.questions.find(({ stage }) => stage === "act");
    const tools = acted?.tools ?? [];
    expect(tools).toContain("search_tools");
    const kept = tools.filter((name) => name.includes("keep_item"));
    expect(kept.some((name) => name.endsWith("keep_item_3"))).toBe(true);
    expect(kept.length).toBeGreaterThan(1);
    expect(kept.length).toBeLessThan(8);
  });
});

describe("a thread of tulip", () => {
  it("repeats in each prompt the whole of the last turn's, and adds to it", async () => {
    await importLongTools();
    const { ask, bodies } = await thread({
      graph: "tulip",
      settings: { library: "drawers" },
      script: (at) =>
        writes(
          `const kept = await store.keep_item_${at}({ item: "a" });`,
          "return `It is kept: ${kept}`;",
        ),
    });
    for (const at of [0, 1, 2, 3]) await ask(`Keep an item in drawer ${at}`);
    const texts = bodies.map(({ messages = [] }) =>
      messages.map(({ content }) => String(content)).join("\n"),
    );
    expect(texts).toHaveLength(4);
    for (const [at, text] of texts.slice(1).entries())
      expect(text.startsWith(texts[at] ?? "")).toBe(true);
  });

  it("shows a program that cannot be run behind what it was written for", async () => {
    await importLongTools();
    const { ask, bodies } = await thread({
      graph: "tulip",
      settings: { library: "drawers" },
      script: (at) =>
        writes(`return await store.keep_item_1({ ${at === 0 ? "things" : "item"}: "a" });`),
    });
    await ask("Keep an item in drawer 1");
    const [before = "", after = ""] = bodies.map(({ messages = [] }) =>
      messages.map(({ content }) => String(content)).join("\n"),
    );
    expect(after.startsWith(before)).toBe(true);
    expect(after).toContain("Your last program:");
  });
});
