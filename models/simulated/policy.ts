import type { BaseChatModelParams } from "@langchain/core/language_models/chat_models";
import { DEFAULT_SEED, POLICY_TRAITS, type PolicyTraits, SIMULATED_POLICY } from "./parameters.js";
import { SimulatedModel, type SimulatedQuestion } from "./simulatedModel.js";
import { replyTo } from "./stages.js";

/**
 * A scripted stand-in for an imperfect language model, to compare graphs in a simulated world (the
 * benchmark `priced`) without a model: it picks tools by their descriptions, and errs as often as
 * {@link POLICY_TRAITS} say. It reads what a model is shown and nothing else. The same seed and the same
 * situation give the same reply, apart from call ids.
 */
export class SimulatedPolicy extends SimulatedModel {
  readonly model = SIMULATED_POLICY;
  readonly #seed: number;
  readonly #traits: PolicyTraits;

  constructor(params: BaseChatModelParams & { seed?: number; traits?: PolicyTraits } = {}) {
    const { seed = DEFAULT_SEED, traits = POLICY_TRAITS, ...others } = params;
    super(others);
    this.#seed = seed;
    this.#traits = traits;
  }

  override reply({ stage, input }: SimulatedQuestion) {
    return replyTo(stage, input, { seed: this.#seed, traits: this.#traits });
  }
}
