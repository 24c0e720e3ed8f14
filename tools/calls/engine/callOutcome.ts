import { shortened } from "../../../common/text.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { ToolRecord } from "../../tool.js";

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

/** How the error of a write ends that was given up while it was under way. */
export const MAY_HAVE_HAPPENED = "may or may not have taken effect";

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
  if (rest.status !== "done") {
    return { ...outcome, resultText: shortened(failureText(rest), maxResultChars) };
  }
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

/** A question that the other side of a call asks a person before it continues. */
export interface InputRequest {
  /** Identifies the question; the answer repeats it. */
  id: string;
  source: string;
  tool: string;
  callId: string;
  message: string;
  /** Asks whether an interrupted write was made, which the other side cannot say. */
  isOutcome?: boolean;
  /** The calls of a saved plan that the person is asked to approve. */
  calls?: CallsToApprove;
  /** The form of the answer: an object of plain values. */
  schema?: JsonSchema;
  /** A page where the person is to do something, instead of giving an answer. */
  url?: string;
  /** The source takes the person's own credentials, and has none that work. Never answered with a secret. */
  connect?: WantedConnection;
}

/** What a saved plan is about to do. */
export interface CallsToApprove {
  code: string;
  /** In the order in which they are made. */
  planned: { tool: ToolRecord; args: Record<string, unknown> }[];
  /** Nothing else will be asked about. */
  complete: boolean;
}

/** How the person behind a call connects to a source. */
export interface WantedConnection {
  /**
   * `key`: with values for the fields · `login`: with OAuth · `token`: by going on with a valid token · `owner`: only the
   * owner of the thread can go on.
   */
  way: "key" | "login" | "token" | "owner";
  fields: string[];
  /** Where a server takes it: POST. */
  path: string;
}

/** Whether whoever is asked can make the connection, here and now. */
export function isConnectable({ way }: Pick<WantedConnection, "way">): boolean {
  return way === "key" || way === "login";
}

/** A person's answer to an {@link InputRequest}. */
export interface InputAnswer {
  id: string;
  /** `cancel`: the person has not decided. */
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
}
