import { oneLine } from "../common/errors.js";
import type { StageChange, StageFacts } from "../nodes/shared/stage.js";
import type { StateUpdate } from "../state/state.js";
import { lineText } from "./terminal.js";

/**
 * What a stage did, in lines for a person; none for a stage that has nothing to say. How an unusable reply and the
 * end of a run are told is the same for all.
 *
 * @param options.stage what the stage says of itself
 */
export function stageLines(options: StageChange & { stage?: StageFacts }): string[] {
  const { stage, change, before } = options;
  if (change.repair) return [`unusable reply, asking again: ${oneLine(change.repair.problem)}`];
  if (isEnd(change)) return [oneLine(change.answer ?? "")];
  return stage?.lines?.({ change, before }).map(lineText) ?? [];
}

/** The stage has ended the run without an answer to the request. */
function isEnd({ status }: StateUpdate): boolean {
  return status !== undefined && !["running", "solved", "planned"].includes(status);
}
