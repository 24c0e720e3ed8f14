import type { ComparedExperiment, Comparison } from "../summary/compare.js";
import type { Summary } from "../summary/summary.js";
import { formatCount } from "./figureText.js";
import { PAPER } from "./publishedResults.js";
import { seriesName } from "./scores.js";

/** What a reader must know before looking at the figures, one sentence each. */
export function warnings(summary: Summary): string[] {
  const problems = summary.runs.filter((run) => Object.keys(run.problems).length > 0).length;
  return [
    summary.offline
      ? "Figures of the offline planner, which is not a language model: they say how the graphs work, not how well a model does."
      : "",
    summary.missing > 0
      ? `${formatCount(summary.missing)} planned ${summary.missing === 1 ? "run has" : "runs have"} no result yet: the figures are of those that have one.`
      : "",
    problems > 0
      ? `${formatCount(problems)} ${problems === 1 ? "run is" : "runs are"} marked: a score could not be computed for it.`
      : "",
  ].filter(Boolean);
}

/** A description of the experiment, as labels and values. */
export function experimentFacts(summary: Summary): [label: string, value: string][] {
  const { benchmark, runs } = summary;
  const graphs = [...new Set(summary.rows.map(({ graph }) => graph))];
  return [
    ["Benchmark", `${benchmark.name} (${benchmark.source})`],
    ["Tasks", `${formatCount(benchmark.tasks)} tasks, ${formatCount(benchmark.tools)} tools`],
    ["Graphs", graphs.join(", ")],
    ["Runs", formatCount(runs.length)],
    ...summary.facts,
  ];
}

/** How to read the figures; shown above HTML and Markdown tables. */
export const READING =
  "Mean ± standard deviation over repetitions, with the 95 % bootstrap interval of the mean over " +
  "tasks. For costs also the interquartile mean (iqm), which the paper on Tulip Agent reports.";

export const PUBLISHED_NOTE =
  `Rows in italics are figures that ${PAPER} published with the models named; they were not ` +
  "measured here. Their judge looks for the answer as a substring; their costs are interquartile " +
  "means, which for graphs that search hold the embedding of the whole library.";

export const PLANNING_NOTE =
  'The columns of the report "AI Agent 007": irrelevant, necessary, hallucinated and missing; the ' +
  "calls that a run carried out are its solution, those that it wanted are looked at for " +
  "hallucinations; of a graph that plans and carries nothing out, the plan is both. API calls are " +
  "calls of the model.";

export const PUBLISHED_PLANNING_NOTE =
  "Rows in italics are figures that the report published for its own tools, requests and models, for " +
  "tendency only; they were not measured here.";

export const TESTS_NOTE =
  "Two-sided, over the means of the tasks that both have. The p-values are not corrected for " +
  "the number of comparisons: among twenty, one below 0.05 is to be expected by chance.";

export const LIBRARIES_NOTE =
  "A library is embedded once and serves every later run, so this is not part of the runs' cost. " +
  "The last columns spread it over the runs that it served.";

export const RUNS_NOTE =
  "Wrong, or marked because a score could not be computed. “tulipgraph threads THREAD” shows what " +
  "happened in a run, unless it was made with “--checkpoints none”; results.jsonl has all of it.";

export const VERDICT_NOTE =
  "Better and worse are said where the two-sided Wilcoxon signed-rank test over tasks gives p " +
  "below 0.05 and at least six tasks differ; fewer cannot reach it. All else is within noise. The " +
  "p-values are not corrected for the number of comparisons.";

/** What a reader of a comparison must know before looking at the figures, one sentence each. */
export function comparisonNotes({ a, b }: Comparison): string[] {
  return [
    ...(a.offline || b.offline
      ? ["Figures of the offline planner, which is not a language model, are among these."]
      : []),
    ...[a, b].flatMap((experiment, index) => oneSidedNotes(experiment, "AB".charAt(index))),
  ];
}

function oneSidedNotes(experiment: ComparedExperiment, letter: string): string[] {
  const { missing, onlyTasks, onlySeries } = experiment;
  return [
    missing > 0 ? `${formatCount(missing)} planned runs of ${letter} have no result yet.` : "",
    onlyTasks.length > 0 ? `Only ${letter} has these tasks: ${listed(onlyTasks)}.` : "",
    onlySeries.length > 0
      ? `Only ${letter} has these graphs and settings: ${listed(onlySeries.map(seriesName))}.`
      : "",
  ].filter(Boolean);
}

/** Most names that are shown; the others are only counted. */
const NAMES_SHOWN = 12;

function listed(names: string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).join(", ");
  const rest = names.length - NAMES_SHOWN;
  return rest > 0 ? `${shown} and ${formatCount(rest)} more` : shown;
}
