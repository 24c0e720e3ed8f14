import type { BatchEnd } from "../../eval/runs/batch.js";
import type { ExperimentRun } from "../../eval/runs/runExperiment.js";
import { whileWorking } from "../printing/whileWorking.js";
import { reportProgress } from "./reportProgress.js";

/** What cancels an experiment, and what it reports its progress to. */
export type Watching = Pick<ExperimentRun, "signal" | "onProgress" | "announce">;

/** Makes the runs of an experiment and shows its progress. */
export async function watched(
  signal: AbortSignal,
  make: (watching: Watching) => Promise<BatchEnd>,
): Promise<BatchEnd> {
  const progress = reportProgress();
  const watching = { signal, onProgress: progress.update, announce: whileWorking };
  return await make(watching).finally(progress.stop);
}

/** What to do after an early end. */
export const GO_ON = "the same command continues where it stopped";

/** How a batch ended, and what to do next. */
export function endText({ end, folder }: { end: BatchEnd; folder: string }): string {
  if (end.kind === "done") return `Pictures and every run: tulipgraph eval report ${folder}`;
  if (end.kind === "cancelled") return `cancelled; ${GO_ON}`;
  if (end.kind === "spent") {
    return `stopped by --max-usd: $${end.usd.toFixed(4)} spent; with a higher limit, ${GO_ON}`;
  }
  return `stopped because one run after another failed: ${end.reason}. Fix it, and ${GO_ON}`;
}
