import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { ask } from "../../models/chat/ask.js";
import type { ChatBody } from "../fakes/chatEndpoint.js";
import { actQuestion, openAiEndpoint, rejectionOf, replyOf, someTools } from "./support.js";

const withTools = () => actQuestion({ temperature: 0 }, { tools: someTools(2) });

const ARGS = { a: 2 };
const JSON_ARGS = JSON.stringify(ARGS);
const call = (given: object) => ({ role: "assistant", content: null, tool_calls: [given] });
const named = (given: unknown) => ({ name: "tool_1", arguments: given });

const text = (value: string) => ({ type: "text", text: value });

function json(body: unknown) {
  return { status: 200, body };
}

function stream(...deltas: object[]) {
  const events = deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] }));
  const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  const headers = { "content-type": "text/event-stream" };
  return { status: 200, body: `${lines.join("")}data: [DONE]\n\n`, headers };
}

describe("calls of an endpoint of its own kind", () => {
  it.each([
    ["arguments as an object", stream(call({ index: 0, id: "c", function: named(ARGS) }))],
    [
      "arguments encoded twice",
      stream(call({ index: 0, id: "c", function: named(JSON.stringify(JSON_ARGS)) })),
    ],
    ["no function around name and arguments", stream(call({ id: "c", ...named(JSON_ARGS) }))],
    ["one call without a list", stream({ tool_calls: { id: "c", function: named(JSON_ARGS) } })],
    ["the old function_call", stream({ function_call: named(JSON_ARGS) })],
    [
      "parts without a number",
      stream(call({ id: "c", function: named('{"a"') }), {
        tool_calls: [{ function: { arguments: ": 2}" } }],
      }),
    ],
    [
      "id and name with each part",
      stream(
        call({ index: 0, id: "c", function: named('{"a"') }),
        call({ index: 0, id: "c", function: named(": 2}") }),
      ),
    ],
    [
      "a whole reply to a request for a stream",
      json({ choices: [{ message: call({ id: "c", function: named(JSON_ARGS) }) }] }),
    ],
  ])("are read: %s", async (_, reply) => {
    await openAiEndpoint(reply);
    const { tool_calls, invalid_tool_calls } = replyOf(await ask(withTools())).reply;
    expect(tool_calls).toMatchObject([{ name: "tool_1", args: ARGS }]);
    expect(invalid_tool_calls).toEqual([]);
  });

  it("are several where their ids differ, whatever their numbers", async () => {
    const calls = ["a", "b"].map((id) => call({ index: 0, id, function: named(JSON_ARGS) }));
    await openAiEndpoint(stream(...calls));
    const { tool_calls } = replyOf(await ask(withTools())).reply;
    expect(tool_calls).toMatchObject([
      { id: "a", args: ARGS },
      { id: "b", args: ARGS },
    ]);
  });
});

describe("the text of an endpoint of its own kind", () => {
  it.each([
    ["parts", stream({ content: [text("It is "), text("5.")] })],
    ["one part", stream({ content: text("It is 5.") })],
    [
      "thoughts among parts",
      stream({ content: [{ type: "thinking", thinking: [text("Hm.")] }] }, { content: "It is 5." }),
    ],
    [
      "a whole reply",
      json({ choices: [{ message: { content: "It is 5." }, finish_reason: "stop" }] }),
    ],
    ["a completion", json({ choices: [{ text: "It is 5.", finish_reason: "stop" }] })],
    [
      "a whole reply that says that it is a stream",
      {
        ...json(
          JSON.stringify({
            choices: [{ message: { content: "It is 5." }, finish_reason: "stop" }],
          }),
        ),
        headers: { "content-type": "text/event-stream" },
      },
    ],
  ])("is read from %s", async (_, reply) => {
    await openAiEndpoint(reply);
    expect(replyOf(await ask(withTools())).reply.text).toBe("It is 5.");
  });

  it.each([
    ["an object", { error: { message: "model is loading" } }],
    ["a text", { error: "model is loading" }],
    ["a list", { errors: [{ message: "model is loading" }] }],
    ["a detail", { detail: "model is loading" }],
    ["a message", { object: "error", message: "model is loading", code: 503 }],
  ])("is the reason of a failure that is sent as a success: %s", async (_, body) => {
    await openAiEndpoint(json(body));
    expect((await rejectionOf(ask(withTools()))).message).toContain("model is loading");
  });

  it.each([
    ["a message", { object: "error", message: "prompt has a bad value", code: 400 }],
    ["a detail", { detail: "prompt has a bad value" }],
    ["a list", { detail: [{ loc: ["body"], msg: "prompt has a bad value" }] }],
    ["a text", { error: "prompt has a bad value" }],
    ["a list of errors", [{ error: { message: "prompt has a bad value", code: 400 } }]],
    ["Amazon's message", { Message: "prompt has a bad value" }],
    ["a short name", { code: 400, msg: "prompt has a bad value" }],
  ])("is the reason of a refusal, wherever it is: %s", async (_, body) => {
    await openAiEndpoint({ status: 400, body });
    const { message } = await rejectionOf(ask(withTools()));
    expect(message).toContain("HTTP 400: prompt has a bad value");
  });
});

