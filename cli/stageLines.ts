import { AIMessage } from "@langchain/core/messages";
import { oneLine } from "../common/errors.js";
import { beginEdit } from "../nodes/editing/beginEdit.js";
import { decomposeTask } from "../nodes/editing/decomposeTask.js";
import { editLibrary } from "../nodes/editing/editLibrary.js";
import { searchCalls } from "../nodes/editing/searchCalls.js";
import { writeTool } from "../nodes/editing/writeTool.js";
import { decompose } from "../nodes/finding/decompose.js";
import { phraseSearch } from "../nodes/finding/phraseSearch.js";
import { recurse } from "../nodes/finding/recurse.js";
import { search } from "../nodes/finding/search.js";
import type { Line, Stage } from "../nodes/shared/stage.js";
import { aggregate } from "../nodes/tasks/aggregate.js";
import { paraphrase } from "../nodes/tasks/paraphrase.js";
import { planTask } from "../nodes/tasks/planTask.js";
import { searchTask } from "../nodes/tasks/searchTask.js";
import { taskAgenda } from "../nodes/tasks/taskAgenda.js";
import type { Call, StateUpdate } from "../state/state.js";
import { FINISH, STOP } from "../tools/control.js";
import { callText, valueText } from "./callText.js";
import {
  type StageChange,
  agendaLines,
  planLines,
  verdictLines,
  voteLines,
} from "./searchLines.js";
import { composeStepsLines, outlineLines } from "./outlineLines.js";
import {
  approvalLines,
  checkLines,
  composeLines,
  leavingLines,
  planEndLines,
  reflectLines,
} from "./planStepLines.js";
import { approvalLines as writesApprovalLines } from "../nodes/programs/approveWrites.js";
import { checkLines as programCheckLines } from "../nodes/programs/checkProgram.js";
import { endLines } from "../nodes/programs/leaveProgram.js";
import { lookLines } from "../nodes/programs/look.js";
import { programLines } from "../nodes/programs/writeProgram.js";
import type { Line } from "../nodes/shared/stage.js";
import { bold, dim } from "./terminal.js";

/** What a stage did, in lines for a person; none for a stage that has nothing to say. */
export function stageLines(stage: StageChange & { node: string }): string[] {
  const { node, change } = stage;
  if (change.repair) return [`unusable reply, asking again: ${oneLine(change.repair.problem)}`];
  if (node !== "respond" && isEnd(change)) return [oneLine(change.answer ?? "")];
  return LINES[node]?.(stage) ?? [];
}

/** What there is to say of each stage, by the name of its node. */
const LINES: Record<string, (stage: StageChange) => string[]> = {
  decompose: linesOf(decompose({ style: "plain" })),
  phraseSearch: linesOf(phraseSearch()),
  searchPriming: linesOf(search({ by: "priming" })),
  search: linesOf(search({ by: "phrases" })),
  searchRequest: linesOf(search({ by: "clauses" })),
  searchTask: linesOf(searchTask()),
  searchCalls: linesOf(searchCalls()),
  recurse: linesOf(recurse({ by: "splitting" })),
  act: ({ change }) => [actLine(change)],
  execute: ({ change, before }) => (change.calls ?? []).slice(before.calls?.length).map(callLine),
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
  runProgram: endLines,
  look: lookLines,
  wordAnswer: endLines,
  approveWrites: (stage) => writesApprovalLines(stage).map(lineText),
  judge: verdictLines,
  vote: voteLines,
  agenda: agendaLines,
  taskAgenda: linesOf(taskAgenda()),
  planTask: linesOf(planTask()),
  paraphrase: linesOf(paraphrase()),
  aggregate: linesOf(aggregate()),
  decomposeTask: linesOf(decomposeTask()),
  beginEdit: linesOf(beginEdit({ by: "call" })),
  writeTool: linesOf(writeTool()),
  editLibrary: linesOf(editLibrary()),
  summarize: ({ change }) => (change.answer ? ["writes the answer from what was found"] : []),
};

/** What a stage says of itself. */
function linesOf({ lines }: Stage): (stage: StageChange) => string[] {
  return (stage) => (lines?.(stage) ?? []).map(lineText);
}

function lineText(line: Line): string {
  if (typeof line === "string") return line;
  return line
    .map((part) => {
      if (typeof part === "string") return part;
      return "strong" in part ? bold(part.strong) : dim(part.aside);
    })
    .join("");
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

function callLine({ tool, args, result, resultRef, error, ms }: Call): string {
  const value = resultRef === undefined ? valueText(result) : "a long result";
  const outcome = error === undefined ? `= ${value}` : `failed: ${oneLine(error)}`;
  return `${callText({ tool, args })} ${outcome} ${dim(`${Math.round(ms)} ms`)}`;
}
