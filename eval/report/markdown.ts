import type { Summary } from "../summary/summary.js";
import {
  definitionsTable,
  librariesTable,
  stagesTable,
  testsTable,
} from "./tables/detailTables.js";
import { planningNote, planningTable } from "./tables/planningTable.js";
import { escapeMarkdown, tableMarkdown } from "./tables/renderMarkdown.js";
import { hasPublishedRows } from "./tables/scoreTable.js";
import { furtherTable, mainTable } from "./tables/scoreTables.js";
import type { Table } from "./tables/table.js";
import {
  experimentFacts,
  LIBRARIES_NOTE,
  PUBLISHED_NOTE,
  READING,
  TESTS_NOTE,
  warnings,
} from "./words.js";

/** The tables of a report in GitHub's Markdown, to be pasted into documents. */
export function reportMarkdown(summary: Summary): string {
  const main = mainTable(summary);
  const planning = planningTable(summary);
  const facts = experimentFacts(summary).map(
    ([label, value]) => `- ${escapeMarkdown(label)}: ${escapeMarkdown(value)}`,
  );
  return [
    `# ${escapeMarkdown(summary.name)}`,
    ...warnings(summary).map((warning) => `> **${warning}**`),
    facts.join("\n"),
    section("Results", main, hasPublishedRows(main) ? `${READING} ${PUBLISHED_NOTE}` : READING),
    section("Plans", planning, planning && planningNote(planning)),
    section("Further scores", furtherTable(summary)),
    section("Tokens by stage", stagesTable(summary)),
    section("Paired tests", testsTable(summary), TESTS_NOTE),
    section("Embedding of libraries", librariesTable(summary), LIBRARIES_NOTE),
    section("Definitions", definitionsTable(summary)),
  ]
    .filter(Boolean)
    .join("\n\n")
    .concat("\n");
}

function section(title: string, table: Table | undefined, note?: string): string {
  if (!table) return "";
  return [`## ${title}`, note, tableMarkdown(table)].filter(Boolean).join("\n\n");
}
