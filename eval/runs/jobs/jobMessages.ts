import { ModelFailed } from "../../../common/errors.js";
import type { GraphState, Usage } from "../../../state/state.js";
import type { Checkpointing } from "../experiment.js";
import type { RunRequest, RunState } from "../runner.js";

/** What a job has to know at its start; the runs of one experiment share a home. */
export interface JobSetup {
  home: string;
  /** Name or folder of the benchmark, which may have a world; absent for one's own tools, which have none. */
  benchmark?: string;
  checkpoints?: Checkpointing;
}

/** A run as it is handed to a job. */
type SentRequest = Omit<RunRequest, "signal" | "onUsage">;

/** To a job: a run to make, under a number that its answers carry. */
export interface JobOrder {
  number: number;
  request: SentRequest;
}

/** From a job: what a run has used so far, its end, or that its attempt is lost. */
export type JobAnswer = { number: number } & (
  | { kind: "usage"; usage: Usage }
  | { kind: "ended"; state: SentState }
  | { kind: "lost"; reason: string; threadId: string }
  | { kind: "broken"; reason: string }
);

/** The end of a run as JSON: without the conversation, which no record has. */
type SentState = Omit<RunState, "values" | "failure"> & {
  values: Partial<GraphState>;
  failure?: SentFailure;
};

type SentFailure = { message: string; model?: ModelFailed["details"] };

/** A run's end as it goes through a channel between processes. */
export function sentState({ values, failure, ...state }: RunState): SentState {
  const { messages: _messages, tree: _tree, ...kept } = values;
  return {
    ...state,
    values: kept,
    ...(failure === undefined ? {} : { failure: sentFailure(failure) }),
  };
}

/** A run's end as its runner would have given it. */
export function receivedState({ failure, ...state }: SentState): RunState {
  if (failure === undefined) return state;
  const { message, model } = failure;
  return { ...state, failure: model ? new ModelFailed(model) : new Error(message) };
}

function sentFailure(failure: unknown): SentFailure {
  const message = failure instanceof Error ? failure.message : String(failure);
  return { message, ...(failure instanceof ModelFailed ? { model: failure.details } : {}) };
}
