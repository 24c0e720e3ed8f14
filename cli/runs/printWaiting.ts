import { several } from "../../common/text.js";
import { fieldsOf } from "../../common/schemas/typeText.js";
import { codeIn } from "../../nodes/policy/askDecisions.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { bold, dim, printHanging, printLine } from "../printing/print.js";
import { type Waiting, isAnswered } from "./decisions.js";

/** Prints what a run waits for, and how to decide or answer. Nothing is shortened. */
export function printWaiting(threadId: string, waiting: Waiting): void {
  if (waiting.kind === "connect") return printConnects(threadId, waiting);
  if (isAnswered(waiting)) return printQuestions(threadId, waiting);
  if (waiting.kind === "edit") printEdit(waiting);
  else printCalls(waiting);
  if (waiting.problem)
    printHanging({ label: "Your answer cannot be used: ", text: waiting.problem });
  const edit = isEditable(waiting) ? " | --edit FILE" : "";
  const decide = `tulipgraph resume ${threadId} --approve | --reject [REASON]${edit}`;
  printHanging({ text: `To decide: ${decide}` });
}

/** The calls of a saved plan cannot be changed. */
function isEditable({ reviewConfigs }: Waiting): boolean {
  return reviewConfigs.some(({ allowedDecisions }) => allowedDecisions.includes("edit"));
}

/** The question comes from a tool's server, so it says who asks. */
function printQuestions(threadId: string, waiting: Waiting): void {
  const { actionRequests, reviewConfigs, problem } = waiting;
  const fields = reviewConfigs.map(({ argsSchema }) => {
    const parts: unknown = Reflect.get(Object(argsSchema), "properties");
    const content = isPlainObject(parts) ? parts["content"] : undefined;
    return isPlainObject(content) ? fieldsOf(content) : [];
  });
  for (const [at, { name, description = "" }] of actionRequests.entries()) {
    printHanging({ label: `for ${name}: `, text: description });
    for (const field of fields[at] ?? []) {
      const text = [field.type, field.text].filter(Boolean).join(", ");
      printHanging({ label: dim(`  ${field.name}${field.mark}: `), text });
    }
  }
  if (problem) printHanging({ label: "Your answer cannot be used: ", text: problem });
  const ways = fields.some(({ length }) => length > 0) ? "--answer JSON" : "--approve";
  printHanging({ text: `To answer: tulipgraph resume ${threadId} ${ways} | --reject` });
}

function printConnects(threadId: string, { connect = [] }: Waiting): void {
  for (const { source, message } of connect) {
    printHanging({ label: `${source}: `, text: message });
    printHanging({ text: `To connect: tulipgraph tools login ${source}` });
  }
  printHanging({ text: `Then continue: tulipgraph resume ${threadId} --approve | --reject` });
}

const LABEL = "Waiting for approval: ";

const WHAT: Record<string, string> = {
  create_tool: "a new tool",
  update_tool: "a change to",
  delete_tool: "the deletion of",
};

function printEdit({ actionRequests, before, tests = [], breaks = [] }: Waiting): void {
  for (const { name, args, description } of actionRequests) {
    const wish = description ? `, for: ${description}` : "";
    printHanging({ label: LABEL, text: `${WHAT[name]} ${String(args["tool"])}${wish}` });
    if (before) printBlock("Current code", before);
    const code = codeIn(args);
    if (code) printBlock("New code", code);
  }
  for (const test of tests) printHanging({ label: dim("Tested: "), text: test });
  for (const each of breaks) printHanging({ label: dim("Changed: "), text: each });
}

function printCalls(waiting: Waiting): void {
  const { kind, actionRequests, program, bill, complete, notes = [] } = waiting;
  const count = actionRequests.length;
  for (const note of notes) printHanging({ text: bold(note) });
  if (program !== undefined) printBlock("Program", program);
  if (kind === "writes") {
    const more = complete ? "no more will follow" : "more may follow, with a question of their own";
    printHanging({ label: LABEL, text: `${several(count, "write")} (${more})` });
  }
  for (const [at, { name, args, description }] of actionRequests.entries()) {
    const call = callText(name, args);
    const label = kind === "writes" ? `${at}. ${bold("writes")} ` : LABEL;
    printHanging({ label, text: description ? `${call}${dim(` · ${description}`)}` : call });
  }
  if (bill !== undefined) printHanging({ label: dim("In total: "), text: bill });
  if (!isEditable(waiting)) return;
  const list =
    count > 1
      ? `the list of arguments, [{ "name": value }, null, …] (null skips a call)`
      : `the arguments, { "name": value }`;
  const or = program === undefined ? "" : ", or another program";
  printHanging({ text: dim(`FILE contains ${list}${or}`) });
}

function callText(name: string, args: Record<string, unknown>): string {
  const given = Object.entries(args).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return `${bold(name)}(${given.join(", ")})`;
}

function printBlock(title: string, code: string): void {
  printLine(`${dim(title)}\n${code.trimEnd()}`);
}
