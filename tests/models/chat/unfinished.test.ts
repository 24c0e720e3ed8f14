import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { ask } from "../../../models/chat/ask.js";
import { registerChatProvider } from "../../../models/providers.js";
import { whyUnfinished } from "../../../models/chat/unfinished.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { actQuestion, decomposeQuestion, openAiEndpoint, replyOf, someTools } from "../support.js";

type Data = Record<string, unknown>;

const inResponse = (response_metadata: Data) => new AIMessage({ content: "a", response_metadata });

/** What the packages of LangChain report, by provider. */
const REPORTED: [string, AIMessage, string | undefined][] = [
  ["OpenAI", inResponse({ finish_reason: "stop" }), undefined],
  ["OpenAI", inResponse({ finish_reason: "tool_calls" }), undefined],
  ["OpenAI", inResponse({ finish_reason: "length" }), "length"],
  ["OpenAI", inResponse({ finish_reason: "content_filter" }), "filter"],
  ["Responses", inResponse({ status: "completed", incomplete_details: null }), undefined],
  ["Responses", inResponse({ incomplete_details: { reason: "max_output_tokens" } }), "length"],
  ["Responses", inResponse({ incomplete_details: { reason: "content_filter" } }), "filter"],
  ["Anthropic", inResponse({ stop_reason: "end_turn" }), undefined],
  ["Anthropic", inResponse({ stop_reason: "tool_use" }), undefined],
  ["Anthropic", inResponse({ stop_reason: "stop_sequence" }), undefined],
  ["Anthropic", inResponse({ stop_reason: "max_tokens" }), "length"],
  ["Anthropic", inResponse({ stop_reason: "model_context_window_exceeded" }), "length"],
  ["Anthropic", inResponse({ stop_reason: "refusal" }), "filter"],
  [
    "Anthropic, streamed",
    new AIMessage({ content: "a", additional_kwargs: { stop_reason: "max_tokens" } }),
    "length",
  ],
  ["Google", inResponse({ finishReason: "STOP" }), undefined],
  ["Google", inResponse({ finishReason: "MAX_TOKENS" }), "length"],
  ["Google", inResponse({ finishReason: "SAFETY" }), "filter"],
  ["Google", inResponse({ finishReason: "RECITATION" }), "filter"],
  ["Google", inResponse({ finishReason: "MALFORMED_FUNCTION_CALL" }), "broken"],
  ["Google", inResponse({ finishReason: "OTHER" }), "broken"],
  ["Bedrock", inResponse({ stopReason: "max_tokens" }), "length"],
  ["Bedrock", inResponse({ messageStop: { stopReason: "guardrail_intervened" } }), "filter"],
  ["Bedrock", inResponse({ messageStop: { stopReason: "end_turn" } }), undefined],
  ["Ollama", inResponse({ done: true, done_reason: "stop" }), undefined],
  ["Ollama", inResponse({ done: true, done_reason: "length" }), "length"],
  ["Mistral", inResponse({ finish_reason: "model_length" }), "length"],
  ["Mistral", inResponse({ finish_reason: "error" }), "broken"],
  ["Cohere", inResponse({ finish_reason: "COMPLETE" }), undefined],
  ["Cohere", inResponse({ finish_reason: "ERROR_TOXIC" }), "filter"],
  ["DeepSeek", inResponse({ finish_reason: "insufficient_system_resource" }), "broken"],
  ["vLLM", inResponse({ finish_reason: "abort" }), "broken"],
  ["Z.ai", inResponse({ finish_reason: "sensitive" }), "filter"],
  ["newer packages", inResponse({ normalized_finish_reason: "context_exceeded" }), "length"],
  ["newer packages", inResponse({ normalized_finish_reason: "other" }), undefined],
  ["a model of one's own", new AIMessage("a"), undefined],
];

describe("what makes a reply unfinished", () => {
  it.each(REPORTED)("is what %s reports: %j", (_, reply, why) => {
    expect(whyUnfinished(reply)).toBe(why);
  });
});

const CALLS = [{ name: "tool_0", arguments: { a: 1 } }];
const CALL_AS_TEXT = '{"name": "tool_0", "arguments": {"a": 1}}';
const withTools = () => actQuestion({ maxOutputTokens: 99 }, { tools: someTools(1) });

