import { messageOf } from "../../common/errors.js";
import type { GraphState, Usage } from "../../state/state.js";
import type { Recording } from "../replay/recording.js";
import type { StageVisit } from "./runRecord.js";

/** One attempt at one run, as its executor sees it. */
export interface RunRequest {
  graph: string;
  /** Names the attempt; the same key resumes it. */
  threadKey: string;
  request: string;
  settings: Record<string, unknown>;
  /** The world whose change is compared, and the task that the run starts from. */
  world?: { name: string; task: string };
  /** The run that is made again: what came before it, and what a person decided. */
  recording?: Recording;
  signal: AbortSignal;
  /** Told what the run has used so far, after every stage. */
  onUsage?: (usage: Usage) => void;
}

/** The outcome of an attempt. */
export interface RunState {
  values: Partial<GraphState>;
  stages: StageVisit[];
  /** It was resumed from a checkpoint. */
  resumed: boolean;
  threadId: string;
  /** The run pauses for a person's approval. */
  waiting?: boolean;
  /** What broke the run off; `values` are those after the last finished stage. */
  failure?: unknown;
  /** The change made to the request's world, in the world's own form. */
  change?: Record<string, unknown>;
  /** ISO 8601, if it was made at another time than it was requested. */
  period?: { startedAt: string; endedAt: string };
}

/** Executes runs: in this process, in others, or on a server. */
export interface Runner {
  /**
   * Starts an attempt, resumes an interrupted one, or returns the outcome of a finished one.
   *
   * @throws AttemptLost if it was interrupted where it cannot be resumed
   * @throws the reason of the signal when that is aborted
   */
  run(request: RunRequest): Promise<RunState>;
}

/** An attempt that was interrupted and cannot be resumed with certainty: a new one has to be made. */
export class AttemptLost extends Error {
  constructor(
    readonly reason: string,
    readonly threadId: string,
  ) {
    super(reason);
  }
}

/** A run as sent to another process, on this machine or another one. */
export type SentRequest = Omit<RunRequest, "signal" | "onUsage">;

/** What another process reports at the end of a run, as JSON. */
export type SentEnd =
  | { kind: "ended"; state: Omit<RunState, "failure">; failure?: string }
  | { kind: "lost"; reason: string; threadId: string }
  | { kind: "broken"; reason: string };

/** Makes a run and describes how it ended, errors included, without the conversation, which records do not contain. */
export async function endOf(run: () => Promise<RunState>): Promise<SentEnd> {
  try {
    const { values, failure, ...state } = await run();
    const { messages: _messages, tree: _tree, ...kept } = values;
    const told = failure === undefined ? {} : { failure: messageOf(failure) };
    return { kind: "ended", state: { ...state, values: kept }, ...told };
  } catch (error) {
    if (error instanceof AttemptLost) {
      const { reason, threadId } = error;
      return { kind: "lost", reason, threadId };
    }
    return { kind: "broken", reason: messageOf(error) };
  }
}

/**
 * What the runner of the other process returned.
 *
 * @throws AttemptLost, or whatever else was thrown there
 */
export function receivedEnd(end: SentEnd): RunState {
  if (end.kind === "lost") throw new AttemptLost(end.reason, end.threadId);
  if (end.kind === "broken") throw new Error(end.reason);
  const { state, failure } = end;
  return failure === undefined ? state : { ...state, failure: new Error(failure) };
}
