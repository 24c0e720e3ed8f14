/** A table of Markdown, its columns as wide as their widest cell. */
export function markdownTable(columns: readonly string[], rows: readonly string[][]): string {
  const widths = columns.map((_, column) =>
    Math.max(...[columns, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const rule = widths.map((width) => "-".repeat(width));
  return [line(columns), line(rule), ...rows.map(line)].join("\n");
}
