import { oneLine } from "../common/errors.js";
import type { Search, StateUpdate, Subtask } from "../state/state.js";
import type { StageFacts } from "../nodes/shared/stage.js";
import { answerLines, draftLines, editLines, wishLines } from "./editLines.js";
import { type StageChange, planLines } from "./searchLines.js";
import { aggregateLines, paraphraseLines, planTaskLines, taskAgendaLines } from "./taskLines.js";
import { composeStepsLines, outlineLines } from "./outlineLines.js";
import {
  approvalLines,
  checkLines,
  composeLines,
  leavingLines,
  planEndLines,
  reflectLines,
} from "./planStepLines.js";
import {
  lookLines,
  programCheckLines,
  programLines,
  programRunLines,
  writesApprovalLines,
} from "./programLines.js";
import { lineText } from "./terminal.js";

/** Most hits of a search that are shown. */
const HITS_SHOWN = 4;

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
  decompose: ({ change }) => (change.subtasks ?? []).map(subtaskLine),
  phraseSearch: ({ change }) => [counted(change.queue?.length, "search phrase")],
  searchPriming: ({ change }) => [counted(change.hints?.length, "tool name")],
  search: searchLines,
  searchRequest: searchLines,
  searchTask: phraseLines,
  searchCalls: phraseLines,
  recurse: ({ change: { focus } }) => [focus ? `splitting subtask ${focus}` : "going on"],
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
  writeProgram: programLines,
  checkProgram: programCheckLines,
  runProgram: programRunLines,
  look: lookLines,
  wordAnswer: programRunLines,
  approveWrites: writesApprovalLines,
  taskAgenda: taskAgendaLines,
  planTask: planTaskLines,
  paraphrase: paraphraseLines,
  aggregate: aggregateLines,
  decomposeTask: ({ change }) => answerLines(change.messages),
  beginEdit: wishLines,
  writeTool: draftLines,
  editLibrary: editLines,
};

/** The stage has ended the run without an answer to the request. */
function isEnd({ status }: StateUpdate): boolean {
  return status !== undefined && !["running", "solved", "planned"].includes(status);
}

function counted(count = 0, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function subtaskLine({ id, text, status, reason }: Subtask): string {
  return `${id}. ${oneLine(text)}${status === "open" ? "" : ` (${reason ?? status})`}`;
}

function searchLines(stage: StageChange): string[] {
  const { change } = stage;
  if (change.searches) return phraseLines(stage);
  return [`${counted(change.toolIds?.length, "tool")}: all of the library`];
}

function phraseLines({ change, before }: StageChange): string[] {
  return (change.searches ?? []).slice(before.searches?.length).map(searchLine);
}

function searchLine({ phrase, hits }: Search): string {
  const quoted = `“${oneLine(phrase)}”`;
  if (hits.length === 0) return `${quoted} → nothing`;
  const shown = hits
    .slice(0, HITS_SHOWN)
    .map(({ tool, distance }) => `${tool} ${distance.toFixed(2)}`);
  const more = hits.length > HITS_SHOWN ? `, and ${hits.length - HITS_SHOWN} more` : "";
  return `${quoted} → ${shown.join(", ")}${more}`;
}
