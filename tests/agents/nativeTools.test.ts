import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI, ChatOpenAICompletions } from "@langchain/openai";
import { type AgentMiddleware, createAgent } from "langchain";
import { ChatAnthropic } from "langchain-anthropic";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { encodable } from "../../models/offering/nativeTools.js";
import { createToolSearch } from "../../index.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";
import { importTestLibrary, TEST_LIBRARY } from "../fakes/testLibrary.js";
import { onThread, says } from "./agents.js";

beforeAll(importTestLibrary);

// oxlint-disable-next-line typescript/no-explicit-any -- bodies of two APIs
type Body = Record<string, any>;
type Reply = { text: string } | { find: string } | { call: string; args: object };

const PROVIDERS = {
  anthropic: {
    chat: (url: string) =>
      new ChatAnthropic({ model: "claude-sonnet-4-5", apiKey: "none", anthropicApiUrl: url }),
    body(reply: Reply, at: number) {
      const content =
        "text" in reply
          ? { type: "text", text: reply.text }
          : {
              type: "tool_use",
              id: `toolu_${at}`,
              ...("find" in reply
                ? { name: "find_tools", input: { queries: [reply.find] } }
                : { name: reply.call, input: reply.args }),
            };
      return {
        id: `msg_${at}`,
        type: "message",
        role: "assistant",
        model: "claude",
        content: [content],
        stop_reason: "text" in reply ? "end_turn" : "tool_use",
        usage: { input_tokens: 10, output_tokens: 5 },
      };
    },
    said: (body: Body) => body["messages"],
  },
  openai: {
    chat: (url: string) =>
      new ChatOpenAI({
        model: "gpt-5.4",
        apiKey: "none",
        configuration: { baseURL: `${url}/v1` },
      }),
    body(reply: Reply, at: number) {
      const output =
        "text" in reply
          ? {
              type: "message",
              id: `msg_${at}`,
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: reply.text, annotations: [] }],
            }
          : "find" in reply
            ? {
                type: "tool_search_call",
                id: `tsc_${at}`,
                call_id: `call_${at}`,
                execution: "client",
                status: "completed",
                arguments: { queries: [reply.find] },
              }
            : {
                type: "function_call",
                id: `fc_${at}`,
                call_id: `call_${at}`,
                name: reply.call,
                arguments: JSON.stringify(reply.args),
                status: "completed",
              };
      const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
      return { id: `resp_${at}`, object: "response", status: "completed", output: [output], usage };
    },
    said: (body: Body) => body["input"],
  },
} as const;

/** An agent at an endpoint that speaks as a provider does, and the bodies of its requests. */
async function nativeAgent(provider: keyof typeof PROVIDERS, script: (at: number) => Reply) {
  const api = PROVIDERS[provider];
  const endpoint = await startChatEndpoint((_request, at) => ({
    status: 200,
    body: api.body(script(at), at),
  }));
  onTestFinished(() => endpoint.close());
  const search = await createToolSearch(TEST_LIBRARY);
  const agent = createAgent({
    model: api.chat(endpoint.url.replace("/v1", "")),
    middleware: [search.middleware({ offer: "native" })] as AgentMiddleware[],
    checkpointer: new MemorySaver(),
  });
  return { agent, bodies: endpoint.bodies as Body[], said: api.said };
}

const QUERIES = ["double a number", "greet a person", "halve a number", "write a line", "log file"];

