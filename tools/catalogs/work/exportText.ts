import type { WorkItem } from "./state.js";

const COLUMNS = ["id", "type", "title", "stage", "owned_by", "urgency", "due_on"];

/** Work items as text: comma-separated with a head (RFC 4180), JSON objects, or a Markdown table. */
export function exportText(options: {
  items: readonly WorkItem[];
  format: "csv" | "json" | "markdown";
}): string {
  return FORMATS[options.format](options.items.map(cellsOf));
}

const FORMATS: Readonly<
  Record<"csv" | "json" | "markdown", (rows: readonly (readonly string[])[]) => string>
> = {
  csv: (rows) => [COLUMNS, ...rows].map((cells) => cells.map(csvCell).join(",")).join("\n"),
  json(rows) {
    const named = rows.map((cells) => COLUMNS.map((name, place) => [name, cells[place]]));
    return JSON.stringify(named.map((pairs) => Object.fromEntries(pairs)));
  },
  markdown(rows) {
    const rule = COLUMNS.map(() => "---");
    const lines = [COLUMNS, rule, ...rows].map((cells) => cells.map(markdownCell).join(" | "));
    return lines.map((line) => `| ${line} |`).join("\n");
  },
};

/** What an item lacks is an empty cell. */
function cellsOf({ id, type, title, stage, owned_by, priority, severity, due_on }: WorkItem) {
  return [id, type, title, stage, owned_by ?? "", priority ?? severity ?? "", due_on ?? ""];
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function markdownCell(text: string): string {
  return text.replaceAll("|", String.raw`\|`).replaceAll(/\s+/g, " ");
}
