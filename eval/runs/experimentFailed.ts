import { TulipgraphError } from "../../common/errors.js";

/** An experiment's folder that cannot be used as it is. */
export class ExperimentFailed extends TulipgraphError {
  readonly code = "EXPERIMENT_FAILED";

  constructor(readonly details: { folder: string; problem: string; hint?: string }) {
    super([`${details.folder}: ${details.problem}`, details.hint].filter(Boolean).join(". "));
  }
}