describe.each(["anthropic", "openai"] as const)("found tools in the encoding of %s", (provider) => {
  it("sends the same tools and the same beginning through ten finds and five turns", async () => {
    const { agent, bodies, said } = await nativeAgent(provider, (at) =>
      at % 3 < 2 ? { find: QUERIES[at % 5] ?? "" } : { text: "Done." },
    );
    for (let turn = 0; turn < 5; turn += 1)
      await agent.invoke(says(QUERIES[turn] ?? ""), onThread(`native ${provider}`));
    expect(bodies).toHaveLength(15);
    expect(new Set(bodies.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    const texts = bodies.map((body) => JSON.stringify(said(body)).slice(0, -1));
    const kept = texts.slice(1).map((text, at) => text.startsWith(texts[at] ?? ""));
    expect(new Set(kept)).toEqual(new Set([true]));
  }, 60_000);

  it("calls a found tool by its name, and gives the model its result", async () => {
    const { agent, bodies, said } = await nativeAgent(provider, (at) =>
      at === 0 ? { call: "double_number", args: { value: 21 } } : { text: "It is 42." },
    );
    const { messages } = await agent.invoke(says("Double a number: 21"), onThread(`n ${provider}`));
    expect(messages.at(-1)?.text).toBe("It is 42.");
    expect(JSON.stringify(said(bodies[1] ?? {}))).toContain('"42"');
  });
});

describe("the bodies of requests", () => {
  it("defers all tools at Anthropic, and refers to those found", async () => {
    const { agent, bodies } = await nativeAgent("anthropic", (at) =>
      at === 0 ? { find: "greet a person" } : { text: "Hello." },
    );
    await agent.invoke(says("Double a number: 21"), onThread("anthropic"));
    const [first = {}, second = {}] = bodies;
    const library = await openWorkspace().library(parseSettings(TEST_LIBRARY));
    const tools = first["tools"] as Body[];
    expect(tools[0]).toMatchObject({ name: "find_tools" });
    expect(tools[0]).not.toHaveProperty("defer_loading");
    expect(tools.slice(1)).toHaveLength(library.size);
    expect(tools.find(({ name }) => name === "double_number")).toMatchObject({
      description: expect.any(String),
      input_schema: { type: "object", properties: { value: { type: "number" } } },
      defer_loading: true,
    });
    expect(first["cache_control"]).toEqual({ type: "ephemeral" });
    const [, asked, found] = first["messages"];
    expect(asked).toMatchObject({ role: "assistant", content: [{ type: "tool_use" }] });
    expect(found).toMatchObject({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: asked.content[0].id,
          content: expect.arrayContaining([{ type: "tool_reference", tool_name: "double_number" }]),
        },
      ],
    });
    expect(second["messages"].at(-1)).toMatchObject({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_0",
          content: expect.arrayContaining([expect.objectContaining({ type: "tool_reference" })]),
        },
      ],
    });
  });

  it("searches as the client at OpenAI, and defines what was found in the result", async () => {
    const { agent, bodies } = await nativeAgent("openai", (at) =>
      at === 0 ? { find: "greet a person" } : { text: "Hello." },
    );
    await agent.invoke(says("Double a number: 21"), onThread("openai"));
    const [first = {}, second = {}] = bodies;
    expect(first["tools"]).toEqual([
      {
        type: "tool_search",
        execution: "client",
        description: expect.stringContaining("Search for tools"),
        parameters: expect.objectContaining({ type: "object" }),
      },
    ]);
    const [, call, output] = first["input"];
    expect(call).toMatchObject({ type: "tool_search_call", execution: "client" });
    expect(output).toMatchObject({
      type: "tool_search_output",
      execution: "client",
      call_id: call.call_id,
      status: "completed",
      tools: expect.arrayContaining([
        expect.objectContaining({ type: "function", name: "double_number", defer_loading: true }),
      ]),
    });
    expect(second["input"].slice(-2)).toMatchObject([
      { type: "tool_search_call", call_id: "call_0" },
      { type: "tool_search_output", call_id: "call_0" },
    ]);
  });

  it("defines tools of a group in its namespace at OpenAI, and calls them by their names", async () => {
    const library = await openWorkspace().library(parseSettings(TEST_LIBRARY));
    const doubling = library.get("double_number");
    for (const at of doubling ? [1, 2, 3] : []) {
      const id = `desk.ring_${at}_bells`;
      const tool = { ...doubling, id, name: id, description: `Ring ${at} bells`, provider: "desk" };
      await library.put({ tool, basedOn: null, note: { by: "person", why: "for tests" } } as never);
    }
    const { agent, bodies } = await nativeAgent("openai", (at) =>
      at === 0 ? { call: "desk_ring_2_bells", args: { value: 4 } } : { text: "Rung." },
    );
    await agent.invoke(says("Ring 2 bells"), onThread("namespaces"));
    const output = bodies[0]?.["input"][2];
    expect(output.tools).toContainEqual({
      type: "namespace",
      name: "desk",
      description: expect.any(String),
      tools: expect.arrayContaining([
        expect.objectContaining({ type: "function", name: "desk_ring_2_bells" }),
      ]),
    });
    expect(bodies[1]?.["input"].at(-1)).toMatchObject({
      type: "function_call_output",
      output: "8",
    });
  });
});

const few = () => 100;
const anthropic = (model: string, more = {}) =>
  new ChatAnthropic({ model, apiKey: "none", ...more });
const openai = (model: string, baseURL?: string) =>
  new ChatOpenAI({ model, apiKey: "none", ...(baseURL && { configuration: { baseURL } }) });

describe("the encoding that suits a model", () => {
  it.each([
    [anthropic("claude-sonnet-4-20250514"), true],
    [anthropic("claude-haiku-4-5"), true],
    [anthropic("claude-3-5-haiku-latest"), false],
    [anthropic("claude-sonnet-4-5", { anthropicApiUrl: "https://gateway.example" }), false],
    [anthropic("claude-sonnet-4-5", { thinking: { type: "enabled", budget_tokens: 2000 } }), false],
    [openai("gpt-5.4-mini"), true],
    [openai("gpt-6"), true],
    [openai("gpt-4.1-mini"), false],
    [openai("gpt-5.4", "https://models.example/v1"), false],
  ])("is the provider's own only where it documents one: %#", (model, isNative) => {
    expect(encodable(model, few, false).native !== undefined).toBe(isNative);
  });

  it("is not Anthropic's for a library too large to be sent with each request", () => {
    expect(encodable(anthropic("claude-sonnet-4-5"), () => 5000, false).native).toBeUndefined();
  });

  it("is not OpenAI's for a client of chat completions alone", () => {
    const completions = new ChatOpenAICompletions({ model: "gpt-5.4", apiKey: "none" });
    expect(encodable(completions, few, true).native).toBeUndefined();
  });

  it("knows a model on this machine", () => {
    expect(encodable(openai("gpt-5.4", "http://127.0.0.1:8080/v1"), few, false).isLocal).toBe(true);
  });
});
