import { readFileSync } from "node:fs";
import type { StateSnapshot } from "@langchain/langgraph";
import { InvalidSetting } from "../errors.js";
import type { ApprovalRequest, Decision } from "../nodes/approval.js";

/** How a person decides, as options of `resume`. */
export interface DecisionOptions {
  approve?: boolean;
  /** True, or the reason. */
  reject?: boolean | string;
  /** A JSON file with the arguments to call with. */
  edit?: string;
}

/** A call that waits for a person. */
type WaitingCall = ApprovalRequest["calls"][number];

/** The calls of a thread that wait for a person; empty when it waits for nobody. */
export function waitingCalls({ tasks }: Pick<StateSnapshot, "tasks">): WaitingCall[] {
  return tasks
    .flatMap(({ interrupts }) => interrupts)
    .flatMap(({ value }) => (isApproval(value) ? value.calls : []));
}

function isApproval(value: unknown): value is ApprovalRequest {
  return (
    typeof value === "object" && value !== null && "kind" in value && value.kind === "approval"
  );
}

/**
 * The decision on each waiting call; undefined when none was made.
 *
 * @throws InvalidSetting for options that contradict each other, or decide on nothing
 */
export function decisionsOn(options: {
  calls: readonly WaitingCall[];
  given: DecisionOptions;
}): Decision[] | undefined {
  const { calls, given } = options;
  const made = (["approve", "reject", "edit"] as const).filter(
    (kind) => given[kind] !== undefined && given[kind] !== false,
  );
  const [kind, another] = made;
  if (!kind) return undefined;
  if (another || calls.length === 0) {
    throw new InvalidSetting({
      setting: `--${kind}`,
      problem: another ? `is given together with --${another}` : "no call waits for an approval",
      hint: another ? "Give one of them" : "Resume the thread without it",
    });
  }
  if (kind === "approve") return calls.map(() => ({ type: "approve" }));
  if (kind === "edit") return editedArgs({ calls, file: given.edit ?? "" });
  const message = typeof given.reject === "string" ? given.reject : undefined;
  return calls.map(() => ({ type: "reject", message }));
}

/** The file holds the arguments of the one call, or a list with those of each. */
function editedArgs(options: { calls: readonly WaitingCall[]; file: string }): Decision[] {
  const { calls, file } = options;
  const content = readJson(file);
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

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new InvalidSetting({
      setting: `--edit ${file}`,
      problem: `cannot be read as JSON (${error instanceof Error ? error.message : String(error)})`,
      hint: "Name a file with the arguments to call with",
    });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
