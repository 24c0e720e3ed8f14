import { oneLine } from "../common/errors.js";
import type { StateUpdate } from "../state/state.js";
import type { StageFacts } from "../nodes/shared/stage.js";
import { type StageChange, planLines } from "./searchLines.js";
import { composeStepsLines, outlineLines } from "./outlineLines.js";
import {
  approvalLines,
  checkLines,
  composeLines,
  leavingLines,
  planEndLines,
  reflectLines,
} from "./planStepLines.js";
import { lineText } from "./terminal.js";

/**
 * What a stage did, in lines for a person; none for a stage that has nothing to say. How an unusable reply and the
 * end of a run are told is the same for all.
 *
 * @param options.stage what the stage says of itself
 */
export function stageLines(options: StageChange & { node: string; stage?: StageFacts }): string[] {
  const { node, stage, change, before } = options;
  if (change.repair) return [`unusable reply, asking again: ${oneLine(change.repair.problem)}`];
  if (isEnd(change)) return [oneLine(change.answer ?? "")];
  const lines = stage?.lines ?? LINES[node];
  return lines?.({ change, before }).map(lineText) ?? [];
}

/** What there is to say of each stage, by the name of its node. */
const LINES: Record<string, (stage: StageChange) => string[]> = {
  writeOutline: outlineLines,
  composeSteps: composeStepsLines,
  compose: composeLines,
  checkPlan: checkLines,
  reflect: reflectLines,
  approvePlan: approvalLines,
  planBudget: planLines,
  planBudgetAnew: planLines,
  dispatchSteps: leavingLines,
  answerFromPlan: planEndLines,
};

/** The stage has ended the run without an answer to the request. */
function isEnd({ status }: StateUpdate): boolean {
  return status !== undefined && !["running", "solved", "planned"].includes(status);
}
