import type { Database } from "../../storage/sqlite.js";
import { canonicalJson, sha256 } from "../../tools/library/hash.js";
import { numbering, withoutNul } from "../rowNumbers.js";
import type { SimilarityReader } from "../similarities.js";
import type { Demonstration, DemonstrationStore } from "./demonstration.js";
import { selectDemonstrations } from "./selectDemonstrations.js";

/** A demonstration with the number of its task among the compared texts. */
export interface StoredDemonstration {
  number: number;
  query: number;
  demonstration: Demonstration;
}

/** The demonstrations of an open `memory.db`. */
export function demonstrationStore(options: {
  connect: () => Database;
  similaritiesOf: SimilarityReader;
}): DemonstrationStore {
  const { connect, similaritiesOf } = options;
  const stored = (library?: string) => readDemonstrations({ database: connect(), library });
  return {
    add: (demonstrations) => addDemonstrations({ database: connect(), demonstrations }),
    list: ({ library } = {}) => stored(library).map(({ demonstration }) => demonstration),
    libraries: () => librariesWithDemonstrations(connect()),
    select: async (question) =>
      await selectDemonstrations({
        demonstrations: stored(question.library),
        similaritiesOf,
        question,
      }),
  };
}

function addDemonstrations(options: {
  database: Database;
  demonstrations: readonly Demonstration[];
}): { added: number; known: number } {
  const { database, demonstrations } = options;
  return database
    .transaction(() => {
      const libraryNumber = numbering(database, { table: "libraries", columns: ["name"] });
      const queryNumber = numbering(database, { table: "queries", columns: ["library", "text"] });
      const insert = database.prepare(
        `INSERT INTO demonstrations (id, query, level, calls, answer, source, at)
         VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
      );
      const added = demonstrations.filter((demonstration) => {
        const { calls, level, source, at } = demonstration;
        const library = withoutNul(demonstration.library);
        const task = withoutNul(demonstration.task);
        const answer = demonstration.answer === undefined ? null : withoutNul(demonstration.answer);
        const query = queryNumber(libraryNumber(library), task);
        const id = contentHash({ library, task, calls, level });
        return insert.run(id, query, level, JSON.stringify(calls), answer, source, at).changes > 0;
      });
      return { added: added.length, known: demonstrations.length - added.length };
    })
    .immediate();
}

/** Equal for demonstrations that count as the same. */
function contentHash({
  library,
  task,
  calls,
  level,
}: Pick<Demonstration, "library" | "task" | "calls" | "level">): string {
  const made = calls.map(({ tool, args }) => ({ tool, args }));
  return sha256(canonicalJson({ library, task, level, calls: made }));
}

interface DemonstrationRow {
  number: number;
  query: number;
  library: string;
  task: string;
  calls: string;
  answer: string | null;
  level: Demonstration["level"];
  source: Demonstration["source"];
  at: number;
}

function readDemonstrations(options: {
  database: Database;
  library?: string;
}): StoredDemonstration[] {
  const { database, library } = options;
  const rows = database
    .prepare(
      `SELECT demonstrations.*, libraries.name AS library, queries.text AS task
       FROM demonstrations
       JOIN queries ON queries.number = demonstrations.query
       JOIN libraries ON libraries.number = queries.library
       WHERE libraries.name = coalesce(?, libraries.name)
       ORDER BY demonstrations.number`,
    )
    // In a list, because libsql takes a lone null for named parameters.
    .all([library ?? null]) as DemonstrationRow[];
  return rows.map(({ number, query, library, task, calls, answer, level, source, at }) => ({
    number,
    query,
    demonstration: {
      library,
      task,
      calls: JSON.parse(calls) as Demonstration["calls"],
      ...(answer === null ? {} : { answer }),
      level,
      source,
      at,
    },
  }));
}

function librariesWithDemonstrations(database: Database): string[] {
  return database
    .prepare(
      `SELECT name FROM libraries
       WHERE number IN (SELECT library FROM queries JOIN demonstrations ON query = queries.number)
       ORDER BY name`,
    )
    .pluck()
    .all() as string[];
}
