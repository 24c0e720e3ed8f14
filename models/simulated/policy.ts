import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { InvalidSetting } from "../../errors.js";
import type { Stage, StageInputs } from "../../prompts/stages.js";
import { toMessage } from "./message.js";
import { DEFAULT_SEED, POLICY_TRAITS, type PolicyTraits, SIMULATED_POLICY } from "./parameters.js";
import { replyTo } from "./stages.js";

/** Call options of the policy: what is asked, typed, instead of as prompt text. */
export interface SimulatedPolicyCallOptions extends BaseChatModelCallOptions {
  stage?: Stage;
  input?: StageInputs[Stage];
  /** Tools that were bound; they count as input tokens. */
  tools?: BindToolsInput[];
}

/**
 * A scripted stand-in for an imperfect language model, to compare graphs in a simulated world (the
 * benchmark `priced`) without a model: it picks tools by their descriptions, and errs as often as
 * {@link POLICY_TRAITS} say. It reads what a model is shown and nothing else. The same seed and the same
 * situation give the same reply, apart from call ids. Token usage is estimated and marked as such.
 *
 * It needs the call options `stage` and `input`; the text of the messages is only counted.
 */
export class SimulatedPolicy extends BaseChatModel<SimulatedPolicyCallOptions> {
  readonly model = SIMULATED_POLICY;
  readonly #seed: number;
  readonly #traits: PolicyTraits;

  constructor(params: BaseChatModelParams & { seed?: number; traits?: PolicyTraits } = {}) {
    const { seed = DEFAULT_SEED, traits = POLICY_TRAITS, ...others } = params;
    super(others);
    this.#seed = seed;
    this.#traits = traits;
  }

  override _llmType(): string {
    return "simulated-policy";
  }

  override bindTools(
    tools: BindToolsInput[],
    options: Partial<SimulatedPolicyCallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, SimulatedPolicyCallOptions> {
    return this.withConfig({ ...options, tools });
  }

  override async _generate(
    messages: BaseMessage[],
    { stage, input, tools = [] }: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    if (!stage || !input) {
      throw new InvalidSetting({
        setting: `model ${SIMULATED_POLICY}`,
        problem:
          "it was called without the options `stage` and `input`, and it does not read prompts",
        hint: "Ask it through the stages of a graph, or use a language model",
      });
    }
    const reply = replyTo(stage, input, { seed: this.#seed, traits: this.#traits });
    const message = toMessage({ reply, messages, tools, model: this.model });
    return { generations: [{ text: reply.text, message }] };
  }
}
