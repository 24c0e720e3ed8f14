import { join } from "node:path";
import { openWorkspace } from "../../workspace/workspace.js";
import type { BatchEnd, Progress } from "../runs/batch.js";
import { homeIn } from "../runs/experimentFolder.js";
import { runExperiment } from "../runs/runExperiment.js";
import { worldsOf } from "../runs/worldsOf.js";
import type { OracleExperiment } from "./oracleExperiments.js";
import { slowRuntime } from "./slowTools.js";

/** Runs at the same time; with more, the time that they wait for each other would be measured. */
const CONCURRENCY = 2;

/** Makes all runs of an experiment whose results are not in its folder yet. */
export async function runOracleExperiment(options: {
  experiment: OracleExperiment;
  /** Folder of the comparison. */
  folder: string;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  announce: <Result>(label: string, work: () => Promise<Result>) => Promise<Result>;
}): Promise<BatchEnd> {
  const { experiment, folder, ...how } = options;
  const { prepared, name } = experiment;
  const place = join(folder, name);
  const home = homeIn(place);
  try {
    await slowDown({ experiment, home });
    return await runExperiment({ prepared, folder: place, home, concurrency: CONCURRENCY, ...how });
  } finally {
    // Frees the memory of a large index for the next experiment.
    await openWorkspace({ home }).close();
  }
}

/** The first to open a workspace decides what its runs use. */
async function slowDown(options: { experiment: OracleExperiment; home: string }): Promise<void> {
  const { experiment, home } = options;
  const { prepared, toolDelayMs } = experiment;
  if (toolDelayMs === 0) return;
  openWorkspace({
    home,
    worlds: await worldsOf(prepared.benchmark),
    through: (runtime) => slowRuntime({ runtime, ms: toolDelayMs }),
  });
}
