import type { Summary } from "../summary/summary.js";
import { levelBars } from "./charts/levelBars.js";
import { drawChart, drawResponsive } from "./charts/render.js";
import { scatter, type ScatterPoint, scatterPoints } from "./charts/scatter.js";
import { areNumbered } from "./charts/scatterLabels.js";
import { stageBars, stageColours } from "./charts/stageBars.js";
import { markup, type Markup } from "./markup.js";
import { formatFigure } from "./figureText.js";
import type { Section } from "./page/document.js";
import {
  costScore,
  findScore,
  levelName,
  rowsOfLevel,
  type ScoreInfo,
  shownLevels,
  verdictScores,
} from "./scores.js";
import { stagesTable } from "./tables/detailTables.js";
import { tableHtml } from "./tables/renderHtml.js";

/** The sections of a report that draw; those whose figures the experiment does not have are left out. */
export async function chartSections(summary: Summary): Promise<Section[]> {
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

/** A drawing for each level at which the score applies. */
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
