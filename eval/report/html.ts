import { extname } from "node:path";
import type { Summary } from "../summary/summary.js";
import { chartSections } from "./chartSections.js";
import { markup, type Markup } from "./markup.js";
import { htmlDocument, type Section } from "./page/document.js";
import { runsSection } from "./page/runsSection.js";
import { pageScript } from "../../common/pageScript.js";
import { definitionsTable, librariesTable, testsTable } from "./tables/detailTables.js";
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

const CLIENT = new URL(`./page/client/main${extname(import.meta.url)}`, import.meta.url);

/**
 * The report on an experiment: one HTML file that opens from disk without a network, with tables,
 * charts and every run.
 */
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

/** A section for a table, where there is one. */
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
