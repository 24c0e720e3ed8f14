import { AIMessage } from "@langchain/core/messages";
import { oneLine } from "../common/errors.js";
import type { Call, Search, StateUpdate, Subtask } from "../state/state.js";
import { FINISH, STOP } from "../tools/control.js";
import { callText, valueText } from "./callText.js";
import { answerLines, draftLines, editLines, wishLines } from "./editLines.js";
import { type StageChange, agendaLines, verdictLines, voteLines } from "./searchLines.js";
import { aggregateLines, paraphraseLines, planTaskLines, taskAgendaLines } from "./taskLines.js";
import { answerFromPlan } from "../nodes/planning/answerFromPlan.js";
import { approvePlan } from "../nodes/planning/approvePlan.js";
import { checkPlan } from "../nodes/planning/checkPlan.js";
import { compose } from "../nodes/planning/compose.js";
import { composeSteps } from "../nodes/planning/composeSteps.js";
import { dispatchSteps } from "../nodes/planning/dispatchSteps.js";
import { planBudget } from "../nodes/planning/planBudget.js";
import { reflect } from "../nodes/planning/reflect.js";
import { writeOutline } from "../nodes/planning/writeOutline.js";
import type { StageFacts } from "../nodes/shared/stage.js";
import {
  lookLines,
  programCheckLines,
  programLines,
  programRunLines,
  writesApprovalLines,
} from "./programLines.js";
import { dim, lineText } from "./terminal.js";

/** Most hits of a search that are shown. */
const HITS_SHOWN = 4;

/** What a stage did, in lines for a person; none for a stage that has nothing to say. */
export function stageLines(stage: StageChange & { node: string }): string[] {
  const { node, change } = stage;
  if (change.repair) return [`unusable reply, asking again: ${oneLine(change.repair.problem)}`];
  if (node !== "respond" && isEnd(change)) return [oneLine(change.answer ?? "")];
  return LINES[node]?.(stage) ?? [];
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
  act: ({ change }) => [actLine(change)],
  execute: ({ change, before }) => (change.calls ?? []).slice(before.calls?.length).map(callLine),
  writeOutline: saidBy(writeOutline()),
  composeSteps: saidBy(composeSteps()),
  compose: saidBy(compose({ style: "typed" })),
  checkPlan: saidBy(checkPlan()),
  reflect: saidBy(reflect()),
  approvePlan: saidBy(approvePlan()),
  planBudget: saidBy(planBudget()),
  planBudgetAnew: saidBy(planBudget()),
  dispatchSteps: saidBy(dispatchSteps()),
  answerFromPlan: saidBy(answerFromPlan({ as: "text" })),
  writeProgram: programLines,
  checkProgram: programCheckLines,
  runProgram: programRunLines,
  look: lookLines,
  wordAnswer: programRunLines,
  approveWrites: writesApprovalLines,
  judge: verdictLines,
  vote: voteLines,
  agenda: agendaLines,
  taskAgenda: taskAgendaLines,
  planTask: planTaskLines,
  paraphrase: paraphraseLines,
  aggregate: aggregateLines,
  decomposeTask: ({ change }) => answerLines(change.messages),
  beginEdit: wishLines,
  writeTool: draftLines,
  editLibrary: editLines,
  summarize: ({ change }) => (change.answer ? ["writes the answer from what was found"] : []),
};

function saidBy({ lines }: StageFacts): (stage: StageChange) => string[] {
  return (stage) => lines?.(stage).map(lineText) ?? [];
}

/** The stage has ended the run without an answer to the request. */
function isEnd({ status }: StateUpdate): boolean {
  return status !== undefined && !["running", "solved", "planned"].includes(status);
}

function actLine({ messages, status }: StateUpdate): string {
  if (status === "solved") return "answers";
  const replies = Array.isArray(messages) ? messages : [messages];
  const calls = replies.flatMap((reply) =>
    AIMessage.isInstance(reply) ? (reply.tool_calls ?? []) : [],
  );
  // In a search over steps, words alone are the answer, and the agenda says what they mean.
  if (calls.length === 0) return "answers";
  if (calls.length === 1 && calls[0]?.name === STOP.name) return "answers";
  const end = calls.length === 1 && calls[0]?.name === FINISH.name ? calls[0].args : undefined;
  return end ? endLine(end) : `calls ${calls.map(({ name }) => name).join(", ")}`;
}

/** How the model ends a branch of a search over steps. */
function endLine({ return_type: type, final_answer: said }: Record<string, unknown>): string {
  if (type === "give_answer") return "answers";
  return typeof said === "string" && said
    ? `gives this way up: ${oneLine(said)}`
    : "gives this way up";
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

function callLine({ tool, args, result, resultRef, error, ms }: Call): string {
  const value = resultRef === undefined ? valueText(result) : "a long result";
  const outcome = error === undefined ? `= ${value}` : `failed: ${oneLine(error)}`;
  return `${callText({ tool, args })} ${outcome} ${dim(`${Math.round(ms)} ms`)}`;
}
