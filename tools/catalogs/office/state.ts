import type { Database, OfficeTables, Row } from "./tables.js";

// Types alone: what the tools import is read with them when they become tools.

/** What a run has done to one table. */
export interface TableChange {
  /** New rows in the order in which they came. */
  added: Row[];
  /** Ids of rows that are gone. */
  deleted: string[];
  /** By the id of a row, the new values of its columns; none that is as it was. */
  changed: Record<string, Row>;
}

/** What a run has done to the office. */
export interface OfficeChange extends Record<Database, TableChange> {
  /** Paths of the plots made, in their order. */
  plots: string[];
}

/** The office as one run sees it: what there was, and what the run has done to it. */
export interface OfficeWorld {
  readonly tables: OfficeTables;
  readonly change: OfficeChange;
}
