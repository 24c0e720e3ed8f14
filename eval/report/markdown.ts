import type { Summary } from "../summary/summary.js";
import {
  definitionsTable,
  librariesTable,
  stagesTable,
  testsTable,
} from "./tables/detailTables.js";
import { findingOf } from "./finding.js";
import { planningNote, planningTable } from "./tables/planningTable.js";
import {
  document,
  escapeMarkdown,
  listMarkdown,
  section,
  tableMarkdown,
  tableSection,
} from "./tables/renderMarkdown.js";
import { hasPublishedRows } from "./tables/scoreTable.js";
import { furtherTable, mainTables } from "./tables/scoreTables.js";
import {
  experimentFacts,
  LIBRARIES_NOTE,
  PUBLISHED_NOTE,
  READING,
  TESTS_NOTE,
  warnings,
} from "./reportWords.js";

/** The tables of a report in GitHub's Markdown, for use in documents. */
export function reportMarkdown(summary: Summary): string {
  const main = mainTables(summary);
  const planning = planningTable(summary);
  return document([
    `# ${escapeMarkdown(summary.name)}`,
    escapeMarkdown(findingOf(summary)),
    ...warnings(summary).map((warning) => `> **${warning}**`),
    listMarkdown(experimentFacts(summary).map((fact) => fact.join(": "))),
    section("Results", [
      main.some(hasPublishedRows) ? `${READING} ${PUBLISHED_NOTE}` : READING,
      ...main.map(tableMarkdown),
    ]),
    tableSection("Plans", planning, planning && planningNote(planning)),
    tableSection("Further scores", furtherTable(summary)),
    tableSection("Tokens by stage", stagesTable(summary)),
    tableSection("Paired tests", testsTable(summary), TESTS_NOTE),
    tableSection("Embedding of libraries", librariesTable(summary), LIBRARIES_NOTE),
    tableSection("Definitions", definitionsTable(summary)),
  ]);
}
