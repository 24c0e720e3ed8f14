import { oneLine } from "../errors.js";
import { plannedCallText } from "./planStepLines.js";
import { writtenValue } from "../plans/solutionText.js";
import type { StageChange } from "./searchLines.js";

/** The tasks that a request was split into, each with its tool. */
export function outlineLines({ change: { outline = [] } }: StageChange): string[] {
  if (outline.length === 0) return ["plans no task"];
  return outline.map(
    ({ tool, task }, at) => `${at}. ${oneLine(task)} → ${tool === "" ? "no tool" : tool}`,
  );
}

/** The call that was written for a task; of those that need no tool there is nothing to say. */
export function composeStepLines({ change: { plan }, before }: StageChange): string[] {
  const at = before.plan?.steps.length ?? 0;
  const step = plan?.steps[at];
  if (!step) return [];
  return [`${at}. ${plannedCallText({ tool: step.tool, args: Object(writtenValue(step.args)) })}`];
}
