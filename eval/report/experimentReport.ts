import type { Summary } from "../summary/summarizeRuns.js";
import { type Chart, drawChart, levelBars, stageBars } from "./charts.js";
import { formatCount, formatFigure } from "./figureText.js";
import { findingOf } from "./finding.js";
import { lineChart, linePoints, numericSettings } from "./lines.js";
import { markup, type Markup } from "./markup.js";
import type { Report, Section } from "./report.js";
import { scatter, scatterPoints } from "./scatter.js";
import {
  definitionsTables,
  furtherTables,
  librariesTables,
  mainTables,
  planningTables,
  runsTables,
  stagesTables,
  testsTables,
} from "./scoreTables.js";
import {
  costScore,
  figuresOf,
  findScore,
  levelName,
  shownLevels,
  verdictScores,
} from "./scores.js";

/** The report on an experiment: its charts and what was right; folded, all other tables, wrong runs and definitions. */
export async function experimentReport(summary: Summary): Promise<Report> {
  const [right, others] = [mainTables(summary).slice(0, 1), mainTables(summary).slice(1)];
  const sections: Section[] = [
    {
      id: "cost",
      title: "Correctness against cost",
      note: "Filled points are efficient: none scores as much for less. The line joins them: the best score to be had for a given cost. Thin lines are 95 % intervals.",
      figures: await scatterFigures(summary),
    },
    {
      id: "lines",
      title: "Scores by setting",
      note: "Means over all tasks with 95 % intervals, for settings that take several numbers.",
      tables: [],
      figures: await lineFigures(summary),
    },
    {
      id: "levels",
      title: "Scores by level",
      note: "Means with 95 % intervals.",
      figures: await levelFigures(summary),
    },
    {
      id: "results",
      title: "Results",
      note: READING,
      tables: right,
      details: [...others, ...furtherTables(summary)],
    },
    { id: "plans", title: "Plans", note: PLANNING_NOTE, details: planningTables(summary) },
    {
      id: "stages",
      title: "Tokens by stage",
      note: "Input and output tokens of a run, on average.",
      figures: await stageFigures(summary),
      details: stagesTables(summary),
    },
    { id: "tests", title: "Paired tests", note: TESTS_NOTE, details: testsTables(summary) },
    {
      id: "libraries",
      title: "Embedding of libraries",
      note: "A library is embedded once and serves every later run, so this is not part of the runs' cost.",
      tables: librariesTables(summary),
    },
    {
      id: "runs",
      title: "Runs that were not right",
      note: RUNS_NOTE,
      details: runsTables(summary),
    },
    { id: "definitions", title: "Definitions", details: definitionsTables(summary) },
  ];
  return {
    title: summary.name,
    finding: findingOf(summary),
    warnings: warnings(summary),
    facts: [{ entries: experimentFacts(summary) }],
    sections: sections.filter(
      ({ tables = [], figures = [], details = [] }) =>
        tables.length + figures.length + details.length > 0,
    ),
  };
}

const READING =
  "Mean ± standard deviation over repetitions, with the 95 % interval of the mean over tasks: Wilson's " +
  "for shares, by bootstrap for costs. For costs also the interquartile mean (iqm), which the paper on Tulip Agent reports.";

const PLANNING_NOTE =
  'The columns of the report "AI Agent 007": irrelevant, necessary, hallucinated and missing; the ' +
  "calls that a run carried out are its solution, those that it wanted are looked at for " +
  "hallucinations; of a graph that plans and carries nothing out, the plan is both. API calls are " +
  "calls of the model.";

const TESTS_NOTE =
  "Two-sided, over the means of the tasks that both have. The p-values are not corrected for " +
  "the number of comparisons: among twenty, one below 0.05 is to be expected by chance.";

const RUNS_NOTE =
  "Wrong, or marked because a score could not be computed. “tulipgraph threads THREAD” shows what " +
  "happened in a run; runs.jsonl has all of it.";

function warnings(summary: Summary): string[] {
  const problems = summary.runs.filter((run) => Object.keys(run.problems).length > 0).length;
  return [
    ...summary.standIns,
    summary.missing > 0
      ? `${formatCount(summary.missing)} planned ${summary.missing === 1 ? "run has" : "runs have"} no result yet: the figures are of those that have one.`
      : "",
    problems > 0
      ? `${formatCount(problems)} ${problems === 1 ? "run is" : "runs are"} marked: a score could not be computed for it.`
      : "",
  ].filter(Boolean);
}

function experimentFacts(summary: Summary): [label: string, value: string][] {
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

async function scatterFigures(summary: Summary): Promise<Markup[]> {
  const [score] = verdictScores(summary);
  const cost = costScore(summary);
  const points = score && cost ? scatterPoints(summary, score, cost) : [];
  if (!score || !cost || points.length === 0) return [];
  const items = points.map((point) => {
    const figures = [formatFigure(point.score, "share"), formatFigure(point.cost, cost.unit)];
    return markup`<li>${point.name}: ${figures.join(" for ")}</li>`;
  });
  return [
    markup`<figure>${await drawChart(scatter(points, score, cost))}<ol class="key">${items}</ol></figure>`,
  ];
}

/** For each setting with several numbers, the strictest verdict and the costs over it. */
async function lineFigures(summary: Summary): Promise<Markup[]> {
  const [verdict] = verdictScores(summary);
  const cost = findScore(summary, "toolCost") ?? costScore(summary);
  const scores = [verdict, cost].flatMap((score) => score ?? []);
  const charts = numericSettings(summary).flatMap((setting) =>
    scores.map((score) => lineChart(linePoints(summary, score, setting), score, setting)),
  );
  return charts.length === 0 ? [] : [await panels(charts.map((chart) => [chart.title, chart]))];
}

/** For each verdict and the recall of searches, a chart for each level to which it applies. */
async function levelFigures(summary: Summary): Promise<Markup[]> {
  const scores = [...verdictScores(summary), findScore(summary, "searchRecall") ?? []].flat();
  return await Promise.all(
    scores.map(async (score) => {
      const levels = shownLevels(summary).filter(
        (level) => figuresOf(summary, score, level).length > 0,
      );
      const charts = levels.map((level): [string, Chart] => [
        levelName(level),
        levelBars({ summary, score, level }),
      ]);
      return markup`<h3>${score.label}</h3>${await panels(charts)}`;
    }),
  );
}

/** Charts beside each other, each below its title. */
async function panels(charts: readonly [title: string, Chart][]): Promise<Markup> {
  const drawn = charts.map(async ([title, chart]) => {
    return markup`<figure><figcaption>${title}</figcaption>${await drawChart(chart)}</figure>`;
  });
  return markup`<div class="panels">${await Promise.all(drawn)}</div>`;
}

async function stageFigures(summary: Summary): Promise<Markup[]> {
  if (summary.stages.length === 0) return [];
  return [markup`<figure>${await drawChart(stageBars(summary))}</figure>`];
}
