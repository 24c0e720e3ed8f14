import type { BatchEnd } from "../../eval/runs/batch.js";

/** How a batch has ended, and what to do next. */
export function endText({ end, folder }: { end: BatchEnd; folder: string }): string {
  const goOn = "the same command goes on where it stopped";
  if (end.kind === "done") return `Pictures and every run: tulipgraph eval report ${folder}`;
  if (end.kind === "cancelled") return `cancelled; ${goOn}`;
  if (end.kind === "spent") {
    return `stopped by --max-usd: $${end.usd.toFixed(4)} are spent; ${goOn}, with a higher limit`;
  }
  return `stopped, since one run after another breaks off: ${end.reason}. Mend it, and ${goOn}`;
}
