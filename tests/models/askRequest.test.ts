import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { withCacheHelp, ask } from "../../models/chat/ask.js";
import { actQuestion, decomposeQuestion, openAiEndpoint, someTools } from "./support.js";

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

  it("carries temperature, seed and the limit of output tokens if they are set", async () => {
    const { bodies } = await openAiEndpoint({ content: "5" });
    await ask(actQuestion({ temperature: 0, seed: 7, maxOutputTokens: 99 }));
    expect(bodies[0]).toMatchObject({ temperature: 0, seed: 7, max_tokens: 99 });
  });

  it("gives a reasoning model no temperature, and its own name for the limit of output tokens", async () => {
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

  it("has a key for the provider's cache if its beginning is long enough to be cached, the same for all such requests", async () => {
    const { bodies } = await openAiEndpoint({ content: "5" });
    const question = actQuestion();
    const long = new SystemMessage("Be exact. ".repeat(500));
    for (const request of ["one", "two"]) {
      const messages = [long, new HumanMessage(request)];
      await ask({ ...question, prompt: { ...question.prompt, messages } });
    }
    const [one, two] = bodies.map((body) => body["prompt_cache_key"]);
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(two).toBe(one);
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

it("marks the end of what Anthropic is to cache of a long beginning, and nothing for others", () => {
  const text = "Be exact. ".repeat(500);
  const messages = [new SystemMessage(text), new HumanMessage("Add")];
  const { messages: marked } = withCacheHelp("anthropic:claude-haiku-4-5", messages);
  expect(marked.map(({ content }) => content)).toEqual([
    [{ type: "text", text, cache_control: { type: "ephemeral" } }],
    "Add",
  ]);
  expect(withCacheHelp("ollama:qwen3", messages)).toEqual({ messages, options: {} });
  const goingOn = [...messages, new AIMessage("5"), new HumanMessage("Again")];
  expect(withCacheHelp("anthropic:claude-haiku-4-5", messages).options).toEqual({});
  expect(withCacheHelp("anthropic:claude-haiku-4-5", goingOn).options).toEqual({
    cache_control: { type: "ephemeral" },
  });
});
