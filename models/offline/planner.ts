import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  getBufferString,
} from "@langchain/core/messages";
import { type ChatResult, ChatGenerationChunk } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { counted } from "../../common/bounds.js";
import { InvalidSetting } from "../../common/errors.js";
import { OFFLINE_MODEL } from "../../state/context.js";
import { estimateTokens } from "../modelTokens.js";
import type { Reply } from "../prompt.js";

/** Call options of the planner: the question as data instead of a prompt. */
export interface OfflinePlannerCallOptions extends BaseChatModelCallOptions {
  stage?: string;
  input?: object;
  /** The stage's own rules for the reply. */
  byRules?: () => Promise<Reply>;
  /** Bound tools, which count as input tokens. */
  tools?: BindToolsInput[];
}

/**
 * The built-in model: replies to stages by rules, with an expression parser and the sentence encoder, without a key
 * or a network. It is not a language model and computes nothing: every number in an answer comes from the request or
 * from a tool's result. The same input gives the same reply, apart from call ids. Token usage is estimated and marked
 * as such.
 *
 * It needs the call options `stage` and `input`; the text of the messages is only counted.
 */
export class OfflinePlanner extends BaseChatModel<OfflinePlannerCallOptions> {
  readonly model = OFFLINE_MODEL;

  constructor(params: BaseChatModelParams = {}) {
    super(params);
  }

  override _llmType(): string {
    return "offline-planner";
  }

  override bindTools(
    tools: BindToolsInput[],
    options: Partial<OfflinePlannerCallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, OfflinePlannerCallOptions> {
    return this.withConfig({ ...options, tools });
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    const message = await this.#reply(messages, options);
    return { generations: [{ text: textOf(message), message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const whole = await this.#reply(messages, options);
    const message = new AIMessageChunk({
      content: whole.content,
      additional_kwargs: whole.additional_kwargs,
      response_metadata: whole.response_metadata,
      usage_metadata: whole.usage_metadata,
      id: whole.id,
      tool_call_chunks: (whole.tool_calls ?? []).map(({ id, name, args }, index) => ({
        id,
        name,
        args: JSON.stringify(args),
        index,
        type: "tool_call_chunk",
      })),
    });
    const chunk = new ChatGenerationChunk({ text: textOf(whole), message });
    yield chunk;
    await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, {
      chunk,
    });
  }

  async #reply(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<AIMessage> {
    // Unlike with a remote model, nothing is awaited here: other runs would get no turn.
    await setImmediate();
    const reply = await this.#decide(options);
    return toMessage({ reply, messages, tools: options.tools ?? [] });
  }

  async #decide({ stage, input, byRules }: this["ParsedCallOptions"]): Promise<Reply> {
    if (!stage || !input) {
      throw new InvalidSetting({
        setting: `model ${OFFLINE_MODEL}`,
        problem:
          "it was called without the options `stage` and `input`, and it does not read prompts",
        hint: "Ask it through the stages of a graph, or use a language model",
      });
    }
    const length = "request" in input ? String(input.request).length : 0;
    if (length > LONGEST_READ) return tooLong(length);
    return byRules ? byRules() : withoutRules(stage);
  }
}

/** Most characters of a request, which the rules scan repeatedly; a longer one is hardly a list of tasks. */
const LONGEST_READ = 4000;

function withoutRules(stage: string): Reply {
  const text = `I cannot answer this: the offline planner has no rules for ${stage}. Choose a language model.`;
  return { text, refusal: true };
}

function tooLong(length: number): Reply {
  const text = `I cannot answer this: the offline planner reads requests of at most ${counted(LONGEST_READ)} characters, and this one has ${counted(length)}. Choose a language model, or ask for less at once.`;
  return { text, refusal: true };
}

function textOf({ content }: AIMessage): string {
  return typeof content === "string" ? content : "";
}

/** A reply as a message, with call ids and estimated tokens, marked as such. */
function toMessage(options: {
  reply: Reply;
  messages: BaseMessage[];
  tools: BindToolsInput[];
}): AIMessage {
  const { reply, messages, tools } = options;
  const text = "text" in reply ? reply.text : "";
  const calls = "calls" in reply ? reply.calls : [];
  const input =
    estimateTokens(getBufferString(messages)) +
    (tools.length > 0 ? estimateTokens(JSON.stringify(tools)) : 0);
  const output =
    estimateTokens(text) + (calls.length > 0 ? estimateTokens(JSON.stringify(calls)) : 0);
  return new AIMessage({
    content: text,
    tool_calls: calls.map((call) => ({ ...call, id: `call_${randomUUID()}`, type: "tool_call" })),
    additional_kwargs: "refusal" in reply ? { refusal: text } : {},
    usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    response_metadata: { model_name: OFFLINE_MODEL, estimatedUsage: true },
  });
}
