import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { InvalidSetting } from "../../errors.js";
import type { Stage, StageInputs } from "../../prompts/stages.js";
import { toMessage } from "./message.js";
import { SIMULATED_WRITER } from "./parameters.js";
import { replyOfWriter } from "./writerReplies.js";

/** Call options of the writer: what is asked, typed, instead of as prompt text. */
export interface SimulatedWriterCallOptions extends BaseChatModelCallOptions {
  stage?: Stage;
  input?: StageInputs[Stage];
  /** Tools that were bound; they count as input tokens. */
  tools?: BindToolsInput[];
}

/**
 * A script that stands in for a language model where tools are created (`eval creation`), so that the
 * whole path is gone without one: it knows the requests of that evaluation and no others, writes drafts
 * that were written beforehand, most of them with a fault at first, and mends them when it is asked
 * again. It writes nothing of its own, so its figures are no model's. The same situation gives the same
 * reply, apart from call ids. Token usage is estimated and marked as such.
 */
export class SimulatedWriter extends BaseChatModel<SimulatedWriterCallOptions> {
  readonly model = SIMULATED_WRITER;

  constructor() {
    super({});
  }

  override _llmType(): string {
    return "simulated-writer";
  }

  override bindTools(
    tools: BindToolsInput[],
    options: Partial<SimulatedWriterCallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, SimulatedWriterCallOptions> {
    return this.withConfig({ ...options, tools });
  }

  override async _generate(
    messages: BaseMessage[],
    { stage, input, tools = [] }: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    if (!stage || !input) {
      throw new InvalidSetting({
        setting: `model ${SIMULATED_WRITER}`,
        problem:
          "it was called without the options `stage` and `input`, and it does not read prompts",
        hint: "Ask it through the stages of a graph, or use a language model",
      });
    }
    const reply = replyOfWriter({ stage, input, messages });
    const message = toMessage({ reply, messages, tools, model: SIMULATED_WRITER });
    return { generations: [{ text: reply.text, message }] };
  }
}