describe("a reply that is not whole", () => {
  it.each([
    ["a native call", { calls: CALLS }],
    ["a call as text", { content: CALL_AS_TEXT }],
    ["an answer", { content: "It is 5." }],
  ])("gives no reply, only why and how long it was: %s", async (_, completion) => {
    for (const finishReason of ["length", "content_filter", "error"]) {
      const usage = { input: 11, output: 77 };
      await openAiEndpoint({ ...completion, finishReason, usage });
      const answer = await ask(withTools());
      expect(answer).not.toHaveProperty("reply");
      expect(answer).toMatchObject({ unfinished: { tokens: 77 }, used: { modelCalls: 1 } });
    }
  });

  it("has as many tokens as it may have where the endpoint does not say how many it had", async () => {
    await openAiEndpoint({ content: "<think>Hm", finishReason: "length", usage: null });
    expect(await ask(withTools())).toMatchObject({
      unfinished: { why: "length", tokens: 99, isThought: true },
    });
  });

  it("is no structured reply either, with whatever package", async () => {
    await openAiEndpoint({ content: '{"subtasks": ["a"]}', finishReason: "length" });
    expect(await ask(decomposeQuestion())).toHaveProperty("unfinished");
    const model = scriptedModel([inResponse({ finish_reason: "length" })]);
    expect(await ask(decomposeQuestion({ model: model.spec }))).toHaveProperty("unfinished");
  });

  it("keeps the words of a provider that refuses", async () => {
    await openAiEndpoint({ refusal: "I cannot help.", finishReason: "content_filter" });
    const { reply } = replyOf(await ask(decomposeQuestion()));
    expect(reply.additional_kwargs["refusal"]).toBe("I cannot help.");
  });
});

async function drained(content: string) {
  await openAiEndpoint(wire(part({ content: content + "\n".repeat(300) }), part({}, "length")));
  return await ask(withTools());
}

describe("a reply that goes on with blank lines until its tokens are spent", () => {
  it.each(["It is 5.", '{"name": "add", "arguments": {"a": 2}}', "```ts\nreturn 5;\n```"])(
    "is whole if it closes what it has opened: %j",
    async (content) => {
      expect(await drained(content)).not.toHaveProperty("unfinished");
    },
  );

  it.each([
    '{"name": "add", "arguments": {"a": 2',
    "```ts\nawait add({ a: 2",
    "```ts\nreturn 5;",
    "",
  ])("is cut off if it does not: %j", async (content) => {
    expect(await drained(content)).toMatchObject({ unfinished: { why: "length" } });
  });
});

/** A stream as it is on the wire. */
function wire(...lines: string[]) {
  const headers = { "content-type": "text/event-stream" };
  return { status: 200, body: lines.join(""), headers };
}

const part = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

describe("the end of a stream", () => {
  it.each([
    ["a finish reason", [part({ content: "It is 5." }), part({}, "stop")]],
    ["[DONE] alone", [part({ content: "It is 5." }), "data: [DONE]\n\n"]],
    ["[DONE] without a line break", [part({ content: "It is 5." }), "data: [DONE]"]],
  ])("is %s", async (_, lines) => {
    await openAiEndpoint(wire(...lines));
    expect(replyOf(await ask(withTools())).reply.text).toBe("It is 5.");
  });

  it.each([
    ["nothing", [part({ content: "It is 5." })]],
    ["the middle of a part", [part({ content: "It is 5." }), 'data: {"choices":[{"index":0,"del']],
    ["usage alone", [part({ content: "It is 5." }), 'data: {"choices":[],"usage":null}\n\n']],
  ])("is missing where the last that comes is %s", async (_, lines) => {
    await openAiEndpoint(wire(...lines));
    expect(await ask(withTools())).toMatchObject({ unfinished: { why: "broken" } });
  });

  it("is not needed of a model of one's own, which reports nothing", async () => {
    registerChatProvider("plain", {
      structuredReplies: "stage",
      makeChat: async () => {
        const { FakeListChatModel } = await import("@langchain/core/utils/testing");
        return new FakeListChatModel({ responses: ["It is 5."] });
      },
    });
    const { reply } = replyOf(await ask(actQuestion({ model: "plain:m" })));
    expect(reply.text).toBe("It is 5.");
  });
});
