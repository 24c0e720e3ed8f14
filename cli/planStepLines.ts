import { oneLine } from "../common/errors.js";
import { isReference, readText } from "../plans/references.js";
import { writtenValue } from "../plans/solutionText.js";
import type { PlanState } from "../state/state.js";
import type { StageChange } from "./searchLines.js";
import { bold, shorten } from "./terminal.js";

/** Most characters of the arguments of a step, or of an answer, that are shown while a run goes on. */
const LONGEST = 200;

/** The plan that a model has written: a line for each step, its answer, and what it has no tool for. */
export function composeLines({ change }: StageChange): string[] {
  const { plan, queue = [] } = change;
  if (!plan) return [];
  if (plan.left) return [`goes on without a plan: ${oneLine(plan.left)}`];
  const lacking = plan.lacking.map((phrase) => `lacks a tool for: ${oneLine(phrase)}`);
  // A plan that leads to searches is written once more, and so is its answer.
  const shown = queue.length > 0 ? { ...plan, answer: "" } : plan;
  return [...planStepLines(shown), ...lacking, ...plan.repairs.map(repairLine)];
}

/** What the check of a plan has mended, and what is left to be mended. */
export function checkLines({ change: { plan }, before }: StageChange): string[] {
  if (!plan) return [];
  const repairs = plan.repairs.slice(before.plan?.repairs.length);
  return [
    ...repairs.map(repairLine),
    ...plan.issues.map(({ problem }) => `to be mended: ${oneLine(problem)}`),
  ];
}

/** What is to be done otherwise in a plan, or that there is nothing. */
export function reflectLines({ change: { plan }, before }: StageChange): string[] {
  if (!plan) return [];
  if (plan.cues.length === (before.plan?.cues.length ?? 0)) return ["accepts the plan"];
  const cue = oneLine(plan.cues.at(-1) ?? "");
  return [cue ? `what to do otherwise: ${cue}` : "asks for another plan"];
}

/** What a person has decided about a plan; nothing where nobody was asked. */
export function approvalLines({ change: { plan }, before }: StageChange): string[] {
  if (!plan) return [];
  if (!plan.approved) return [`rejected: ${oneLine(plan.cues.at(-1) ?? "")}`];
  const isOther = JSON.stringify(stepsOf(plan)) !== JSON.stringify(stepsOf(before.plan));
  return isOther ? ["approved with other steps:", ...planStepLines(plan)] : ["approved"];
}

/** Why a plan is not followed any further; nothing while it is, as its calls are told when they are made. */
export function leavingLines({ change: { plan }, before }: StageChange): string[] {
  return plan?.left && !before.plan?.left ? [`leaves the plan: ${oneLine(plan.left)}`] : [];
}

/** The end of a plan: its answer, or why there is none. */
export function planEndLines(stage: StageChange): string[] {
  return stage.change.answer ? ["answers"] : leavingLines(stage);
}

/** Behind a step whose result decides what is done next. */
export const LOOKS = ", then looks at the result";

/** A call as it is planned, on one line, with references bare and texts in quotes. */
export function plannedCallText(
  { tool, args }: { tool: string; args: object },
  { longest }: { longest?: number } = {},
): string {
  const shown = Object.entries(args).map(([name, value]) => `${name}=${writtenText(value)}`);
  return `${bold(tool)}(${shorten({ text: shown.join(", "), width: longest })})`;
}

function planStepLines({ steps, answer }: PlanState): string[] {
  const lines = steps.map(({ tool, args, lookAtResult }, at) => {
    const call = plannedCallText({ tool, args: Object(writtenValue(args)) }, { longest: LONGEST });
    return `${at}. ${call}${lookAtResult ? LOOKS : ""}`;
  });
  return [
    ...(lines.length > 0 ? lines : ["plans no call"]),
    ...(answer ? [`answer: ${shorten({ text: oneLine(answer), width: LONGEST })}`] : []),
  ];
}

function stepsOf(plan: StageChange["before"]["plan"]) {
  return { steps: plan?.steps, answer: plan?.answer };
}

function repairLine(repair: string): string {
  return `mended: ${oneLine(repair)}`;
}

/** JSON, but for references, which would look like texts. */
function writtenText(value: unknown): string {
  if (typeof value === "string" && isReference(readText(value))) return value;
  if (Array.isArray(value)) return `[${value.map(writtenText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}:${writtenText(inner)}`,
  );
  return `{${fields.join(",")}}`;
}
