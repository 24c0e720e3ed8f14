import type { RowStore } from "../../storage/mirror/rowStore.js";
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
  /** Gives the rows as they are now. */
  newest: () => Promise<Database>;
  write: RowStore["write"];
  similaritiesOf: SimilarityReader;
}): DemonstrationStore {
  const { newest, write, similaritiesOf } = options;
  const stored = async (library?: string) =>
    readDemonstrations({ database: await newest(), library });
  return {
    add: (demonstrations) => write((database) => addDemonstrations({ database, demonstrations })),
    list: async ({ library } = {}) =>
      (await stored(library)).map(({ demonstration }) => demonstration),
    libraries: async () => librariesWithDemonstrations(await newest()),
    select: async (question) =>
      await selectDemonstrations({
        demonstrations: await stored(question.library),
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
