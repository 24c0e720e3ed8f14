import { randomUUID } from "node:crypto";
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
import { estimateTokens } from "../../models/modelTokens.js";
import type { Stage, StageInputs } from "../../nodes/shared/stageInputs.js";

/** A tool call as a simulated model decides it; an id is added with the message. */
export interface PlannedCall {
  name: string;
  args: Record<string, unknown>;
}

/** What a simulated model says: text, and one call, or several that are to run together. */
export interface SimulatedReply {
  text: string;
  call?: PlannedCall;
  calls?: readonly PlannedCall[];
}

/** A structured reply. */
export function jsonReply(value: unknown): SimulatedReply {
  return { text: JSON.stringify(value) };
}

/** Call options of a simulated model: what is asked, typed, instead of as prompt text. */
interface SimulatedCallOptions extends BaseChatModelCallOptions {
  stage?: Stage;
  input?: StageInputs[Stage];
  /** Tools that were bound; they count as input tokens. */
  tools?: BindToolsInput[];
}

/** What a simulated model is asked at a stage. */
export interface SimulatedQuestion {
  stage: Stage;
  input: StageInputs[Stage];
  messages: readonly BaseMessage[];
}

/**
 * What scripted stand-ins for a language model share. They need the call options `stage` and `input`; the
 * text of the messages is only counted, and token usage is marked as estimated.
 */
export abstract class SimulatedModel extends BaseChatModel<SimulatedCallOptions> {
  /** As "provider:name". */
  abstract readonly model: string;

  /** Counts tokens; they are estimated where it is absent. */
  readonly countTokens?: (texts: readonly string[]) => number;

  /** What it replies; the same situation gives the same reply. */
  abstract reply(question: SimulatedQuestion): SimulatedReply;

  override _llmType(): string {
    return "simulated";
  }

  override bindTools(
    tools: BindToolsInput[],
    options: Partial<SimulatedCallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, SimulatedCallOptions> {
    return this.withConfig({ ...options, tools });
  }

  override async _generate(
    messages: BaseMessage[],
    { stage, input, tools = [] }: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    if (!stage || !input) {
      throw new InvalidSetting({
        setting: `model ${this.model}`,
        problem:
          "it was called without the options `stage` and `input`, and it does not read prompts",
        hint: "Ask it through the stages of a graph, or use a language model",
      });
    }
    const reply = this.reply({ stage, input, messages });
    const { model, countTokens } = this;
    const message = toMessage({ reply, messages, tools, model, countTokens });
    return { generations: [{ text: reply.text, message }] };
  }
}

/** A reply as a message, with ids for its calls and an estimate of the tokens, marked as an estimate. */
function toMessage(options: {
  reply: SimulatedReply;
  messages: BaseMessage[];
  tools: BindToolsInput[];
  /** Who says it, as "provider:name". */
  model: string;
  /** Tokens of texts, taken together. */
  countTokens?: (texts: readonly string[]) => number;
}): AIMessage {
  const { reply, messages, tools, model, countTokens = estimated } = options;
  const { text, call, calls = call ? [call] : [] } = reply;
  const input = countTokens([getBufferString(messages), asJson(tools)]);
  const output = countTokens([text, asJson(calls)]);
  return new AIMessage({
    content: text,
    tool_calls: calls.map((each) => ({ ...each, id: `call_${randomUUID()}`, type: "tool_call" })),
    usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    response_metadata: { model_name: model, estimatedUsage: true },
  });
}

function estimated(texts: readonly string[]): number {
  return estimateTokens(texts.join(""));
}

function asJson(items: readonly unknown[]): string {
  return items.length > 0 ? JSON.stringify(items) : "";
}
