import { InvalidSetting, TulipgraphError, UnknownName } from "../common/errors.js";
import { describeError } from "./errorText.js";

/** A run that an error has broken off and that can be continued: its stages so far are kept. */
class RunInterrupted extends TulipgraphError {
  readonly code = "RUN_INTERRUPTED";

  constructor({ threadId, cause }: { threadId: string; cause: unknown }) {
    super(`${describeError(cause)}; continue with: tulipgraph resume ${threadId}`, { cause });
  }
}

/** The error to show for a failure of a run: one in the settings only comes again when it is resumed. */
export function runFailure({ threadId, error }: { threadId: string; error: unknown }): unknown {
  if (error instanceof InvalidSetting || error instanceof UnknownName) return error;
  return new RunInterrupted({ threadId, cause: error });
}
