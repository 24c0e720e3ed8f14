import { oneLine } from "../../../common/errors.js";
import type { Cell, Table, TableRow } from "./table.js";

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

/** A document of parts; empty parts are left out. */
export function document(parts: readonly string[]): string {
  return parts.filter(Boolean).join("\n\n").concat("\n");
}

/** A part with a title; empty if there is nothing under it. */
export function section(title: string, parts: readonly (string | undefined)[]): string {
  const given = parts.filter(Boolean);
  return given.length > 0 ? [`## ${title}`, ...given].join("\n\n") : "";
}

/** A part with a table; empty if the table is absent or has no rows. */
export function tableSection(title: string, table: Table | undefined, note?: string): string {
  const isEmpty = table?.groups.every(({ rows }) => rows.length === 0) ?? true;
  return table && !isEmpty ? section(title, [note, tableMarkdown(table)]) : "";
}

/** A bullet list of texts. */
export function listMarkdown(texts: readonly string[]): string {
  return texts.map((text) => `- ${escapeMarkdown(text)}`).join("\n");
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
