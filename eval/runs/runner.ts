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
  /** The settings that held, where a server decides about them. */
  settings?: Record<string, unknown>;
  /** The change made to the request's world, in the world's own form. */
  change?: Record<string, unknown>;
}

/** Executes runs. */
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
