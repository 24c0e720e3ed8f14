import { markup, type Markup } from "../markup.js";
import type { Cell, Column, RowGroup, Table, TableRow } from "./table.js";

/** A single list with more rows scrolls within its box. */
const MOST_ROWS = 24;

/** No screen has room for more columns side by side. */
const MOST_COLUMNS = 9;

/**
 * A table. If its columns do not fit side by side, on a phone or because there are many, each row becomes a block in
 * which every figure stands under the name of its column (style.css). Explicit roles keep it accessible as a
 * table.
 */
export function tableHtml(table: Table): Markup {
  const headings = table.columns.map(
    (column) =>
      markup`<th role="columnheader" scope="col" class="${cellClass(column)}">${column.label}${small(column.note)}</th>`,
  );
  const isTall =
    table.groups.length === 1 && table.groups.every(({ rows }) => rows.length > MOST_ROWS);
  const kinds = [isTall ? " tall" : "", table.columns.length > MOST_COLUMNS ? " many" : ""].join(
    "",
  );
  return markup`<div class="scroll${kinds}" role="region" tabindex="0" aria-label="${table.caption}">
<table role="table" class="folds">
<caption>${table.caption}</caption>
<thead role="rowgroup"><tr role="row">${headings}</tr></thead>
${table.groups.map((group) => groupHtml(group, table.columns))}
</table>
</div>
`;
}

function groupHtml({ heading, rows }: RowGroup, columns: Column[]): Markup {
  const header = markup`<th role="rowheader" scope="rowgroup" colspan="${columns.length}">${heading}</th>`;
  return markup`<tbody role="rowgroup">
${heading === undefined ? undefined : markup`<tr role="row" class="group">${header}</tr>`}
${rows.map((row) => rowHtml(row, columns))}
</tbody>
`;
}

function rowHtml(row: TableRow, columns: Column[]): Markup {
  const cells = row.cells.map((cell, index) => {
    const kind = cellClass(columns[index]);
    if (index === 0) {
      return markup`<th role="rowheader" scope="row" class="${kind}">${contents(cell)}</th>`;
    }
    const isEmpty = cell.text === "" ? " empty" : "";
    return markup`<td role="cell" data-label="${columns[index]?.label}" class="${kind}${isEmpty}">${contents(cell)}</td>`;
  });
  return markup`<tr role="row" class="${row.published ? "published" : "ours"}">${cells}</tr>
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
