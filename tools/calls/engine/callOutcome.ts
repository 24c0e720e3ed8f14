import { shortened } from "../../../common/text.js";
import { type InputRequest, MAY_HAVE_HAPPENED } from "../../remote.js";

type CallStatus =
  | "done"
  | "error"
  /** It ran out of time, or out of time to start. */
  | "timeout"
  /** Its arguments are invalid; it was not executed and costs nothing. */
  | "invalid"
  /** A write that was interrupted earlier: it may have happened and is not repeated. */
  | "unknown"
  /** The run was cancelled or out of time before the call ended. */
  | "cancelled"
  /** The other side asks a person something first; the same call, made with the answers, continues. */
  | "input";

export interface CallOutcome {
  id: string;
  tool: string;
  args: Record<string, unknown>;
  status: CallStatus;
  /** The result as JSON data; absent if there is none or `resultRef` stands for it. */
  result?: unknown;
  /** Set if the result is too long to pass on; `journal.result(resultRef)` gives all of it. */
  resultRef?: string;
  resultText: string;
  error?: string;
  /** What a person is asked, if the status is "input". */
  input?: InputRequest[];
  ms: number;
  /** Cost in units of the budget, including the calls it made. */
  cost: number;
  /** Answered from the journal: the tool was not run again. */
  replayed: boolean;
}

/** The outcome of a call, with its result as journaled. */
export interface Settlement extends Pick<
  CallOutcome,
  "status" | "error" | "input" | "ms" | "cost" | "replayed"
> {
  resultJson?: string;
  /** Reference to the call's journal entry; absent if it has none. */
  ref?: string;
}

/** How the error of a write begins that may have happened, because its process ended or still works on it. */
export const OUTCOME_UNKNOWN = "outcome unknown";

/** The result of a call of a tool without a function. */
export const RECORDED =
  "The call was recorded. This tool is only described here and has no implementation, so it gives no result.";

/** Whether the error of a call says that nobody knows whether it happened. */
export function isOutcomeUnknown(error: string): boolean {
  return error.includes(OUTCOME_UNKNOWN) || error.includes(MAY_HAVE_HAPPENED);
}

/** Builds an outcome; a result longer than `maxResultChars` is cut and referred to. */
export function outcomeOf(
  call: Pick<CallOutcome, "id" | "tool" | "args">,
  { resultJson, ref, ...rest }: Settlement,
  maxResultChars: number,
): CallOutcome {
  const outcome = { ...call, ...rest };
  if (rest.status !== "done")
    return { ...outcome, resultText: shortened(failureText(rest), maxResultChars) };
  if (resultJson === undefined) return { ...outcome, resultText: "done, without a result" };
  const result: unknown = JSON.parse(resultJson);
  // Texts are shown as they are, everything else as JSON; numbers and booleans look the same in both.
  const text = typeof result === "string" ? result : resultJson;
  return text.length > maxResultChars
    ? { ...outcome, resultRef: ref, resultText: shortened(text, maxResultChars) }
    : { ...outcome, result, resultText: text };
}

export function failureText({ status, error }: Pick<Settlement, "status" | "error">): string {
  const text = error ?? status;
  return status === "invalid" ? `invalid arguments, the call was not executed: ${text}` : text;
}
