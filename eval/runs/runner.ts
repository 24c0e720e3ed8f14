import type { GraphState, Usage } from "../../state/state.js";
import type { StageVisit } from "./runRecord.js";

/** One attempt at one run, as whoever executes it has to know it. */
export interface RunRequest {
  graph: string;
  /** Names the attempt; the same key continues what was begun under it. */
  threadKey: string;
  request: string;
  settings: Record<string, unknown>;
  /** The world whose change is compared, and where the run begins in it if it has several starts. */
  world?: { name: string; start?: string };
  signal: AbortSignal;
  /** Told what the run has used so far, after every stage. */
  onUsage?: (usage: Usage) => void;
}

/** What became of an attempt. */
export interface RunState {
  values: Partial<GraphState>;
  stages: StageVisit[];
  /** It was continued from a checkpoint. */
  resumed: boolean;
  threadId: string;
  /** The run pauses for a person's approval. */
  waiting?: boolean;
  /** What broke the run off; `values` are those of the last stage before. */
  failure?: unknown;
  /** The change made to the request's world, in the world's own form. */
  change?: Record<string, unknown>;
  /** ISO 8601, where it was made at another time than it was asked for. */
  period?: { startedAt: string; endedAt: string };
}

/** Executes runs: in this process, or on a server. */
export interface Runner {
  /**
   * Starts an attempt, continues one that was broken off, or gives the end of one that has ended.
   *
   * @throws AttemptLost when it was broken off where it cannot be continued
   * @throws the reason of the signal when that is aborted
   */
  run(request: RunRequest): Promise<RunState>;
}

/** An attempt that was broken off and cannot go on with certainty: it has to be made anew. */
export class AttemptLost extends Error {
  constructor(
    readonly reason: string,
    readonly threadId: string,
  ) {
    super(reason);
  }
}
