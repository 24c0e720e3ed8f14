import { oneLine } from "../../common/errors.js";
import type { Cell, Report, Section, Table } from "./report.js";

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
function sectionMarkdown({ title, note, tables = [], figures, details = [] }: Section): string[] {
  const full = [...tables, ...details].filter(({ groups }) =>
    groups.some(({ rows }) => rows.length),
  );
  if (full.length === 0 && (figures ?? !note)) return [];
  return [`## ${escapeMarkdown(title)}`, ...(note ? [note] : []), ...full.map(tableMarkdown)];
}

/** A table in GitHub's Markdown; groups become a first column, since Markdown tables have no groups. */
function tableMarkdown({ grouping = "", columns, groups }: Table): string {
  const grouped = groups.some(({ heading }) => heading !== undefined);
  const first = (text: string) => (grouped ? [text] : []);
  const labels = columns.map(({ label, note }) => withNote({ text: label, note }));
  const rules = columns.map(({ kind }) => (kind === "number" ? "---:" : "---"));
  const lines = groups.flatMap(({ heading = "", rows }) =>
    rows.map((row) => [...first(escapeMarkdown(heading)), ...row.map(withNote)]),
  );
  return [[...first(grouping), ...labels], [...first("---"), ...rules], ...lines]
    .map((texts) => `| ${texts.join(" | ")} |`)
    .join("\n");
}

/** Escapes a text for Markdown, on one line, also inside a table. */
function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replaceAll(/[\\`*[\]|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, String.raw`\$&`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

function withNote({ text, note }: Cell): string {
  const shown = escapeMarkdown(text);
  return note === undefined ? shown : `${shown} (${escapeMarkdown(note)})`;
}
