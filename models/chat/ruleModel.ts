import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  getBufferString,
} from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { InvalidSetting } from "../../common/errors.js";
import { estimateTokens } from "../../common/tokens.js";
import type { PlannedCall, Reply } from "../prompt.js";

/** A question as data instead of a prompt. */
export interface RuleQuestion {
  stage: string;
  input: object;
  /** The stage's own rules for the reply. */
  byRules?: () => Promise<Reply>;
}

/** A reply by rules; a refusal is told in its text. */
export interface RuleReply {
  text?: string;
  calls?: readonly PlannedCall[];
  refusal?: true;
}

interface RuleCallOptions extends BaseChatModelCallOptions, Partial<RuleQuestion> {
  /** Bound tools, which count as input tokens. */
  tools?: BindToolsInput[];
}

/**
 * A chat model that replies by rules. It needs the call options `stage` and `input`; the text of the messages is only
 * counted, and token usage is estimated and marked as such.
 */
export class RuleModel extends BaseChatModel<RuleCallOptions> {
  /**
   * @param model as "provider:name"
   * @param reply the reply to a question
   */
  constructor(
    readonly model: string,
    readonly reply: (question: RuleQuestion) => Promise<RuleReply>,
  ) {
    super({});
  }

  override _llmType(): string {
    return "rules";
  }

  override bindTools(
    tools: BindToolsInput[],
    options: Partial<RuleCallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, RuleCallOptions> {
    return this.withConfig({ ...options, tools });
  }

  override async _generate(
    messages: BaseMessage[],
    { stage, input, byRules, tools = [] }: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    if (!stage || !input) {
      throw new InvalidSetting({
        setting: `model ${this.model}`,
        problem: "was called without the options `stage` and `input`; it cannot read prompts",
        hint: "Ask it through the stages of a graph, or use a language model",
      });
    }
    // Unlike with a remote model, nothing is awaited here: other runs would get no turn.
    await setImmediate();
    const message = this.#message(await this.reply({ stage, input, byRules }), messages, tools);
    return { generations: [{ text: message.text, message }] };
  }

  #message(reply: RuleReply, messages: BaseMessage[], tools: BindToolsInput[]): AIMessage {
    const { text = "", calls = [], refusal } = reply;
    const input_tokens = estimateTokens(getBufferString(messages)) + tokensOf(tools);
    const output_tokens = estimateTokens(text) + tokensOf(calls);
    return new AIMessage({
      content: text,
      tool_calls: calls.map((call) => ({ ...call, id: `call_${randomUUID()}`, type: "tool_call" })),
      additional_kwargs: refusal ? { refusal: text } : {},
      usage_metadata: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
      response_metadata: { model_name: this.model, estimatedUsage: true },
    });
  }
}

function tokensOf(list: readonly object[]): number {
  return list.length > 0 ? estimateTokens(JSON.stringify(list)) : 0;
}
