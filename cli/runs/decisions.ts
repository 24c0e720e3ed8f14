import type { StateSnapshot } from "@langchain/langgraph";
import { several } from "../../common/text.js";
import { InvalidSetting, messageOf } from "../../common/errors.js";
import type { GivenDecision, ReviewKind, ReviewRequest } from "../../nodes/policy/askDecisions.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { readTextFile } from "../options.js";
import type { WantedConnection } from "../../tools/remote.js";

/** Options of `resume` by which a person decides. */
export interface DecisionOptions {
  approve?: boolean;
  /** True, or the reason. */
  reject?: boolean | string;
  /** A file with the arguments to call with, as JSON, or with the code of the tool or the program. */
  edit?: string;
  /** JSON: the fields of the answer to a question, or a list with one object for each question. */
  answer?: string;
}

/** What waits for a person, with what helps to decide. */
export interface Waiting extends ReviewRequest {
  /** Of sources that take the person's own credentials. */
  connect?: (WantedConnection & { source: string; message: string })[];
}

const KINDS: readonly unknown[] = [
  "approval",
  "edit",
  "writes",
  "question",
  "connect",
  "outcome",
] satisfies ReviewKind[];

/** Whether what waits is answered rather than decided. */
export function isAnswered({ kind }: Pick<Waiting, "kind">): boolean {
  return kind === "question" || kind === "connect" || kind === "outcome";
}

/** A person's decisions, as they resume a run in LangChain's form. */
export type Decisions = GivenDecision[];

/** What in a thread waits for a person; undefined when nothing does. */
export function waitingFor(snapshot: Pick<StateSnapshot, "tasks">): Waiting | undefined {
  const value: unknown = interruptOf(snapshot)?.value;
  return isWaiting(value) ? value : undefined;
}

/** The id of what waits, which a decision names. */
export function questionIn(snapshot: Pick<StateSnapshot, "tasks">): string | undefined {
  return interruptOf(snapshot)?.id;
}

function interruptOf({ tasks }: Pick<StateSnapshot, "tasks">) {
  return tasks.flatMap(({ interrupts }) => interrupts).find(({ value }) => isWaiting(value));
}

function isWaiting(value: unknown): value is Waiting {
  return isPlainObject(value) && KINDS.includes(value["kind"]);
}

/**
 * The decision on each waiting action; undefined when none was made.
 *
 * @throws InvalidSetting when nothing waits for a decision
 */
export function decisionsOn(
  waiting: Waiting | undefined,
  given: DecisionOptions,
): Decisions | undefined {
  const kind = (["approve", "reject", "edit"] as const).find((each) => given[each] !== undefined);
  if (!kind) return undefined;
  if (!waiting) {
    const problem = "nothing waits for an approval";
    const hint = "Resume the thread without it";
    throw new InvalidSetting({ setting: `--${kind}`, problem, hint });
  }
  if (kind === "edit") return edited(waiting, given.edit ?? "");
  const message = typeof given.reject === "string" ? given.reject : undefined;
  return waiting.actionRequests.map(() =>
    kind === "approve" ? { type: "approve" } : { type: "reject", message },
  );
}

/** Reads from the file what to do instead. */
function edited(waiting: Waiting, file: string): Decisions {
  if (waiting.kind === "edit") return [editedCode(waiting, file)];
  if (waiting.kind !== "writes") return editedArgs(waiting, file, readText(file, FORM));
  const text = readText(file, `${FORM}, or with a program`);
  try {
    JSON.parse(text);
  } catch {
    // Not JSON, so it is a program, which the run itself checks.
    return [{ type: "edit", editedAction: { name: "program", args: { code: text } } }];
  }
  return editedArgs(waiting, file, text);
}

const FORM = "Name a file with the arguments to call with";

/** The file holds the whole function, with its comment and its examples. */
function editedCode({ actionRequests }: Waiting, file: string): Decisions[number] {
  const [{ name, args } = { name: "", args: {} }] = actionRequests;
  if (args["code"] === undefined) {
    throw new InvalidSetting({
      setting: `--edit ${file}`,
      problem: `${String(args["tool"])} waits for its deletion, which has no code to edit`,
      hint: "Approve or reject it",
    });
  }
  const code = readText(file, "Name a file with the TypeScript function");
  return { type: "edit", editedAction: { name, args: { ...args, code } } };
}

/** The file holds the arguments of the only call, or a list with those of each; null for one that is not to be made. */
function editedArgs({ actionRequests }: Waiting, file: string, text: string): Decisions {
  const content = parsed(`--edit ${file}`, text, FORM);
  const list: unknown[] = Array.isArray(content) ? content : [content];
  if (list.length === actionRequests.length) {
    const decisions = actionRequests.flatMap(({ name }, at): Decisions => {
      const args = list[at];
      if (args === null) return [{ type: "reject" }];
      return isPlainObject(args) ? [{ type: "edit", editedAction: { name, args } }] : [];
    });
    if (decisions.length === list.length) return decisions;
  }
  const isOne = actionRequests.length === 1;
  throw new InvalidSetting({
    setting: `--edit ${file}`,
    problem: `does not hold the arguments of ${actionRequests.map(({ name }) => name).join(", ")}`,
    hint: isOne
      ? "Write one JSON object"
      : "Write a JSON array with an object for each, or null for one that is not to be made",
  });
}

/** The answers to a run's questions, as decisions that edit them; undefined when none was given. */
export function answersOn(waiting: Waiting, given: DecisionOptions): Decisions | undefined {
  const { actionRequests } = waiting;
  const { answer, edit, approve, reject } = given;
  if (waiting.kind === "connect" && (answer ?? edit) !== undefined) {
    // It would be stored with the thread.
    const problem = "a credential is not given as an answer";
    const hint = `Connect with: tulipgraph tools login ${waiting.connect?.[0]?.source}`;
    throw new InvalidSetting({ setting: "--answer", problem, hint });
  }
  const answered = (change: object[]): Decisions =>
    actionRequests.map(({ name, args }, at) => ({
      type: "edit",
      editedAction: { name, args: { ...args, ...change[at] } },
    }));
  if (reject) return answered(actionRequests.map(() => ({ action: "decline" })));
  if (approve) return answered([]);
  const text = edit === undefined ? answer : readText(edit, ANSWER_FORM);
  if (text === undefined) return undefined;
  const setting = edit === undefined ? "--answer" : "--edit";
  const content = parsed(setting, text, ANSWER_FORM);
  const contents: unknown[] = Array.isArray(content) ? content : [content];
  if (contents.length !== actionRequests.length || !contents.every(isPlainObject)) {
    const problem = `does not answer the ${several(actionRequests.length, "question")}`;
    throw new InvalidSetting({ setting, problem, hint: ANSWER_FORM });
  }
  // The run itself checks the fields, and asks again if they do not fit.
  return answered(contents.map((each) => ({ content: each })));
}

const ANSWER_FORM =
  "Write a JSON object with the fields that are asked for, or a list with one for each question";

/** @throws InvalidSetting for a text that is not JSON */
function parsed(setting: string, text: string, hint: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidSetting({ setting, problem: `is not JSON (${messageOf(error)})`, hint });
  }
}

function readText(file: string, hint: string): string {
  return readTextFile({ file, setting: `--edit ${file}`, hint });
}
