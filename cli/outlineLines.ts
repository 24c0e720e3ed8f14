import { oneLine } from "../common/errors.js";
import { plannedCallText } from "./planStepLines.js";
import { writtenValue } from "../plans/solutionText.js";
import type { StageChange } from "./searchLines.js";

/** The tasks that a request was split into, each with its tool. */
export function outlineLines({ change: { outline = [] } }: StageChange): string[] {
  if (outline.length === 0) return ["plans no task"];
  return outline.map(({ tool, task }, at) => `${at}. ${oneLine(task)} → ${tool}`);
}

/** The calls that were written for the tasks. */
export function composeStepsLines({ change: { plan } }: StageChange): string[] {
  return (plan?.steps ?? []).map(
    ({ tool, args }, at) => `${at}. ${plannedCallText({ tool, args: Object(writtenValue(args)) })}`,
  );
}
