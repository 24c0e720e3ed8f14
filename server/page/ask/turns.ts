import type { ShownRun } from "../routes/watchedRun.js";

/** A request with the runs that worked on it: the one that began it, and those that went on after a decision. */
export interface ShownTurn {
  request: string;
  runs: ShownRun[];
}

/** The turns of a thread. @param runs oldest first */
export function turnsOf(runs: readonly ShownRun[]): ShownTurn[] {
  const turns: ShownTurn[] = [];
  for (const run of runs) {
    const open = turns.at(-1);
    if (run.goesOn && open) open.runs.push(run);
    else turns.push({ request: run.request, runs: [run] });
  }
  return turns;
}
