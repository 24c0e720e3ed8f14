import { randomUUID } from "node:crypto";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { describe, expect, it } from "vitest";
import { ask } from "../../../models/chat/ask.js";
import { registerChatProvider } from "../../../models/providers.js";
import { NOTHING_USED } from "../../../state/state.js";
import {
  actQuestion,
  decomposeQuestion,
  openAiEndpoint,
  rejectionOf,
  replyOf,
  someTools,
} from "../support.js";

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
    await openAiEndpoint({ content: "The", afterwards: "hang" });
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

describe("a run that is cancelled", () => {
  it("ends the reply under way with the reason of the signal, and is not a failure of the model", async () => {
    await openAiEndpoint({ content: "The", afterwards: "hang" });
    const controller = new AbortController();
    const handleLLMNewToken = (token: string) => {
      if (token) controller.abort();
    };
    const config = { signal: controller.signal, callbacks: [{ handleLLMNewToken }] };
    expect((await rejectionOf(ask(actQuestion({}, { config })))).name).toBe("AbortError");
  });
});

describe("a provider of another kind", () => {
  it("gives a structured reply as the text of the message, for every way of asking", async () => {
    const usage_metadata = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
    const args = { subtasks: ["Add"] };
    const tool_calls = [{ id: "c1", name: "decompose", args }];
    const reply = new AIMessageChunk({ content: "", tool_calls, usage_metadata });
    const model = registered(new CallingModel(reply));
    const answer = replyOf(await ask(decomposeQuestion({ model })));
    expect(JSON.parse(answer.reply.text)).toEqual(args);
    expect(answer.reply.tool_calls).toEqual([]);
    expect(answer.used).toMatchObject({ inputTokens: 3, outputTokens: 4 });
  });

  it("fails clearly when it cannot call tools", async () => {
    const model = registered(new TalkingModel(new AIMessageChunk("hello")));
    const error = await rejectionOf(ask(actQuestion({ model }, { tools: someTools(1) })));
    expect(error.message).toBe(`model ${model}: cannot call tools. Choose another model`);
  });
});

/** The name of a model that answers structured questions in LangChain's own way. */
function registered(chat: BaseChatModel): string {
  const provider = `provider-${randomUUID()}`;
  registerChatProvider(provider, { structuredReplies: "provider", makeChat: async () => chat });
  return `${provider}:model`;
}

class TalkingModel extends BaseChatModel {
  constructor(private readonly reply: AIMessageChunk) {
    super({});
  }
  _llmType(): string {
    return "talking";
  }
  async _generate(): Promise<ChatResult> {
    return { generations: [{ text: this.reply.text, message: this.reply }] };
  }
}

class CallingModel extends TalkingModel {
  override bindTools() {
    return this as unknown as ReturnType<NonNullable<BaseChatModel["bindTools"]>>;
  }
}
