import { latestAttempts, type RunRecord } from "../runs/runRecord.js";
import { mean } from "../statistics/descriptive.js";
import { DELAYS, LONG_PLAN, type OracleExperiment } from "./oracleExperiments.js";
import { type Failure, failureOf } from "./runFailure.js";

/** How a graph did on some tasks: means over runs, NaN if there are none. */
export interface GraphFigures {
  graph: string;
  runs: number;
  /** Share of successes. */
  success: number;
  modelCalls: number;
  inputTokens: number;
  /** Over successes only: a run that gives up early is cheap. */
  inputTokensOfSuccesses: number;
  outputTokens: number;
  /** Milliseconds. */
  wallMs: number;
  /** Relative to {@link BASELINE}, over the tasks on which both succeeded; NaN if there are none. */
  ofBaseline: { tasks: number; inputTokens: number; wallMs: number };
}

/** The graph with which the others are compared. */
export const BASELINE = "cot_tulip";

/** All graphs on the tasks of one experiment. */
export interface ExperimentFigures {
  part: OracleExperiment["part"];
  benchmark: string;
  /** Tools of the library. */
  tools: number;
  graphs: GraphFigures[];
  /** On tasks with gold plans of {@link LONG_PLAN} steps or more. */
  long: GraphFigures[];
  /** Runs that failed, by graph and reason. */
  failures: { graph: string; failure: Failure; tasks: string[] }[];
}

/** All that the comparison shows. */
export interface OracleFigures {
  /** Fewest steps of a long plan. */
  longPlan: number;
  /** Milliseconds for the measurement of wall time. */
  delays: typeof DELAYS;
  experiments: ExperimentFigures[];
}

/** Computes the figures from the latest attempt of each run. */
export function oracleFigures(
  made: readonly { experiment: OracleExperiment; records: readonly RunRecord[] }[],
): OracleFigures {
  return { longPlan: LONG_PLAN, delays: DELAYS, experiments: made.map(experimentFigures) };
}

function experimentFigures(options: {
  experiment: OracleExperiment;
  records: readonly RunRecord[];
}): ExperimentFigures {
  const { part, benchmark, tools } = options.experiment;
  const judged = judgedRuns(options);
  const graphs = options.experiment.prepared.definition.graphs;
  const over = (runs: readonly JudgedRun[]) => graphs.map((graph) => graphFigures(graph, runs));
  return {
    part,
    benchmark,
    tools,
    graphs: over(judged),
    long: over(judged.filter(({ steps }) => steps >= LONG_PLAN)),
    failures: failuresIn(graphs, judged),
  };
}

interface JudgedRun {
  run: RunRecord;
  steps: number;
  failure: Failure | undefined;
}

function judgedRuns(options: {
  experiment: OracleExperiment;
  records: readonly RunRecord[];
}): JudgedRun[] {
  const { experiment, records } = options;
  const goldOf = new Map(experiment.gold.map((gold) => [gold.task.id, gold]));
  return latestAttempts(records).flatMap((run) => {
    const gold = goldOf.get(run.task);
    if (!gold) return [];
    const failure = failureOf({ gold, run, benchmark: experiment.prepared.benchmark });
    return [{ run, failure, steps: gold.plan.steps.length }];
  });
}

function graphFigures(graph: string, all: readonly JudgedRun[]): GraphFigures {
  const judged = all.filter(({ run }) => run.graph === graph);
  const over = (figure: (judged: JudgedRun) => number) => mean(judged.map(figure));
  return {
    graph,
    runs: judged.length,
    success: over(({ failure }) => Number(failure === undefined)),
    modelCalls: over(({ run }) => run.usage.modelCalls),
    inputTokens: over(({ run }) => run.usage.inputTokens),
    inputTokensOfSuccesses: mean(
      judged.flatMap(({ run, failure }) => (failure ? [] : [run.usage.inputTokens])),
    ),
    outputTokens: over(({ run }) => run.usage.outputTokens),
    wallMs: over(({ run }) => run.wallMs),
    ofBaseline: ofBaseline(judged, all),
  };
}

/** Only successes count: a run that gives up early would make a graph look cheap. */
function ofBaseline(
  judged: readonly JudgedRun[],
  all: readonly JudgedRun[],
): GraphFigures["ofBaseline"] {
  const successes = (runs: readonly JudgedRun[]) =>
    runs.filter(({ failure }) => failure === undefined).map(({ run }) => run);
  const baseline = new Map(
    successes(all.filter(({ run }) => run.graph === BASELINE)).map((run) => [run.task, run]),
  );
  const pairs = successes(judged).flatMap((run) => {
    const other = baseline.get(run.task);
    return other ? [{ run, other }] : [];
  });
  const ratio = (figure: (run: RunRecord) => number) =>
    mean(pairs.map(({ run }) => figure(run))) / mean(pairs.map(({ other }) => figure(other)));
  return {
    tasks: pairs.length,
    inputTokens: ratio(({ usage }) => usage.inputTokens),
    wallMs: ratio(({ wallMs }) => wallMs),
  };
}

function failuresIn(
  graphs: readonly string[],
  judged: readonly JudgedRun[],
): ExperimentFigures["failures"] {
  return graphs.flatMap((graph) => {
    const failed = judged.filter(({ run }) => run.graph === graph);
    const kinds = [...new Set(failed.flatMap(({ failure }) => failure ?? []))];
    return kinds.map((failure) => ({
      graph,
      failure,
      tasks: failed.filter((each) => each.failure === failure).map(({ run }) => run.task),
    }));
  });
}
