/** One cell: its figure, and what is said about it in smaller letters. */
export interface Cell {
  text: string;
  note?: string;
}

/** A row; its first cell is the header of the row. */
export interface TableRow {
  cells: Cell[];
  /** Figures of others, which must not be taken for ours. */
  published?: boolean;
}

/** Rows that belong together; a heading where there are several groups. */
export interface RowGroup {
  heading?: string;
  rows: TableRow[];
}

export interface Column {
  label: string;
  /** What the column is about, in a few words under its label. */
  note?: string;
  /** Figures stand at the right, texts at the left. */
  numeric: boolean;
  /** Sentences, which need room. */
  prose?: boolean;
}

/** A table that can be written as HTML and as Markdown. */
export interface Table {
  /** What the table shows: one line. */
  caption: string;
  /** What the groups' headings are: the name of a column, where groups cannot be shown. */
  grouping?: string;
  columns: Column[];
  groups: RowGroup[];
}

/** A cell of text alone. */
export function cell(text: string, note?: string): Cell {
  return note === undefined ? { text } : { text, note };
}

/** A row of cells, or of texts alone. */
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