/** What an endpoint refuses, in the words of some, and how it is asked then. */
const REFUSALS: [string, string, (body: ChatBody) => boolean][] = [
  ["stream_options", "Unknown field: stream_options", (body) => "stream_options" in body],
  [
    "max_tokens",
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    (body) => "max_tokens" in body || !("max_completion_tokens" in body),
  ],
  [
    "temperature",
    "Unsupported value: 'temperature' does not support 0 with this model.",
    (body) => "temperature" in body,
  ],
  [
    "the role system",
    "System role not supported",
    ({ messages = [] }) => messages.some(({ role }) => role === "system"),
  ],
  [
    "messages of one side in a row",
    "Conversation roles must alternate user/assistant/user/assistant/...",
    ({ messages = [] }) => messages.some(({ role }, at) => role === messages[at + 1]?.role),
  ],
];

describe("an endpoint that refuses a part of a request", () => {
  it.each(REFUSALS)("is asked without it, and from then on: %s", async (_, message, isRefused) => {
    const { bodies } = await openAiEndpoint(({ body }) =>
      isRefused(body) ? { status: 400, body: { error: { message } } } : { content: "It is 5." },
    );
    const question = withTools();
    question.prompt.messages.push(new HumanMessage("Again."));
    for (const _again of [1, 2]) {
      expect(replyOf(await ask(question)).reply.text).toBe("It is 5.");
    }
    expect(bodies.map(isRefused)).toEqual([true, false, false]);
    const said = JSON.stringify(bodies.at(-1)?.messages);
    for (const text of ["Be exact.", "What is 2 + 3?", "Again."]) expect(said).toContain(text);
  });

  it.each([
    "max_tokens is too large: 4096. This model supports at most 2048 completion tokens",
    "This model's maximum context length is 2048 tokens, and max_tokens is not supported beyond",
    "The system is not available",
  ])("is not asked otherwise because of a value or a fault: %s", async (message) => {
    const { bodies } = await openAiEndpoint({ status: 400, body: { error: { message } } });
    expect((await rejectionOf(ask(withTools()))).message).toContain(message.slice(0, 30));
    expect(bodies).toHaveLength(1);
  });
});

/** A question after a call with thoughts of this field. */
function afterThoughts(field: string) {
  const question = withTools();
  question.prompt.messages.push(
    new AIMessage({
      content: "",
      additional_kwargs: { [field]: "First this." },
      tool_calls: [{ id: "c1", name: "tool_1", args: ARGS }],
    }),
    new ToolMessage({ content: "7", tool_call_id: "c1" }),
  );
  return question;
}

describe("the thoughts before a call", () => {
  it.each(["reasoning_content", "reasoning"])("are sent back as they came: %s", async (field) => {
    const { bodies } = await openAiEndpoint([
      stream({
        [field]: "First this.",
        ...call({ index: 0, id: "c1", function: named(JSON_ARGS) }),
      }),
      { content: "It is 7." },
    ]);
    const { reply } = replyOf(await ask(withTools()));
    expect(reply.additional_kwargs).toMatchObject({ [field]: "First this." });
    await ask(afterThoughts(field));
    expect(bodies[1]?.messages?.at(-2)).toMatchObject({
      role: "assistant",
      [field]: "First this.",
    });
  });

  it("are left out for an endpoint that refuses them", async () => {
    const { bodies } = await openAiEndpoint(({ body }) =>
      JSON.stringify(body).includes("First this.")
        ? { status: 400, body: { error: { message: "reasoning_content should not be sent" } } }
        : { content: "It is 7." },
    );
    expect(replyOf(await ask(afterThoughts("reasoning_content"))).reply.text).toBe("It is 7.");
    expect(bodies).toHaveLength(2);
  });
});
