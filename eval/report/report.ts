import type { Summary } from "../summary/summarizeRuns.js";
import type { Markup } from "./markup.js";

/** A report: what it says, whatever it is written as (html.ts, markdown.ts). */
export interface Report {
  title: string;
  /** What was found, in one sentence. */
  finding: string;
  /** What a reader must know before looking at the figures, one sentence each. */
  warnings: string[];
  /** What was measured, as labels and values; each group with a heading if there are several. */
  facts: { heading?: string; entries: [label: string, value: string][] }[];
  sections: Section[];
}

/** A part of a report with a heading. */
export interface Section {
  id: string;
  title: string;
  note?: string;
  tables?: Table[];
  /** Drawings with their captions, for HTML alone. */
  figures?: Markup[];
  /** Tables that HTML shows folded. */
  details?: Table[];
}

/** A table that can be written as HTML and as Markdown. */
export interface Table {
  caption: string;
  /** What the headings of the groups are; used as the name of a column if groups cannot be shown. */
  grouping?: string;
  columns: Column[];
  groups: RowGroup[];
}

export interface Column {
  label: string;
  /** A few words under the label. */
  note?: string;
  /** Figures are aligned right, texts left, and sentences need room. */
  kind: "number" | "text" | "prose";
}

/** Rows that belong together, with a heading if there are several groups. */
export interface RowGroup {
  heading?: string;
  /** The first cell of a row is its header. */
  rows: Cell[][];
}

/** One cell: its figure, and a note in smaller letters. */
export interface Cell {
  text: string;
  note?: string;
}

/** A cell, with a note if given. */
export function cell(text: string, note?: string): Cell {
  return note === undefined ? { text } : { text, note };
}

/** A row of cells or plain texts. */
export function row(cells: readonly (string | Cell)[]): Cell[] {
  return cells.map((each) => (typeof each === "string" ? cell(each) : each));
}

export function column(label: string, kind: Column["kind"] = "number"): Column {
  return { label, kind };
}

/** A column, and what stands in it for each thing that has a row. */
export type Filled<Thing> = [
  label: string,
  kind: Column["kind"],
  of: (thing: Thing) => string | Cell,
];

/** The columns of a table. */
export function columnsOf<Thing>(filled: readonly Filled<Thing>[]): Column[] {
  return filled.map(([label, kind]) => column(label, kind));
}

/** The row of a thing. */
export function rowFor<Thing>(filled: readonly Filled<Thing>[], thing: Thing): Cell[] {
  return row(filled.map(([, , of]) => of(thing)));
}

/** The runs of an experiment with their scores as CSV (RFC 4180), a line a run. */
export function runsCsv({ runs, tasks, scorers }: Summary): string {
  const levels = new Map(tasks.map(({ id, level }) => [id, level]));
  const scored = scorers.filter(({ id }) => runs.some(({ scores }) => scores[id] !== undefined));
  const head = ["task", "level", "graph", "variant", "run", "status"];
  const rows = runs.map(({ record, scores }) => {
    const { task, graph, variant, run, status } = record;
    const figures = scored.map(({ id }) => scores[id]);
    return [task, levels.get(task), graph, variant, run, status, ...figures];
  });
  return [[...head, ...scored.map(({ id }) => id)], ...rows]
    .map((row) => `${row.map(field).join(",")}\r\n`)
    .join("");
}

function field(value: string | number | undefined): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
