import type { Markup } from "./markup.js";
import type { Table } from "./tables/table.js";

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
  tables: Table[];
  /** Drawings with their captions, for HTML alone. */
  figures?: Markup[];
  /** Tables that HTML shows folded. */
  details?: Table[];
}
