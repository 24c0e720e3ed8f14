import type { EditApprovalRequest } from "../nodes/editApproval.js";
import type { Waiting } from "./approval.js";
import { callText } from "./callText.js";
import type { ThreadRun } from "./runThread.js";
import { dim, printHanging } from "./terminal.js";

/** Says what a run waits for with which a person has to agree, and how to decide on it. */
export function printWaiting({ run, waiting }: { run: ThreadRun; waiting: Waiting }): void {
  if (waiting.kind === "edit") printEdit(waiting);
  else {
    for (const { tool, args } of waiting.calls) {
      printHanging({ label: LABEL, text: callText({ tool, args }) });
    }
  }
  const decide = `tulipgraph resume ${run.threadId} --approve | --reject [REASON] | --edit FILE`;
  printHanging({ text: `decide with: ${decide}` });
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

function printBlock(title: string, code: string): void {
  process.stdout.write(`${dim(title)}\n${code.trimEnd()}\n`);
}
