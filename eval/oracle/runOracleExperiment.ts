import { join } from "node:path";
import { openWorkspace } from "../../workspace/workspace.js";
import type { BatchEnd, Progress } from "../runs/batch.js";
import { homeIn } from "../runs/experimentFolder.js";
import { runExperiment } from "../runs/runExperiment.js";
import { worldsOf } from "../runs/beginWorld.js";
import type { OracleExperiment } from "./oracleExperiments.js";
import { slowRuntime } from "./slowTools.js";

/** Runs at the same time: more would be measured waiting for each other. */
const CONCURRENCY = 2;

/** Makes all runs of an experiment that its folder has no results of. */
export async function runOracleExperiment(options: {
  experiment: OracleExperiment;
  /** Of the comparison. */
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
    // The index of a large library takes memory that the next experiment needs.
    await openWorkspace({ home }).close();
  }
}

/** Whoever opens a home first decides what its runs work with. */
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
