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

/** A tool call of a simulated model; the message adds an id. */
export interface PlannedCall {
  name: string;
  args: Record<string, unknown>;
}

/** A reply of a simulated model: text, and one call or several calls together. */
export interface SimulatedReply {
  text: string;
  call?: PlannedCall;
  calls?: readonly PlannedCall[];
}

/** A structured reply. */
export function jsonReply(value: unknown): SimulatedReply {
  return { text: JSON.stringify(value) };
}

/** Call options of a simulated model: the question as typed input instead of prompt text. */
interface SimulatedCallOptions extends BaseChatModelCallOptions {
  stage?: Stage;
  input?: StageInputs[Stage];
  /** Bound tools; they count as input tokens. */
  tools?: BindToolsInput[];
}

/** A question to a simulated model. */
export interface SimulatedQuestion {
  stage: Stage;
  input: StageInputs[Stage];
  messages: readonly BaseMessage[];
}

/**
 * The base of scripted stand-ins for a language model. They need the call options `stage` and `input`; the text of the
 * messages is only counted, and token usage is marked as estimated.
 */
export abstract class SimulatedModel extends BaseChatModel<SimulatedCallOptions> {
  /** As "provider:name". */
  abstract readonly model: string;

  /** Counts tokens; if absent, they are estimated. */
  readonly countTokens?: (texts: readonly string[]) => number;

  /** The reply; the same situation gives the same reply. */
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

/** A reply as a message, with ids for its calls and token counts that are marked as estimated. */
function toMessage(options: {
  reply: SimulatedReply;
  messages: BaseMessage[];
  tools: BindToolsInput[];
  /** As "provider:name". */
  model: string;
  /** Counts the tokens of all texts together. */
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
