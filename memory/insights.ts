import type { Database } from "../storage/sqlite/sqlite.js";
import { numbering, withoutNul } from "./experience.js";

/** Something that a reflection taught for later plans over the same library (ExpeL, as "AI Agent 007" uses it). */
export interface Insight {
  library: string;
  /** A cue that led to a plan that was accepted. */
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Adds an insight, unless its id is known; returns how many are new. Must run in a write transaction. */
export function addInsight(database: Database, id: string, { library, text, at }: Insight): number {
  const number = numbering(database, { table: "libraries", columns: ["name"] })(library);
  const { changes } = database
    .prepare("INSERT OR IGNORE INTO insights (id, library, text, at) VALUES (?, ?, ?, ?)")
    .run(id, number, withoutNul(text), at);
  return changes;
}

/** The latest insights of a library, oldest first. */
export function readInsights(database: Database, library: string, most: number): string[] {
  const latest = database
    .prepare(
      `SELECT text FROM insights WHERE library = (SELECT number FROM libraries WHERE name = ?)
       ORDER BY at DESC, number DESC LIMIT ?`,
    )
    .pluck()
    .all(library, most) as string[];
  return latest.toReversed();
}
