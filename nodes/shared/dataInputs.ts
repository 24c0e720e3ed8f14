import type { OfferedTool, Situation } from "./stageInputs.js";

/** What `writeQuery` knows when it asks a model for the request of some person. */
export interface WriteQueryInput extends Situation {
  /** Who asks, and what for, in words. */
  persona: string;
  /** Calls that the request has to ask for, in order, as one line each; none where the model is free. */
  steps: string[];
  /** What the request may ask for. */
  tools: OfferedTool[];
  /** Things that are there, by the names under which they can be asked for. */
  facts: string[];
  /** Requests that were written before, to be unlike. */
  taken: string[];
}

/** What `rewrite` knows when it asks a model to say a request in other words. */
export interface RewriteInput extends Situation {
  /** Wordings that are there already. */
  taken: string[];
}
