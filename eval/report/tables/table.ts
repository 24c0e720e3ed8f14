/** One cell: its figure, and a note in smaller letters. */
export interface Cell {
  text: string;
  note?: string;
}

/** A row; its first cell is the header of the row. */
export interface TableRow {
  cells: Cell[];
  /** Published figures, which must not be mistaken for our own. */
  published?: boolean;
}

/** Rows that belong together, with a heading if there are several groups. */
export interface RowGroup {
  heading?: string;
  rows: TableRow[];
}

export interface Column {
  label: string;
  /** A few words under the label. */
  note?: string;
  /** Figures are aligned right, texts left. */
  numeric: boolean;
  /** Sentences, which need room. */
  prose?: boolean;
}

/** A table that can be written as HTML and as Markdown. */
export interface Table {
  /** What the table shows: one line. */
  caption: string;
  /** What the headings of the groups are; used as the name of a column if groups cannot be shown. */
  grouping?: string;
  columns: Column[];
  groups: RowGroup[];
}

/** A cell, with a note if given. */
export function cell(text: string, note?: string): Cell {
  return note === undefined ? { text } : { text, note };
}

/** A row of cells or plain texts. */
export function row(cells: readonly (string | Cell)[]): TableRow {
  return { cells: cells.map((each) => (typeof each === "string" ? cell(each) : each)) };
}

/** A column of figures. */
export function column(label: string, note?: string): Column {
  return note === undefined ? { label, numeric: true } : { label, note, numeric: true };
}

/** A column of texts. */
export function textColumn(label: string): Column {
  return { label, numeric: false };
}
