import type { Comparison } from "../summary/compare.js";
import { differences } from "./charts/differences.js";
import { drawResponsive } from "./charts/render.js";
import { changeFound } from "./finding.js";
import { markup, type Markup } from "./markup.js";
import type { Report, Section } from "./report.js";
import { comparisonNotes, VERDICT_NOTE } from "./reportWords.js";
import type { ScoreInfo } from "./scores.js";
import { changesTable, verdictsTable } from "./tables/comparisonTables.js";

/** The report on what changed between two experiments. */
export async function comparisonReport(comparison: Comparison): Promise<Report> {
  return {
    title: `Comparison of two experiments on ${comparison.benchmark.name}`,
    finding: changeFound(comparison),
    warnings: comparisonNotes(comparison),
    facts: [comparison.a, comparison.b].map(({ name, facts }, index) => ({
      heading: `${"AB".charAt(index)} · ${name}`,
      entries: facts,
    })),
    sections: [
      {
        id: "verdicts",
        title: "What changed",
        note: VERDICT_NOTE,
        tables: [verdictsTable(comparison)],
        figures: await drawings(comparison),
      },
      ...shareScores(comparison).map((score) => changesSection(comparison, score)),
    ],
  };
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
    ...(table ? { tables: [table] } : { note: "No task changed.", tables: [] }),
  };
}

/** Scores whose changes mean that a task had another outcome; costs change a little in every run. */
function shareScores({ scorers, scores }: Comparison): ScoreInfo[] {
  return scorers.filter(
    ({ id, unit }) => unit === "share" && scores.some(({ score }) => score === id),
  );
}
