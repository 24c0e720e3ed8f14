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

/** A reply in two events, as a server writes each of them. */
function lines(written: (event: string) => string, end = "") {
  const choices = [
    { index: 0, delta: { content: "It is 5." }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: "stop" },
  ];
  const events = choices.map((choice) => written(JSON.stringify({ choices: [choice] })));
  const headers = { "content-type": "text/event-stream" };
  return { status: 200, body: events.join("") + end, headers };
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

  it.each([
    ["a namespace", { name: "functions.tool_1", arguments: JSON_ARGS }],
    ["a namespace with a colon", { name: "default_api:tool_1", arguments: JSON_ARGS }],
    ["a number of the call", { name: "functions.tool_1:0", arguments: JSON_ARGS }],
    ["a channel of gpt-oss", { name: "tool_1<|channel|>commentary", arguments: JSON_ARGS }],
    ["quotes", { name: '"tool_1"', arguments: JSON_ARGS }],
    ["other letters", { name: "Tool-1", arguments: JSON_ARGS }],
    ["a fence around the arguments", named(`\`\`\`json\n${JSON_ARGS}\n\`\`\``)],
    ["a list around the arguments", named(`[${JSON_ARGS}]`)],
    ["an object around the arguments", named(`{"args": ${JSON_ARGS}}`)],
    ["the call around the arguments", named(`{"name": "tool_1", "arguments": ${JSON_ARGS}}`)],
    ["the arguments twice", named(`${JSON_ARGS}${JSON_ARGS}`)],
    ["no arguments before the arguments", named(`{}${JSON_ARGS}`)],
    ["a bracket too many", named(`${JSON_ARGS}}`)],
    [
      "another call around it",
      {
        name: "multi_tool_use.parallel",
        arguments: `{"tool_uses": [{"recipient_name": "functions.tool_1", "parameters": ${JSON_ARGS}}]}`,
      },
    ],
  ])("are those of the tool that is meant, in spite of %s", async (_, given) => {
    await openAiEndpoint(stream(call({ index: 0, id: "c", function: given })));
    const { tool_calls, invalid_tool_calls } = replyOf(await ask(withTools())).reply;
    expect(tool_calls).toMatchObject([{ name: "tool_1", args: ARGS }]);
    expect(invalid_tool_calls).toEqual([]);
  });

  it.each([
    ["a part that is cut off", `${JSON_ARGS}{"a": `],
    ["two that differ", `${JSON_ARGS}{"a": 3}`],
  ])("are none with arguments that have %s", async (_, given) => {
    await openAiEndpoint(stream(call({ index: 0, id: "c", function: named(given) })));
    const { tool_calls, invalid_tool_calls } = replyOf(await ask(withTools())).reply;
    expect(tool_calls).toEqual([]);
    expect(invalid_tool_calls).toMatchObject([{ args: given }]);
  });

  it("are read from the refusal of a server that could not read them", async () => {
    const failed_generation = `<function=tool_1${JSON_ARGS}</function>`;
    const error = { message: "Failed to call a function.", failed_generation };
    await openAiEndpoint({ status: 400, body: { error } });
    const { tool_calls } = replyOf(await ask(withTools())).reply;
    expect(tool_calls).toMatchObject([{ name: "tool_1", args: ARGS }]);
  });

  it("are read from such a refusal once, even if they speak of a stream", async () => {
    const failed_generation = `<function=tool_1${JSON_ARGS}</function> for the stream`;
    const error = { message: "Failed to call a function.", failed_generation };
    const { bodies } = await openAiEndpoint({ status: 400, body: { error } });
    await ask(withTools());
    expect(bodies).toHaveLength(1);
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
    ["parts of a list that are texts", stream({ content: ["It is ", "5."] })],
    ["lines with no blank line between them", lines((event) => `data: ${event}\n`)],
    ["lines of JSON alone", lines((event) => `${event}\n`)],
    ["lines that end with CR LF", lines((event) => `data:${event}\r\n\r\n`)],
    ["events with a name", lines((event) => `event: completion\nid: 1\ndata: ${event}\n\n`)],
    ["events among empty ones", lines((event) => `data: \n\ndata: null\n\ndata: ${event}\n\n`)],
    ["events on several lines", lines((event) => `data: ${event.replace("{", "{\ndata: ")}\n\n`)],
    ["a stream with another end", lines((event) => `data: ${event}\n\n`, "data: [done]\n\n")],
    [
      "a stream that begins with a mark of its coding",
      lines((event) => `\uFEFFdata: ${event}\n\n`),
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
    [
      "a status",
      { base_resp: { status_code: 1004, status_msg: "model is loading" }, choices: null },
    ],
    ["no choice", { choices: [], error: { message: "model is loading" } }],
    [
      "a choice",
      { choices: [{ delta: {}, finish_reason: "error", error: { message: "model is loading" } }] },
    ],
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

describe("an endpoint that fails with the status of a success", () => {
  it.each([
    ["in a whole reply", { error: { message: "slow down", code: 429 } }],
    ["in a stream", 'data: {"error": {"message": "slow down", "code": 429}}\n\n'],
  ])("is asked again as its code wants: %s", async (_, body) => {
    const { bodies } = await openAiEndpoint([{ status: 200, body }, { content: "It is 5." }]);
    expect(replyOf(await ask(withTools())).reply.text).toBe("It is 5.");
    expect(bodies).toHaveLength(2);
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
  [
    "the role system, without its name",
    "Only user and assistant roles are supported!",
    ({ messages = [] }) => messages.some(({ role }) => role === "system"),
  ],
  [
    "instructions of a developer",
    "Developer instruction is not enabled for models/gemma-3-27b-it",
    ({ messages = [] }) => messages.some(({ role }) => role === "system"),
  ],
  ["include_usage", "include_usage is not supported", (body) => "stream_options" in body],
  [
    "a parameter, in other words",
    "The parameter is invalid. Please check again: stream_options",
    (body) => "stream_options" in body,
  ],
  [
    "a longer reply than it grants",
    "max_tokens is too large: 4096. The model llama-3.1-70b supports at most 2048 completion tokens",
    (body) => Number(body["max_tokens"]) > 2048,
  ],
  [
    "a reply outside its range",
    "Invalid max_tokens value, the valid range of max_tokens is [1, 2048]",
    (body) => Number(body["max_tokens"]) > 2048,
  ],
  ["a stream", "Streaming is not supported for this model", (body) => body["stream"] === true],
];

/** The same of what a later question holds. */
const LATER: [string, string, (body: ChatBody) => boolean][] = [
  [
    "names in messages",
    "property 'messages.3.name' is unsupported",
    ({ messages = [] }) => messages.some((message) => "name" in message),
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

  it.each(LATER)("is told of a call without it: %s", async (_, message, isRefused) => {
    const { bodies } = await openAiEndpoint(({ body }) =>
      isRefused(body) ? { status: 400, body: { error: { message } } } : { content: "It is 5." },
    );
    const question = withTools();
    const tool_calls = [{ id: "c1", name: "tool_1", args: ARGS }];
    question.prompt.messages.push(
      new AIMessage({ content: "", tool_calls }),
      new ToolMessage({ content: "5", tool_call_id: "c1", name: "tool_1" }),
    );
    expect(replyOf(await ask(question)).reply.text).toBe("It is 5.");
    expect(bodies.map(isRefused)).toEqual([true, false]);
  });

  it.each([
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
