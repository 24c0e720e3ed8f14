import { markup, type Markup } from "../markup.js";
import type { Cell, Column, RowGroup, Table, TableRow } from "./table.js";

/** A single list with more rows scrolls within its box. */
const MOST_ROWS = 24;

/** A table in a box that scrolls by itself, so that the page never does, reachable by keyboard. */
export function tableHtml(table: Table): Markup {
  const headings = table.columns.map(
    (column) =>
      markup`<th scope="col" class="${cellClass(column)}">${column.label}${small(column.note)}</th>`,
  );
  const isTall =
    table.groups.length === 1 && table.groups.every(({ rows }) => rows.length > MOST_ROWS);
  return markup`<div class="scroll${isTall ? " tall" : ""}" role="region" tabindex="0" aria-label="${table.caption}">
<table>
<caption>${table.caption}</caption>
<thead><tr>${headings}</tr></thead>
${table.groups.map((group) => groupHtml(group, table.columns))}
</table>
</div>
`;
}

function groupHtml({ heading, rows }: RowGroup, columns: Column[]): Markup {
  const header = markup`<th scope="rowgroup" colspan="${columns.length}">${heading}</th>`;
  return markup`<tbody>
${heading === undefined ? undefined : markup`<tr class="group">${header}</tr>`}
${rows.map((row) => rowHtml(row, columns))}
</tbody>
`;
}

function rowHtml(row: TableRow, columns: Column[]): Markup {
  const cells = row.cells.map((cell, index) => {
    const kind = cellClass(columns[index]);
    return index === 0
      ? markup`<th scope="row" class="${kind}">${contents(cell)}</th>`
      : markup`<td class="${kind}">${contents(cell)}</td>`;
  });
  return markup`<tr class="${row.published ? "published" : "ours"}">${cells}</tr>
`;
}

function contents(cell: Cell): Markup {
  return markup`${cell.text}${small(cell.note)}`;
}

function small(note: string | undefined): Markup | undefined {
  return note === undefined ? undefined : markup`<small>${note}</small>`;
}

function cellClass(column: Column | undefined): string {
  if (column?.prose) return "prose";
  return column?.numeric ? "number" : "text";
}
