import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { ask } from "../../models/ask.js";
import type { SettingsInput } from "../../state/settings.js";
import type { EndpointReply } from "../fakes/chatEndpoint.js";
import { actQuestion, openAiEndpoint, rejectionOf, replyOf, someTools } from "./support.js";

const TEXT_CALL = '{"name": "tool_1", "arguments": {"a": 2}}';

/** A question with a call and its result before it. */
function question(settings: SettingsInput = {}) {
  const asked = actQuestion(settings, { tools: someTools(2), toolChoice: "any" });
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

  it("is still an error if tools must be called natively", async () => {
    await openAiEndpoint(refusing("tools are not supported"));
    const error = await rejectionOf(ask(question({ toolCalls: "native" })));
    expect(error.message).toContain("tools are not supported");
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
    const { bodies } = await openAiEndpoint({ content: TEXT_CALL });
    const asked = question({ toolCalls: "text" });
    const { reply } = replyOf(await ask(asked));
    expect(reply.tool_calls).toMatchObject([{ name: "tool_1", args: { a: 2 } }]);
    const [body] = bodies;
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

  it("tell of calls that have failed, and of several at once as a list", async () => {
    const { bodies } = await openAiEndpoint({ content: "Done." });
    const asked = question({ toolCalls: "text" });
    const calls = ["c2", "c3"].map((id) => ({ id, name: "tool_1", args: {} }));
    asked.prompt.messages.push(
      new AIMessage({ content: "", tool_calls: calls }),
      new ToolMessage({ content: "No a.", tool_call_id: "c2", status: "error" }),
      new ToolMessage({ content: "8", tool_call_id: "c3" }),
    );
    await ask(asked);
    const texts = bodies[0]?.messages?.slice(-2).map(({ content }) => content);
    expect(JSON.parse(String(texts?.[0]))).toHaveLength(2);
    expect(texts?.[1]).toBe("tool_1 has failed: No a.\n\nResult of tool_1: 8");
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

  it("are not asked for if no tool is bound", async () => {
    const { bodies } = await openAiEndpoint({ content: "Hello." });
    await ask(actQuestion({ toolCalls: "text" }));
    expect(bodies[0]?.messages?.[0]?.content).toBe("Be exact.");
  });
});
