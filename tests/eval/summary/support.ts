import type { Task } from "../../../eval/benchmarks/benchmark.js";
import type { Results } from "../../../eval/runs/experimentFolder.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { type Summary, summarizeRuns } from "../../../eval/summary/summarizeRuns.js";
import { NOTHING_USED } from "../../../state/state.js";
import { experimentWith } from "../runs/support.js";
import { runOf, taskOf } from "../scorers/support.js";

/** Tasks t1, t2, … whose answer is 5; every second one is hard. */
export function tasksOf(count: number): Task[] {
  return Array.from({ length: count }, (_, index) =>
    taskOf({ id: `t${index + 1}`, answers: [5], level: index % 2 === 0 ? "easy" : "hard" }),
  );
}

/** A right or wrong run with this number of tokens. */
export function judgedRun(
  parts: Partial<RunRecord> & { task: string; right: boolean; tokens?: number },
): RunRecord {
  const { right, tokens = 100, ...record } = parts;
  return runOf({
    answer: right ? "5" : "6",
    usage: { ...NOTHING_USED, inputTokens: tokens },
    ...record,
  });
}

/** The summary of an experiment with exactly these runs. */
export function summaryOf(
  parts: Partial<Results> & Pick<Results, "records"> & { graphs?: string[] },
): Summary {
  const { records, graphs = [...new Set(records.map(({ graph }) => graph))] } = parts;
  const variants = [...new Set(records.map(({ variant }) => variant))];
  const experiment = experimentWith({
    graphs,
    variants: variants.map((name) => ({ name, settings: {} })),
  });
  return summarizeRuns({ experiment, tasks: tasksOf(2), libraries: [], ...parts });
}
