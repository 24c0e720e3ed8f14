import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { END, START, MessagesValue, StateGraph, StateSchema } from "@langchain/langgraph";
import { describe, expect, it, vi } from "vitest";
import { type Answer, ask } from "../../models/ask.js";
import { NOTHING_USED } from "../../state/state.js";
import { SEARCH_TOOLS } from "../../tools/control.js";
import {
  actQuestion,
  decomposeQuestion,
  openAiEndpoint,
  rejectionOf,
  someTools,
} from "./support.js";

function replyOf(answer: Answer) {
  if ("limit" in answer) throw new Error(`limit: ${answer.limit}`);
  return answer;
}

describe("the request of an OpenAI model", () => {
  it("carries the messages and nothing of the project's own", async () => {
    const { bodies, requests } = await openAiEndpoint({ content: "5" });
    await ask(actQuestion());
    expect(requests[0]?.path).toBe("/v1/chat/completions");
    expect(bodies[0]).toEqual({
      model: "gpt-4.1-mini",
      messages: [
        { role: "system", content: "Be exact." },
        { role: "user", content: "What is 2 + 3?" },
      ],
      max_tokens: 4096,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("carries temperature, seed and the limit of output tokens when they are set", async () => {
    const { bodies } = await openAiEndpoint({ content: "5" });
    await ask(actQuestion({ temperature: 0, seed: 7, maxOutputTokens: 99 }));
    expect(bodies[0]).toMatchObject({ temperature: 0, seed: 7, max_tokens: 99 });
  });

  it("gives a reasoning model no temperature and the name that it has for output tokens", async () => {
    const { bodies } = await openAiEndpoint({ content: "5" });
    await ask(actQuestion({ model: "openai:gpt-5-mini" }));
    await ask(actQuestion({ model: "openai:o4-mini" }));
    for (const body of bodies) {
      expect(body).not.toHaveProperty("temperature");
      expect(body).not.toHaveProperty("max_tokens");
      expect(body["max_completion_tokens"]).toBe(4096);
      expect(body.messages?.[0]?.role).toBe("developer");
    }
  });

  it("carries tools with name, description and parameters, and demands one of them", async () => {
    const { bodies } = await openAiEndpoint({ calls: [{ name: "tool_0", arguments: { a: 1 } }] });
    const tools = someTools(2);
    await ask(actQuestion({}, { tools, toolChoice: "any" }));
    expect(bodies[0]?.tools).toEqual(
      tools.map((tool) => ({ type: "function", function: { ...tool } })),
    );
    expect(bodies[0]?.["tool_choice"]).toBe("required");
  });

  it("demands a tool by its name", async () => {
    const { bodies } = await openAiEndpoint({ calls: [{ name: "search_tools", arguments: {} }] });
    await ask(actQuestion({}, { tools: [SEARCH_TOOLS], toolChoice: SEARCH_TOOLS.name }));
    expect(bodies[0]?.["tool_choice"]).toEqual({
      type: "function",
      function: { name: "search_tools" },
    });
  });

  it("leaves the choice to the model when none is demanded", async () => {
    const { bodies } = await openAiEndpoint({ content: "5" });
    await ask(actQuestion({}, { tools: someTools(1) }));
    expect(bodies[0]).not.toHaveProperty("tool_choice");
  });

  it("carries the schema of a structured reply and no tools", async () => {
    const { bodies } = await openAiEndpoint({ content: '{"subtasks":[]}' });
    const question = decomposeQuestion();
    await ask(question);
    expect(bodies[0]?.["response_format"]).toEqual({
      type: "json_schema",
      json_schema: { name: "decompose", strict: true, schema: question.prompt.schema },
    });
    expect(bodies[0]).not.toHaveProperty("tools");
  });

  it("carries the calls of earlier replies and their observations", async () => {
    const { bodies } = await openAiEndpoint({ content: "5" });
    const question = actQuestion();
    question.prompt.messages.push(
      new AIMessage({ content: "", tool_calls: [{ id: "c1", name: "add", args: { a: 2 } }] }),
      new ToolMessage({ tool_call_id: "c1", content: "5" }),
    );
    await ask(question);
    expect(bodies[0]?.messages?.slice(2)).toEqual([
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "add", arguments: '{"a":2}' } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "5" },
    ]);
  });

  it("keeps the settings of the graph's config out of the body", async () => {
    const { bodies } = await openAiEndpoint({ content: "5" });
    const config = {
      configurable: { thread_id: "t", model: "openai:other" },
      context: { topK: 3 },
      store: {},
      metadata: { m: 1 },
      tags: ["x"],
      recursionLimit: 50,
    };
    await ask(actQuestion({}, { config }));
    expect(Object.keys(bodies[0] ?? {}).toSorted()).toEqual([
      "max_tokens",
      "messages",
      "model",
      "stream",
      "stream_options",
    ]);
  });
});

describe("the reply of an OpenAI model", () => {
  it("is put together from its parts, with the usage of the last one", async () => {
    await openAiEndpoint({ content: "The sum is 5. ✓", usage: { input: 120, output: 9 } });
    const { reply, used } = replyOf(await ask(actQuestion()));
    expect(reply.text).toBe("The sum is 5. ✓");
    expect(reply).not.toBeInstanceOf(AIMessageChunk);
    expect(reply.tool_calls).toEqual([]);
    expect(used).toMatchObject({ modelCalls: 1, inputTokens: 120, outputTokens: 9 });
    expect(used.estimated).toBeUndefined();
    expect(used.ms).toBeGreaterThan(0);
  });

  it("has an estimated usage, marked as such, where the endpoint reports none", async () => {
    await openAiEndpoint({ content: "5", usage: null });
    const { used } = replyOf(await ask(actQuestion({}, { tools: someTools(3) })));
    expect(used.estimated).toBe(true);
    expect(used.inputTokens).toBeGreaterThan(50);
    expect(used.outputTokens).toBeGreaterThan(0);
  });

  it("has a call whose arguments came in pieces", async () => {
    const args = { a: 12.5, text: "naïve “quotes”", list: [1, [2]] };
    await openAiEndpoint({ calls: [{ id: "c1", name: "add", arguments: args }] });
    const { reply } = replyOf(await ask(actQuestion({}, { tools: someTools(1) })));
    expect(reply.tool_calls).toEqual([{ id: "c1", name: "add", args, type: "tool_call" }]);
    expect(reply.additional_kwargs).not.toHaveProperty("tool_calls");
  });

  it("has several calls, each with its own arguments", async () => {
    const calls = [
      { name: "add", arguments: { a: 1, b: 2 } },
      { name: "add", arguments: { a: 3, b: 4 } },
      { name: "now", arguments: "" },
    ];
    await openAiEndpoint({ content: "I call.", calls });
    const { reply } = replyOf(await ask(actQuestion({}, { tools: someTools(1) })));
    expect(reply.text).toBe("I call.");
    expect(reply.tool_calls?.map(({ name, args }) => [name, args])).toEqual([
      ["add", { a: 1, b: 2 }],
      ["add", { a: 3, b: 4 }],
      ["now", {}],
    ]);
  });

  it.each(['{"a":1,"b":', '{"a":12', "[1]", "5", "nonsense"])(
    "has an invalid call where the arguments are %s",
    async (text) => {
      await openAiEndpoint({
        calls: [
          { id: "bad", name: "add", arguments: text },
          { id: "good", name: "add", arguments: { a: 1 } },
        ],
      });
      const { reply } = replyOf(await ask(actQuestion({}, { tools: someTools(1) })));
      expect(reply.tool_calls).toMatchObject([{ id: "good", args: { a: 1 } }]);
      expect(reply.invalid_tool_calls).toMatchObject([{ id: "bad", name: "add", args: text }]);
    },
  );

  it("has an invalid call where the limit of output tokens cut the arguments short", async () => {
    const calls = [{ name: "add", arguments: '{"a":45342,"b":2348' }];
    await openAiEndpoint({ calls, finishReason: "length" });
    const { reply } = replyOf(await ask(actQuestion({}, { tools: someTools(1) })));
    expect(reply.tool_calls).toEqual([]);
    expect(reply.invalid_tool_calls).toHaveLength(1);
  });

  it("is an empty message when the model says nothing", async () => {
    await openAiEndpoint({});
    const { reply, used } = replyOf(await ask(actQuestion()));
    expect(reply.text).toBe("");
    expect(reply.tool_calls).toEqual([]);
    expect(used.modelCalls).toBe(1);
  });

  it("keeps the words of a refusal", async () => {
    await openAiEndpoint({ refusal: "I cannot help with that." });
    const { reply } = replyOf(await ask(decomposeQuestion()));
    expect(reply.text).toBe("");
    expect(reply.additional_kwargs["refusal"]).toBe("I cannot help with that.");
  });

  it("is handed on as it is when it misses the schema that was asked for, after one request", async () => {
    const { bodies } = await openAiEndpoint({ content: '{"steps": 3}' });
    const { reply } = replyOf(await ask(decomposeQuestion()));
    expect(reply.text).toBe('{"steps": 3}');
    expect(bodies).toHaveLength(1);
  });

  it("has an id of its own where the endpoint gives every reply the same one", async () => {
    await openAiEndpoint({ content: "5", id: "chatcmpl-same" });
    const question = actQuestion();
    const first = replyOf(await ask(question)).reply;
    question.prompt.messages.push(first, new HumanMessage("Again."));
    const second = replyOf(await ask(question)).reply;
    expect(first.id).toBe("chatcmpl-same");
    expect(second.id).toBeTruthy();
    expect(second.id).not.toBe(first.id);
  });

  it("has an id where the endpoint gives an empty one", async () => {
    await openAiEndpoint({ content: "5", id: "" });
    expect(replyOf(await ask(actQuestion())).reply.id).toBeTruthy();
  });

  it("reaches LangGraph's stream of messages token by token", async () => {
    await openAiEndpoint({ content: "The sum of both is five." });
    const graph = new StateGraph(new StateSchema({ messages: MessagesValue }))
      .addNode("answer", async (_state, config) => {
        const { reply } = replyOf(await ask(actQuestion({}, { config })));
        return { messages: [reply] };
      })
      .addEdge(START, "answer")
      .addEdge("answer", END)
      .compile();
    const parts: string[] = [];
    for await (const [message] of await graph.stream(
      { messages: [] },
      { streamMode: "messages" },
    )) {
      parts.push(message.text);
    }
    expect(parts.filter(Boolean).length).toBeGreaterThan(3);
    expect(parts.join("")).toBe("The sum of both is five.");
  });
});

describe("the limits of a run", () => {
  it.each([
    [{ maxModelCalls: 3 }, { modelCalls: 3 }, "the limit of 3 model calls (maxModelCalls)"],
    [{ maxSeconds: 2 }, { ms: 2000 }, "the limit of 2 seconds (maxSeconds)"],
  ])("forbid to ask when %j is used up", async (settings, used, limit) => {
    const { bodies } = await openAiEndpoint({ content: "5" });
    const answer = await ask(actQuestion(settings, { usage: { ...NOTHING_USED, ...used } }));
    expect(answer).toEqual({ limit });
    expect(bodies).toHaveLength(0);
  });

  it("end a reply that is still under way when the seconds of the run are over", async () => {
    await openAiEndpoint({ content: "The", then: "hang" });
    const usage = { ...NOTHING_USED, ms: 9700 };
    const answer = await ask(actQuestion({ maxSeconds: 10 }, { usage }));
    expect(answer).toEqual({ limit: "the limit of 10 seconds (maxSeconds)" });
  });

  it("refuse more tools than the provider takes before anything is sent", async () => {
    const { bodies } = await openAiEndpoint({ content: "5" });
    const error = await rejectionOf(ask(actQuestion({}, { tools: someTools(129) })));
    expect(error.name).toBe("InvalidSetting");
    expect(error.message).toContain("129 tools");
    expect(error.message).toContain("takes at most 128");
    expect(bodies).toHaveLength(0);
    await expect(ask(actQuestion({}, { tools: someTools(128) }))).resolves.toHaveProperty("reply");
  });
});

describe("the reasoning model", () => {
  it("is asked to decompose, and nothing else", async () => {
    const { bodies } = await openAiEndpoint({ content: "{}" });
    const settings = { reasoningModel: "openai:o4-mini" };
    await ask(decomposeQuestion(settings));
    await ask(actQuestion(settings));
    expect(bodies.map(({ model }) => model)).toEqual(["o4-mini", "gpt-4.1-mini"]);
  });
});

describe("a run that is cancelled", () => {
  it("ends the reply under way with the reason of the signal, and is no failure of the model", async () => {
    await openAiEndpoint({ content: "The", then: "hang" });
    const controller = new AbortController();
    const asked = ask(actQuestion({}, { config: { signal: controller.signal } }));
    setTimeout(() => controller.abort(), 100);
    expect((await rejectionOf(asked)).name).toBe("AbortError");
  });

  it("sends nothing when it is cancelled already", async () => {
    const { bodies } = await openAiEndpoint({ content: "5" });
    const asked = ask(actQuestion({}, { config: { signal: AbortSignal.abort() } }));
    expect((await rejectionOf(asked)).name).toBe("AbortError");
    expect(bodies).toHaveLength(0);
  });

  it("keeps a reason of the user's own", async () => {
    await openAiEndpoint("hang");
    const controller = new AbortController();
    const asked = ask(actQuestion({}, { config: { signal: controller.signal } }));
    setTimeout(() => controller.abort(new Error("the window was closed")), 50);
    expect((await rejectionOf(asked)).message).toBe("the window was closed");
  });
});

describe("the offline planner", () => {
  it("needs neither a key nor an endpoint", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    vi.stubEnv("OPENAI_BASE_URL", undefined);
    const { reply, used } = replyOf(await ask(decomposeQuestion({ model: "offline:planner" })));
    expect(JSON.parse(reply.text)).toHaveProperty("subtasks");
    expect(used).toMatchObject({ modelCalls: 1, estimated: true });
  });
});
