import type { Usage } from "../../../state/state.js";
import type { Checkpointing } from "../experiment.js";
import type { SentEnd, SentRequest } from "../sentRun.js";

/** What a job has to know when it starts; the runs of one experiment share a home. */
export interface JobSetup {
  home: string;
  /** Name or folder of the benchmark, which may have a world; absent for the user's own tools. */
  benchmark?: string;
  checkpoints?: Checkpointing;
}

/** To a job: a run to make, and a number that its answers carry. */
export interface JobOrder {
  number: number;
  request: SentRequest;
}

/** From a job: what a run has used so far, or its end. */
export type JobAnswer = { number: number } & ({ kind: "usage"; usage: Usage } | SentEnd);
