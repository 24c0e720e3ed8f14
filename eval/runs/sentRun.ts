import { ModelFailed } from "../../common/errors.js";
import type { GraphState } from "../../state/state.js";
import { AttemptLost, type RunRequest, type RunState } from "./runner.js";

/** A run as it is handed to another process, of this machine or of another one. */
export type SentRequest = Omit<RunRequest, "signal" | "onUsage">;

/** What another process says of a run at its end, as JSON. */
export type SentEnd =
  | { kind: "ended"; state: SentState }
  | { kind: "lost"; reason: string; threadId: string }
  | { kind: "broken"; reason: string };

/** The end of a run as JSON: without the conversation, which no record has. */
type SentState = Omit<RunState, "values" | "failure"> & {
  values: Partial<GraphState>;
  failure?: SentFailure;
};

type SentFailure = { message: string; model?: ModelFailed["details"] };

/** The request without what belongs to the process that has it made. */
export function sentRequest({
  signal: _signal,
  onUsage: _onUsage,
  ...sent
}: RunRequest): SentRequest {
  return sent;
}

/** Makes a run; whatever becomes of it is its end. */
export async function endOf(run: () => Promise<RunState>): Promise<SentEnd> {
  try {
    return { kind: "ended", state: sentState(await run()) };
  } catch (error) {
    if (error instanceof AttemptLost) {
      const { reason, threadId } = error;
      return { kind: "lost", reason, threadId };
    }
    return { kind: "broken", reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * What the runner of the other process would have given.
 *
 * @throws AttemptLost, and whatever else broke the run off there
 */
export function receivedEnd(end: SentEnd): RunState {
  if (end.kind === "lost") throw new AttemptLost(end.reason, end.threadId);
  if (end.kind === "broken") throw new Error(end.reason);
  const { failure, ...state } = end.state;
  if (failure === undefined) return state;
  const { message, model } = failure;
  return { ...state, failure: model ? new ModelFailed(model) : new Error(message) };
}

function sentState({ values, failure, ...state }: RunState): SentState {
  const { messages: _messages, tree: _tree, ...kept } = values;
  return {
    ...state,
    values: kept,
    ...(failure === undefined ? {} : { failure: sentFailure(failure) }),
  };
}

function sentFailure(failure: unknown): SentFailure {
  const message = failure instanceof Error ? failure.message : String(failure);
  return { message, ...(failure instanceof ModelFailed ? { model: failure.details } : {}) };
}
