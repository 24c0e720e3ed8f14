import type { Comparison } from "../summary/compare.js";
import { differences } from "./charts/differences.js";
import { drawResponsive } from "./charts/render.js";
import { markup, type Markup } from "./markup.js";
import { htmlDocument, type Section } from "./page/document.js";
import { changeFound } from "./finding.js";
import type { ScoreInfo } from "./scores.js";
import { changesTable, verdictsTable } from "./tables/comparisonTables.js";
import { tableHtml } from "./tables/renderHtml.js";
import { document, escapeMarkdown, tableMarkdown } from "./tables/renderMarkdown.js";
import { comparisonNotes, VERDICT_NOTE } from "./reportWords.js";

/** What changed between two experiments, as a self-contained HTML file. */
export async function comparisonHtml(comparison: Comparison): Promise<string> {
  const verdicts = verdictsTable(comparison);
  return htmlDocument({
    title: `${titleOf(comparison)} · tulipgraph`,
    heading: heading(comparison),
    sections: [
      {
        id: "verdicts",
        title: "What changed",
        contents: markup`<p class="muted">${VERDICT_NOTE}</p>${tableHtml(verdicts)}
${await drawings(comparison)}`,
      },
      ...shareScores(comparison).map((score) => changesSection(comparison, score)),
    ],
  });
}

/** What changed between two experiments in GitHub's Markdown. */
export function comparisonMarkdown(comparison: Comparison): string {
  const facts = [comparison.a, comparison.b].map(({ name, facts }, index) => {
    const lines = facts.map(
      ([label, value]) => `${escapeMarkdown(label)}: ${escapeMarkdown(value)}`,
    );
    return `- ${"AB"[index]}: ${[escapeMarkdown(name), ...lines].join(" · ")}`;
  });
  return document([
    `# ${escapeMarkdown(titleOf(comparison))}`,
    escapeMarkdown(changeFound(comparison)),
    ...comparisonNotes(comparison).map((note) => `> ${escapeMarkdown(note)}`),
    facts.join("\n"),
    VERDICT_NOTE,
    tableMarkdown(verdictsTable(comparison)),
    ...shareScores(comparison).flatMap((score) => {
      const table = changesTable(comparison, score);
      const heading = `## ${escapeMarkdown(score.label)}, task by task`;
      return [heading, table ? tableMarkdown(table) : NOTHING_CHANGED];
    }),
  ]);
}

const NOTHING_CHANGED = "No task changed.";

function titleOf({ benchmark }: Comparison): string {
  return `Comparison of two experiments on ${benchmark.name}`;
}

function heading(comparison: Comparison): Markup {
  const experiments = [comparison.a, comparison.b].map(({ name, facts }, index) => {
    const entries = facts.map(
      ([label, value]) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`,
    );
    return markup`<h3>${"AB".charAt(index)} · ${name}</h3><dl class="facts">${entries}</dl>`;
  });
  return markup`<p class="kicker">tulipgraph evaluation</p>
<h1>${titleOf(comparison)}</h1>
<p class="finding">${changeFound(comparison)}</p>
${comparisonNotes(comparison).map((note) => markup`<p class="warning">${note}</p>`)}
${experiments}`;
}

async function drawings(comparison: Comparison): Promise<Markup[]> {
  return await Promise.all(
    shareScores(comparison).map(async (score) => {
      const comparisons = comparison.scores.filter((each) => each.score === score.id);
      const drawn = await drawResponsive((width) => differences({ score, comparisons, width }));
      return markup`<figure><h3>${score.label}: B less A</h3>
<figcaption>Differences with 95 % intervals; filled points are beyond noise.</figcaption>
${drawn}</figure>`;
    }),
  );
}

function changesSection(comparison: Comparison, score: ScoreInfo): Section {
  const table = changesTable(comparison, score);
  return {
    id: `changes-${score.id}`,
    title: `${score.label}, task by task`,
    contents: table ? tableHtml(table) : markup`<p>${NOTHING_CHANGED}</p>`,
  };
}

/** Scores whose changes mean that a task had another outcome; costs change a little in every run. */
function shareScores({ scorers, scores }: Comparison): ScoreInfo[] {
  return scorers.filter(
    ({ id, unit }) => unit === "share" && scores.some(({ score }) => score === id),
  );
}
