import type { Summary } from "../summary/summary.js";
import { levelBars } from "./charts/levelBars.js";
import { drawChart, drawResponsive } from "./charts/render.js";
import { scatter, type ScatterPoint, scatterPoints } from "./charts/scatter.js";
import { areNumbered } from "./charts/scatterLabels.js";
import { stageBars, stageColours } from "./charts/stageBars.js";
import { formatFigure } from "./figureText.js";
import { findingOf } from "./finding.js";
import { markup, type Markup } from "./markup.js";
import type { Report, Section } from "./report.js";
import {
  experimentFacts,
  LIBRARIES_NOTE,
  PUBLISHED_NOTE,
  READING,
  RUNS_NOTE,
  TESTS_NOTE,
  warnings,
} from "./reportWords.js";
import {
  costScore,
  findScore,
  levelName,
  rowsOfLevel,
  type ScoreInfo,
  shownLevels,
  verdictScores,
} from "./scores.js";
import {
  definitionsTable,
  librariesTable,
  stagesTable,
  testsTable,
} from "./tables/detailTables.js";
import { planningNote, planningTable } from "./tables/planningTable.js";
import { runsTable } from "./tables/runsTable.js";
import { hasPublishedRows } from "./tables/scoreTable.js";
import { furtherTable, mainTables } from "./tables/scoreTables.js";
import type { Table } from "./tables/table.js";

/** The report on an experiment: tables, charts, and the runs that were not right. */
export async function experimentReport(summary: Summary): Promise<Report> {
  const main = mainTables(summary);
  const planning = planningTable(summary);
  return {
    title: summary.name,
    finding: findingOf(summary),
    warnings: warnings(summary),
    facts: [{ entries: experimentFacts(summary) }],
    sections: [
      {
        id: "results",
        title: "Results",
        note: main.some(hasPublishedRows) ? `${READING} ${PUBLISHED_NOTE}` : READING,
        tables: main,
        details: listOf(furtherTable(summary)),
      },
      ...tableSection(
        { id: "plans", title: "Plans", note: planning && planningNote(planning) },
        planning,
      ),
      ...(await chartSections(summary)),
      ...tableSection(
        { id: "tests", title: "Paired tests", note: TESTS_NOTE },
        testsTable(summary),
      ),
      ...tableSection(
        { id: "libraries", title: "Embedding of libraries", note: LIBRARIES_NOTE },
        librariesTable(summary),
      ),
      ...tableSection(
        { id: "runs", title: "Runs that were not right", note: RUNS_NOTE },
        runsTable(summary),
      ),
      { id: "definitions", title: "Definitions", tables: [definitionsTable(summary)] },
    ],
  };
}

function listOf(table: Table | undefined): Table[] {
  return table ? [table] : [];
}

/** A section for a table, if there is one. */
function tableSection(about: Omit<Section, "tables">, table: Table | undefined): Section[] {
  return table ? [{ ...about, tables: [table] }] : [];
}

/** The sections with charts; those without figures are left out. */
async function chartSections(summary: Summary): Promise<Section[]> {
  const sections = await Promise.all([
    scatterSection(summary),
    barsSection(summary),
    stagesSection(summary),
    recallSection(summary),
  ]);
  return sections.filter((section) => section !== undefined);
}

async function scatterSection(summary: Summary): Promise<Section | undefined> {
  const [score] = verdictScores(summary);
  const cost = costScore(summary);
  if (!score || !cost) return undefined;
  const points = scatterPoints({ summary, score, cost });
  if (points.length === 0) return undefined;
  const drawings = await drawResponsive((width) => scatter({ points, score, cost, width }));
  return {
    id: "cost",
    title: "Correctness against cost",
    note: "Filled points are efficient: none scores as much for less. The line joins them: the best score to be had for a given cost. Thin lines are 95 % intervals.",
    tables: [],
    figures: [
      markup`<figure>${drawings}${areNumbered(points) ? numberedList(points, cost) : undefined}</figure>`,
    ],
  };
}

function numberedList(points: ScatterPoint[], cost: ScoreInfo): Markup {
  const items = points.map((point) => {
    const figures = [formatFigure(point.score, "share"), formatFigure(point.cost, cost.unit)];
    return markup`<li>${point.name}: ${figures.join(" for ")}</li>`;
  });
  return markup`<ol class="key">${items}</ol>`;
}

async function barsSection(summary: Summary): Promise<Section | undefined> {
  const scores = verdictScores(summary);
  if (scores.length === 0) return undefined;
  const parts = scores.map(
    async (score) => markup`<h3>${score.label}</h3>${await panels(summary, score)}`,
  );
  return {
    id: "levels",
    title: "Scores by level",
    note: "Means with 95 % intervals.",
    tables: [],
    figures: await Promise.all(parts),
  };
}

async function recallSection(summary: Summary): Promise<Section | undefined> {
  const recall = findScore(summary, "searchRecall");
  if (!recall) return undefined;
  return {
    id: "recall",
    title: "Retrieval recall",
    note: recall.definition,
    tables: [],
    figures: [await panels(summary, recall)],
  };
}

/** A chart for each level to which the score applies. */
async function panels(summary: Summary, score: ScoreInfo): Promise<Markup> {
  const levels = shownLevels(summary).filter((level) =>
    rowsOfLevel(summary, level).some((row) => row.aggregates[score.id] !== undefined),
  );
  const figures = levels.map(async (level) => {
    const drawing = await drawChart(levelBars({ summary, score, level }));
    return markup`<figure><figcaption>${levelName(level)}</figcaption>${drawing}</figure>`;
  });
  return markup`<div class="panels">${await Promise.all(figures)}</div>`;
}

async function stagesSection(summary: Summary): Promise<Section | undefined> {
  const table = stagesTable(summary);
  if (!table) return undefined;
  const legend = stageColours(summary).map(
    ({ stage, colour }) => markup`<li><i style="background:${colour}"></i>${stage}</li>`,
  );
  const drawings = await drawResponsive((width) => stageBars(summary, width));
  return {
    id: "stages",
    title: "Tokens by stage",
    note: "Input and output tokens of a run, on average.",
    tables: [],
    figures: [markup`<ul class="legend">${legend}</ul><figure>${drawings}</figure>`],
    details: [table],
  };
}
