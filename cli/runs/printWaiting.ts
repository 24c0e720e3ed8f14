import { callParts } from "../../nodes/shared/callLine.js";
import type { InputRequest } from "../../nodes/acting/askInput.js";
import type { EditApprovalRequest } from "../../nodes/editing/editApproval.js";
import { plannedCall } from "../../nodes/planning/planLines.js";
import type { WritesApprovalRequest } from "../../nodes/programs/writesApproval.js";
import { callsText } from "../../budget/amountText.js";
import { fieldsOf } from "../../common/schemas/typeText.js";
import type { Waiting } from "./decisions.js";
import type { ThreadRun } from "./runThread.js";
import { bold, dim, lineText, printHanging } from "../printing/terminal.js";

/** Prints what a run waits for, and how to decide or answer. */
export function printWaiting({
  run,
  waiting,
}: {
  run: Pick<ThreadRun, "threadId">;
  waiting: Waiting;
}): void {
  if (waiting.kind === "input") return printQuestions({ threadId: run.threadId, waiting });
  if (waiting.kind === "edit") printEdit(waiting);
  else if (waiting.kind === "writes") printWrites(waiting);
  else {
    for (const { tool, args, reason } of waiting.calls) {
      printHanging({ label: LABEL, text: lineText(callParts({ tool, args })) });
      printReason(reason);
    }
    if (waiting.problem)
      printHanging({ label: "your answer cannot be used: ", text: waiting.problem });
  }
  const decide = `tulipgraph resume ${run.threadId} --approve | --reject [REASON] | --edit FILE`;
  printHanging({ text: `decide with: ${decide}` });
}

/** The question comes from a tool's server, so it says who asks. */
function printQuestions(options: { threadId: string; waiting: InputRequest }): void {
  const { threadId, waiting } = options;
  const { questions, problem } = waiting;
  for (const { source, tool, message, schema, url } of questions) {
    printHanging({ label: `${source} asks for ${tool}: `, text: message });
    if (url !== undefined) printHanging({ label: dim("open "), text: url });
    for (const field of schema ? fieldsOf(schema) : []) {
      const text = [field.type, field.text].filter(Boolean).join(", ");
      printHanging({ label: dim(`  ${field.name}${field.mark}: `), text });
    }
  }
  if (problem) printHanging({ label: "your answer cannot be used: ", text: problem });
  const ways = questions.some(({ schema }) => schema) ? "--answer JSON" : "--approve";
  printHanging({ text: `answer with: tulipgraph resume ${threadId} ${ways} | --reject` });
}

const LABEL = "waits for your approval: ";

const WHAT = { create: "a new tool", update: "a change of", delete: "the deletion of" };

function printEdit({
  change,
  tool,
  task,
  code,
  before,
  tests,
  breaks,
  problem,
}: EditApprovalRequest) {
  const wish = task ? `, wanted for: ${task}` : "";
  printHanging({ label: LABEL, text: `${WHAT[change]} ${tool}${wish}` });
  if (before) printBlock("the code up to now", before);
  if (code) printBlock("the new code", code);
  for (const test of tests) printHanging({ label: dim("tested "), text: test });
  for (const each of breaks) printHanging({ label: dim("no longer as before "), text: each });
  if (problem) printHanging({ label: "your code cannot be used: ", text: problem });
}

/** Nothing is shortened: a person sees all that is approved. */
function printWrites({ writes, program, bill, complete, problem }: WritesApprovalRequest): void {
  const more = complete ? "no others follow" : "others may follow, and are asked about then";
  printBlock("the program", program);
  printHanging({
    label: LABEL,
    text: `${callsText(writes.length)} that ${writes.length === 1 ? "writes" : "write"}; ${more}`,
  });
  for (const { at, tool, args, names = {}, reason } of writes) {
    const meanings = Object.entries(names).map(([id, name]) => `${id} is “${name}”`);
    const call = lineText(plannedCall({ tool, args }));
    const text = meanings.length > 0 ? `${call}${dim(` · ${meanings.join(", ")}`)}` : call;
    printHanging({ label: `${at}. ${bold("writes")} `, text });
    printReason(reason);
  }
  printHanging({ label: dim("in all: "), text: bill });
  if (problem) printHanging({ label: "your edit cannot be used: ", text: problem });
  printHanging({
    text: dim(`a FILE holds the writes that are left, or a program: ${WRITES_FORM}`),
  });
}

/** Why a flow rule requires asking about a call. */
function printReason(reason: string | undefined): void {
  if (reason) printHanging({ label: dim("asked because "), text: reason });
}

const WRITES_FORM = '[{ "at": 0, "args": { "name": value } }]';

function printBlock(title: string, code: string): void {
  process.stdout.write(`${dim(title)}\n${code.trimEnd()}\n`);
}
