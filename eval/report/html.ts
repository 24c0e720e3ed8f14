import { extname } from "node:path";
import type { Summary } from "../summary/summary.js";
import { markup, type Markup } from "./markup.js";
import { htmlDocument, type Section } from "./page/document.js";
import { runsSection } from "./page/runsSection.js";
import { pageScript } from "../../common/pageScript.js";
import {
  definitionsTable,
  librariesTable,
  testsTable,
  stagesTable,
} from "./tables/detailTables.js";
import { planningNote, planningTable } from "./tables/planningTable.js";
import { tableHtml } from "./tables/renderHtml.js";
import { findingOf } from "./finding.js";
import { hasPublishedRows } from "./tables/scoreTable.js";
import { furtherTable, mainTables } from "./tables/scoreTables.js";
import type { Table } from "./tables/table.js";
import {
  experimentFacts,
  LIBRARIES_NOTE,
  PUBLISHED_NOTE,
  READING,
  TESTS_NOTE,
  warnings,
} from "./reportWords.js";
import { levelBars } from "./charts/levelBars.js";
import { drawChart, drawResponsive } from "./charts/render.js";
import { scatter, type ScatterPoint, scatterPoints } from "./charts/scatter.js";
import { areNumbered } from "./charts/scatterLabels.js";
import { stageBars, stageColours } from "./charts/stageBars.js";
import { formatFigure } from "./figureText.js";
import {
  costScore,
  findScore,
  levelName,
  rowsOfLevel,
  type ScoreInfo,
  shownLevels,
  verdictScores,
} from "./scores.js";

const CLIENT = new URL(`./page/client/main${extname(import.meta.url)}`, import.meta.url);

/** The report on an experiment with tables, charts and every run: one HTML file that needs no network. */
export async function reportHtml(summary: Summary): Promise<string> {
  const [script, charts] = await Promise.all([pageScript(CLIENT), chartSections(summary)]);
  const tests = testsTable(summary);
  const libraries = librariesTable(summary);
  const planning = planningTable(summary);
  return htmlDocument({
    title: `${summary.name} · tulipgraph`,
    heading: heading(summary),
    sections: [
      resultsSection(summary),
      ...tableSections({
        id: "plans",
        title: "Plans",
        table: planning,
        note: planning && planningNote(planning),
      }),
      ...charts,
      ...tableSections({ id: "tests", title: "Paired tests", table: tests, note: TESTS_NOTE }),
      ...tableSections({
        id: "libraries",
        title: "Embedding of libraries",
        table: libraries,
        note: LIBRARIES_NOTE,
      }),
      { id: "runs", title: "Runs", contents: runsSection(summary) },
      { id: "definitions", title: "Definitions", contents: tableHtml(definitionsTable(summary)) },
    ],
    script,
  });
}

function heading(summary: Summary): Markup {
  const facts = experimentFacts(summary).map(
    ([label, value]) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  );
  return markup`<p class="kicker">tulipgraph evaluation</p>
<h1>${summary.name}</h1>
<p class="finding">${findingOf(summary)}</p>
${warnings(summary).map((warning) => markup`<p class="warning">${warning}</p>`)}
<dl class="facts">${facts}</dl>`;
}

function resultsSection(summary: Summary): Section {
  const main = mainTables(summary);
  const further = furtherTable(summary);
  const contents = markup`<p class="muted">${READING}</p>
${main.map(tableHtml)}
${main.some(hasPublishedRows) ? markup`<p class="muted">${PUBLISHED_NOTE}</p>` : undefined}
${further && markup`<details><summary>${further.caption}</summary>${tableHtml(further)}</details>`}`;
  return { id: "results", title: "Results", contents };
}

/** A section for a table, if there is one. */
function tableSections(request: {
  id: string;
  title: string;
  table: Table | undefined;
  note: string | undefined;
}): Section[] {
  const { id, title, table, note } = request;
  if (!table) return [];
  return [{ id, title, contents: markup`<p class="muted">${note}</p>${tableHtml(table)}` }];
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
  const contents = markup`<p class="muted">Filled points are efficient: none scores as much for less.
The line joins them: the best score to be had for a given cost. Thin lines are 95 % intervals.</p>
<figure>${drawings}${areNumbered(points) ? numberedList(points, cost) : undefined}</figure>`;
  return { id: "cost", title: "Correctness against cost", contents };
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
  const contents = markup`<p class="muted">Means with 95 % intervals.</p>
${await Promise.all(parts)}`;
  return { id: "levels", title: "Scores by level", contents };
}

async function recallSection(summary: Summary): Promise<Section | undefined> {
  const recall = findScore(summary, "searchRecall");
  if (!recall) return undefined;
  const contents = markup`<p class="muted">${recall.definition}</p>
${await panels(summary, recall)}`;
  return { id: "recall", title: "Retrieval recall", contents };
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
  const contents = markup`<p class="muted">Input and output tokens of a run, on average.</p>
<ul class="legend">${legend}</ul>
<figure>${drawings}</figure>
<details><summary>${table.caption}</summary>${tableHtml(table)}</details>`;
  return { id: "stages", title: "Tokens by stage", contents };
}
