import { shortened } from "../../common/bounds.js";

/** How a call came out. */
export type CallStatus =
  /** It ran and gave its result. */
  | "done"
  /** It ran and failed. */
  | "error"
  /** Its time was over before it ended, or before it could start. */
  | "timeout"
  /** Its arguments did not fit; it was not executed and costs nothing. */
  | "invalid"
  /** A write that was interrupted earlier: it may or may not have happened, and is not repeated. */
  | "unknown"
  /** The run was cancelled, or its time was over, before the call had ended. */
  | "cancelled";

/** What became of one call. */
export interface CallOutcome {
  /** Id of the call. */
  id: string;
  /** Id of the tool. */
  tool: string;
  /** As they came. */
  args: Record<string, unknown>;
  status: CallStatus;
  /** The result as JSON data; left out when there is none or when `resultRef` stands for it. */
  result?: unknown;
  /** Given when the result is too long to be handed on: `journal.result(resultRef)` has it whole. */
  resultRef?: string;
  /** What the model is told. */
  resultText: string;
  /** Why there is no result, in one line. */
  error?: string;
  /** How long the call has run, in milliseconds. */
  ms: number;
  /** Units of the budget that it has cost, with what the calls that it made have cost. */
  cost: number;
  /** Answered from the journal: the tool was not run again. */
  replayed: boolean;
}

/** What became of a call, with its result as it is journaled. */
export interface Settlement extends Pick<
  CallOutcome,
  "status" | "error" | "ms" | "cost" | "replayed"
> {
  /** JSON text of the result. */
  resultJson?: string;
  /** Names the call's entry in the journal; left out when it has none. */
  ref?: string;
}

/** What a model is told of a call that has ended without giving anything back. */
const NO_RESULT = "done, without a result";

/** Puts an outcome together; a result longer than `maxResultChars` is cut and referred to. */
export function outcomeOf({
  call: { id, tool, args },
  settlement: { resultJson, ref, ...rest },
  maxResultChars,
}: {
  call: Pick<CallOutcome, "id" | "tool" | "args">;
  settlement: Settlement;
  maxResultChars: number;
}): CallOutcome {
  const outcome = { id, tool, args, ...rest };
  if (rest.status !== "done") {
    return { ...outcome, resultText: shortened(failureText(rest), maxResultChars) };
  }
  if (resultJson === undefined) return { ...outcome, resultText: NO_RESULT };
  const result: unknown = JSON.parse(resultJson);
  // A text is told as it is, everything else as JSON; numbers and booleans look the same in both.
  const text = typeof result === "string" ? result : resultJson;
  return text.length > maxResultChars
    ? { ...outcome, resultRef: ref, resultText: shortened(text, maxResultChars) }
    : { ...outcome, result, resultText: text };
}

/** What the model is told of a call without a result. */
export function failureText({ status, error }: Pick<Settlement, "status" | "error">): string {
  const text = error ?? status;
  return status === "invalid" ? `invalid arguments, the call was not executed: ${text}` : text;
}
