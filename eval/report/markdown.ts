import { oneLine } from "../../common/errors.js";
import type { Report, Section } from "./report.js";
import type { Cell, Table, TableRow } from "./tables/table.js";

/** The tables of a report in GitHub's Markdown, for use in documents. */
export function reportMarkdown({ title, finding, warnings, facts, sections }: Report): string {
  const lists = facts.map(({ heading, entries }) => {
    const lines = entries.map((fact) => fact.join(": "));
    return heading === undefined
      ? lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n")
      : `- ${[heading, ...lines].map(escapeMarkdown).join(" · ")}`;
  });
  const parts = [
    `# ${escapeMarkdown(title)}`,
    escapeMarkdown(finding),
    ...warnings.map((warning) => `> **${escapeMarkdown(warning)}**`),
    lists.join("\n"),
    ...sections.flatMap(sectionMarkdown),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Sections of drawings alone, and of tables without rows, are left out. */
function sectionMarkdown({ title, note, tables, figures, details = [] }: Section): string[] {
  const full = [...tables, ...details].filter(({ groups }) =>
    groups.some(({ rows }) => rows.length),
  );
  if (full.length === 0 && (figures ?? !note)) return [];
  return [`## ${escapeMarkdown(title)}`, ...(note ? [note] : []), ...full.map(tableMarkdown)];
}

/** A table in GitHub's Markdown; groups become a first column, since Markdown tables have no groups. */
export function tableMarkdown(table: Table): string {
  const grouped = table.groups.some(({ heading }) => heading !== undefined);
  const labels = table.columns.map(({ label, note }) => withNote({ text: label, note }));
  const rules = table.columns.map(({ numeric }) => (numeric ? "---:" : "---"));
  const lines = table.groups.flatMap(({ heading, rows }) =>
    rows.map((row) => [...(grouped ? [escapeMarkdown(heading ?? "")] : []), ...rowTexts(row)]),
  );
  return [
    grouped ? [table.grouping ?? "", ...labels] : labels,
    grouped ? ["---", ...rules] : rules,
    ...lines,
  ]
    .map((texts) => `| ${texts.join(" | ")} |`)
    .join("\n");
}

/** Escapes a text for Markdown, on one line, also inside a table. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replaceAll(/[\\`*[\]|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, String.raw`\$&`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** Published figures are in italics. */
function rowTexts(row: TableRow): string[] {
  const texts = row.cells.map(withNote);
  return row.published ? texts.map((text) => (text === "" ? "" : `*${text}*`)) : texts;
}

function withNote({ text, note }: Cell): string {
  const shown = escapeMarkdown(text);
  return note === undefined ? shown : `${shown} (${escapeMarkdown(note)})`;
}
