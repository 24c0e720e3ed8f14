import { OFFLINE_MODEL } from "../../state/context.js";
import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import type { RunRecord } from "../runs/runRecord.js";
import { SCORERS } from "../scorers/index.js";
import type { ToolShape } from "../scorers/scorer.js";
import { rowsOf } from "./aggregateRows.js";
import { comparedScores, pairedTests } from "./pairedTests.js";
import { countedRuns, type PlanOrder, type Series, seriesOf } from "./series.js";
import type { LibraryCost, StageShare, Summary } from "./summary.js";

/** An experiment as it lies in its folder. */
export interface SummaryInput {
  name: string;
  benchmark: Pick<Benchmark, "name" | "source" | "hash" | "argumentRule" | "world"> & {
    /** How many it has. */
    tools: number;
  };
  /** The tasks that were run, in the order of the benchmark. */
  tasks: readonly Task[];
  /** The benchmark's tools, where they are at hand: what calls name is looked up among them. */
  tools?: readonly ToolShape[];
  /** In any order, earlier attempts among them. */
  records: readonly RunRecord[];
  /** How many runs the experiment has in all. */
  planned: number;
  libraries: readonly LibraryCost[];
  facts: Summary["facts"];
  /** Graphs and variants in the order of the plan; as first seen in the records when absent. */
  order?: PlanOrder;
}

/**
 * Computes all figures of an experiment from its records. The same records give the same figures in
 * whatever order they come, if the order of the plan is given. Runs that broke off count: what they
 * did not answer is not right.
 */
export function summarizeRuns(input: SummaryInput): Summary {
  const { name, benchmark, tasks, records, planned, libraries, facts, order } = input;
  const runs = countedRuns({ records, tasks, tools: input.tools, benchmark, order });
  const series = seriesOf(runs);
  const levels = [...new Set(tasks.map(({ level }) => level))];
  const levelOf = new Map(tasks.map(({ id, level }) => [id, level]));
  const { source, hash, tools } = benchmark;
  return {
    name,
    benchmark: { name: benchmark.name, source, hash, tasks: tasks.length, tools },
    facts,
    offline: runs.some(({ record }) => isOffline(record)),
    missing: Math.max(0, planned - runs.length),
    levels,
    scorers: SCORERS.map(({ score: _score, ...scorer }) => scorer),
    rows: rowsOf({ series, levels, levelOf }),
    tests: pairedTests({ series, scores: comparedScores(runs) }),
    stages: stageShares(series),
    libraries: [...libraries],
    tasks: [...tasks],
    runs,
  };
}

function isOffline({ model, settings }: RunRecord): boolean {
  return model === OFFLINE_MODEL || settings["reasoningModel"] === OFFLINE_MODEL;
}

/** What the tokens of each series went into, as means per run; stages in the order of their visits. */
function stageShares(series: readonly Series[]): StageShare[] {
  return series.flatMap(({ graph, variant, runs }) => {
    const totals = new Map<
      string,
      Pick<StageShare, "modelCalls" | "inputTokens" | "outputTokens">
    >();
    for (const { stage, ...visit } of runs.flatMap(({ record }) => record.stages)) {
      const known = totals.get(stage);
      totals.set(stage, {
        modelCalls: (known?.modelCalls ?? 0) + visit.modelCalls,
        inputTokens: (known?.inputTokens ?? 0) + visit.inputTokens,
        outputTokens: (known?.outputTokens ?? 0) + visit.outputTokens,
      });
    }
    return [...totals].map(([stage, total]) => ({
      graph,
      variant,
      stage,
      modelCalls: total.modelCalls / runs.length,
      inputTokens: total.inputTokens / runs.length,
      outputTokens: total.outputTokens / runs.length,
    }));
  });
}
