import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { ask } from "../../../models/chat/ask.js";
import type { EndpointReply } from "../../fakes/chatEndpoint.js";
import { actQuestion, openAiEndpoint, rejectionOf, replyOf, someTools } from "../support.js";

const TEXT_CALL = '{"name": "tool_1", "arguments": {"a": 2}}';

/** A question with a call and its result before it. */
function question() {
  const asked = actQuestion({}, { tools: someTools(2), toolChoice: "any" });
  const call = { id: "c1", name: "tool_0", args: { a: 1 }, type: "tool_call" as const };
  asked.prompt.messages.push(
    new AIMessage({ content: "First this.", tool_calls: [call] }),
    new ToolMessage({ content: "7", tool_call_id: "c1", name: "tool_0" }),
    new HumanMessage("2 units are left."),
  );
  return asked;
}

function refusing(message: string, status = 400): EndpointReply {
  return { status, body: { error: { message } } };
}

describe("a model whose endpoint refuses tools", () => {
  it.each([
    "registry.ollama.ai/library/small:latest does not support tools",
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    "No endpoints found that support tool use; tools are not supported",
    "Unknown parameter: tools",
  ])("is asked for its calls as text at once, and from then on: %s", async (message) => {
    const { bodies } = await openAiEndpoint(({ body }) =>
      body.tools ? refusing(message) : { content: TEXT_CALL },
    );
    const first = replyOf(await ask(question()));
    expect(first.reply.tool_calls).toMatchObject([{ name: "tool_1", args: { a: 2 } }]);
    expect(first.used.modelCalls).toBe(1);
    await ask(question());
    expect(bodies.map(({ tools }) => tools?.length ?? 0)).toEqual([2, 0, 0]);
  });

  it.each([
    "Invalid schema for function 'tool_0': 'a' is not supported",
    "The context is too long",
  ])("is an error where the tools are not the reason: %s", async (message) => {
    const { bodies } = await openAiEndpoint(refusing(message));
    expect((await rejectionOf(ask(question()))).message).toContain(message);
    expect(bodies).toHaveLength(1);
  });
});

describe("calls as text", () => {
  it("are asked for with the tools in the system prompt and a conversation without calls", async () => {
    const { bodies } = await openAiEndpoint(({ body }) =>
      body.tools ? refusing("tools are not supported") : { content: TEXT_CALL },
    );
    const asked = question();
    const { reply } = replyOf(await ask(asked));
    expect(reply.tool_calls).toMatchObject([{ name: "tool_1", args: { a: 2 } }]);
    const [, body] = bodies;
    expect(body).not.toHaveProperty("tools");
    expect(body).not.toHaveProperty("tool_choice");
    expect(body?.messages?.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
    const [system, , call, result] = (body?.messages ?? []).map(({ content }) => String(content));
    expect(system).toMatch(/^Be exact\.\n\n[^]*tool_1\(a: number\)[^]*"arguments"/);
    expect(call).toBe('First this.\n{"name":"tool_0","arguments":{"a":1}}');
    expect(result).toBe("Result of tool_0: 7\n\n2 units are left.");
    expect(asked.prompt.messages.some((message) => ToolMessage.isInstance(message))).toBe(true);
    expect(SystemMessage.isInstance(asked.prompt.messages[0])).toBe(true);
  });

  it("are asked for once a model has written one unasked, but not if it calls tools natively", async () => {
    const written = await openAiEndpoint({ content: TEXT_CALL });
    for (const _ of [1, 2]) await ask(question());
    expect(written.bodies.map(({ tools }) => tools?.length ?? 0)).toEqual([2, 0]);
    const native = await openAiEndpoint([
      { calls: [{ name: "tool_1", arguments: { a: 2 } }] },
      { content: TEXT_CALL },
    ]);
    for (const _ of [1, 2, 3]) await ask(question());
    expect(native.bodies.map(({ tools }) => tools?.length ?? 0)).toEqual([2, 2, 2]);
  });
});
