import { readFileSync } from "node:fs";
import type { StateSnapshot } from "@langchain/langgraph";
import { InvalidSetting, messageOf } from "../../common/errors.js";
import type { ApprovalRequest, Decision } from "../../nodes/acting/approval.js";
import type { InputRequest } from "../../nodes/acting/askInput.js";
import type { EditApprovalRequest, EditDecision } from "../../nodes/editing/editApproval.js";
import type { WritesApprovalRequest, WritesDecision } from "../../nodes/programs/writesApproval.js";

/** Options of `resume` by which a person decides. */
export interface DecisionOptions {
  approve?: boolean;
  /** True, or the reason. */
  reject?: boolean | string;
  /**
   * A JSON file with the arguments to call with or the writes to keep, or a file with the code of the tool or the
   * program.
   */
  edit?: string;
}

/** What waits for a person's decision: calls, one change of the tool library, or the writes of a program. */
export type WaitingDecision = ApprovalRequest | EditApprovalRequest | WritesApprovalRequest;

/** What waits for a person: a decision, or answers to questions that a tool's server asks. */
export type Waiting = WaitingDecision | InputRequest;

const KINDS: readonly unknown[] = [
  "approval",
  "edit",
  "writes",
  "input",
] satisfies Waiting["kind"][];

/** A person's decisions, in the form in which they resume the run. */
export type Decisions = Decision[] | [EditDecision] | [WritesDecision];

/** What in a thread waits for a person; undefined when nothing does. */
export function waitingFor({ tasks }: Pick<StateSnapshot, "tasks">): Waiting | undefined {
  const values = tasks.flatMap(({ interrupts }) => interrupts).map(({ value }): unknown => value);
  return values.find(isWaiting);
}

function isWaiting(value: unknown): value is Waiting {
  return (
    typeof value === "object" && value !== null && "kind" in value && KINDS.includes(value.kind)
  );
}

/**
 * The decision on each waiting call, or on the waiting change or program; undefined when none was made.
 *
 * @throws InvalidSetting for options that contradict each other, or when nothing waits for a decision
 */
export function decisionsOn(options: {
  waiting: WaitingDecision | undefined;
  given: DecisionOptions;
}): Decisions | undefined {
  const { waiting, given } = options;
  const made = (["approve", "reject", "edit"] as const).filter(
    (kind) => given[kind] !== undefined && given[kind] !== false,
  );
  const [kind, another] = made;
  if (!kind) return undefined;
  if (another || !waiting) {
    throw new InvalidSetting({
      setting: `--${kind}`,
      problem: another ? `is given together with --${another}` : "nothing waits for an approval",
      hint: another ? "Give one of them" : "Resume the thread without it",
    });
  }
  if (kind === "edit") return edited(waiting, given.edit ?? "");
  const message = typeof given.reject === "string" ? given.reject : undefined;
  const decision: Decision = kind === "approve" ? { type: "approve" } : { type: "reject", message };
  return waiting.kind === "approval" ? waiting.calls.map(() => decision) : [decision];
}

/** Reads from the file what to do instead. */
function edited(waiting: WaitingDecision, file: string): Decisions {
  if (waiting.kind === "edit") return [{ type: "edit", code: readCode(waiting, file) }];
  if (waiting.kind === "writes") return [editedWrites(file)];
  return editedArgs({ calls: waiting.calls, file });
}

/** The file holds the whole function, with its comment and its examples. */
function readCode({ change, tool }: EditApprovalRequest, file: string): string {
  const problem =
    change === "delete" ? `${tool} waits for its deletion, which has no code to edit` : undefined;
  if (!problem) return readText(file, "Name a file with the TypeScript function");
  throw new InvalidSetting({ setting: `--edit ${file}`, problem, hint: "Approve or reject it" });
}

/** The file holds the writes to keep, as a JSON list, or the code of a whole program. */
function editedWrites(file: string): WritesDecision {
  const text = readText(file, "Name a file with the writes that are left, or with a program");
  try {
    return { type: "edit", writes: JSON.parse(text) as unknown };
  } catch {
    // Not JSON, so it is a program, which the run itself checks.
    return { type: "edit", program: text };
  }
}

/** The file holds the arguments of the only call, or a list with those of each call. */
function editedArgs(options: Pick<ApprovalRequest, "calls"> & { file: string }): Decision[] {
  const { calls, file } = options;
  const content = readJson(file, "Name a file with the arguments to call with");
  const list: unknown[] = Array.isArray(content) ? content : [content];
  if (list.length === calls.length && list.every(isRecord)) {
    return list.map((args) => ({ type: "edit", args }));
  }
  const tools = calls.map(({ tool }) => tool).join(", ");
  throw new InvalidSetting({
    setting: `--edit ${file}`,
    problem: `does not hold the arguments of ${tools}`,
    hint:
      calls.length === 1 ? "Write one JSON object" : "Write a JSON array with an object for each",
  });
}

/** @throws InvalidSetting for a file that cannot be read */
export function readJson(file: string, hint: string): unknown {
  const text = readText(file, hint);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable({ file, hint, what: "as JSON", error });
  }
}

function readText(file: string, hint: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unreadable({ file, hint, what: "", error });
  }
}

function unreadable(options: { file: string; hint: string; what: string; error: unknown }) {
  const { file, hint, what, error } = options;
  const why = messageOf(error);
  const problem = `${["cannot be read", what].filter(Boolean).join(" ")} (${why})`;
  return new InvalidSetting({ setting: `--edit ${file}`, problem, hint });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
