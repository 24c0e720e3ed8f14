import { SIMULATED_WRITER } from "./parameters.js";
import { SimulatedModel, type SimulatedQuestion } from "./simulatedModel.js";
import { replyOfWriter } from "./writerReplies.js";

/**
 * A script that stands in for a language model where tools are created (`eval creation`), so that the
 * whole path is gone without one: it knows the requests of that evaluation and no others, writes drafts
 * that were written beforehand, most of them with a fault at first, and mends them when it is asked
 * again. It writes nothing of its own, so its figures are no model's.
 */
export class SimulatedWriter extends SimulatedModel {
  readonly model = SIMULATED_WRITER;

  constructor() {
    super({});
  }

  override reply(question: SimulatedQuestion) {
    return replyOfWriter(question);
  }
}
