import { AIMessageChunk, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { ask } from "../../models/chat/ask.js";
import { actQuestion, decomposeQuestion, openAiEndpoint, replyOf, someTools } from "./support.js";

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

  it("has its cached tokens apart, as the provider tells them", async () => {
    await openAiEndpoint({ content: "5", usage: { input: 2000, output: 9, cached: 1536 } });
    const { used } = replyOf(await ask(actQuestion()));
    expect(used).toMatchObject({ inputTokens: 2000, cachedTokens: 1536 });
    expect(used.cacheEstimated).toBeUndefined();
  });

  it("has its cached tokens estimated from earlier prompts where the endpoint tells none", async () => {
    await openAiEndpoint({ content: "5", usage: { input: 4000, output: 9 } });
    const settings = { model: `openai:estimated-${crypto.randomUUID()}` };
    const question = (text: string) => {
      const asked = actQuestion(settings);
      const messages = [new SystemMessage("Be exact. ".repeat(1500)), new HumanMessage(text)];
      return { ...asked, prompt: { ...asked.prompt, messages } };
    };
    const first = replyOf(await ask(question("What is 2 + 3?"))).used;
    const second = replyOf(await ask(question("And what is 3 + 4?"))).used;
    expect(first.cachedTokens).toBeUndefined();
    expect(second).toMatchObject({ cachedTokens: 3968, cacheEstimated: true });
  });

  it("has a call whose arguments came in pieces", async () => {
    const args = { a: 12.5, text: "naïve “quotes”", list: [1, [2]] };
    await openAiEndpoint({ calls: [{ id: "c1", name: "add", arguments: args }] });
    const { reply } = replyOf(await ask(actQuestion({}, { tools: someTools(1) })));
    expect(reply.tool_calls).toEqual([{ id: "c1", name: "add", args, type: "tool_call" }]);
    expect(reply.additional_kwargs).not.toHaveProperty("tool_calls");
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

  it("keeps the words of a refusal", async () => {
    await openAiEndpoint({ refusal: "I cannot help with that." });
    const { reply } = replyOf(await ask(decomposeQuestion()));
    expect(reply.text).toBe("");
    expect(reply.additional_kwargs["refusal"]).toBe("I cannot help with that.");
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

  it("is read from a stream whose parts name no role", async () => {
    const parts = ["thirty", "-five"].map((content) => ({ choices: [{ delta: { content } }] }));
    const events = parts.map((part) => `data: ${JSON.stringify(part)}\n\n`);
    const body = [...events, "data: [DONE]\n\n"].join("");
    await openAiEndpoint({ status: 200, body, headers: { "content-type": "text/event-stream" } });
    const { reply } = replyOf(await ask(actQuestion()));
    expect(reply.type).toBe("ai");
    expect(reply.text).toBe("thirty-five");
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
