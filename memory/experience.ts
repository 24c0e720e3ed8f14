import { type Migration, columnsOf } from "../storage/migrate.js";
import type { Database } from "../storage/sqlite/sqlite.js";
import type { EmbeddingModel } from "../tools/library/vectors/embedding.js";
import type { StoreMigrations } from "../storage/database.js";
import type { openExperience } from "./openExperience.js";

/** Who judged whether a call was helpful. */
export type HelpfulnessJudge = "rule" | "model" | "classifier" | "given";

/** A remembered call of a tool. */
export interface PastCall {
  /** Unique; adding a known one changes nothing, except that it completes a missing verdict. */
  id: string;
  library: string;
  /** The request in which the call was made. */
  query: string;
  tool: string;
  args: Record<string, unknown>;
  /** The result as text, cut if long. */
  result: string;
  /** The call failed, and `result` is its error. */
  failed: boolean;
  /** Null if no judge could tell. */
  helpful: boolean | null;
  judgedBy: HelpfulnessJudge;
  /** Units of the budget. */
  cost: number;
  /** Wall time. */
  ms: number;
  /** Milliseconds since 1970. */
  at: number;
}

export interface EvidenceQuestion {
  library: string;
  query: string;
  tools: readonly string[];
  embeddings: EmbeddingModel;
}

/** Past calls of tools, in `memory.db` or in Postgres. */
export type ExperienceStore = ReturnType<typeof openExperience>;

/** How much is known of a library, or of all; as `memory list --json` prints it. */
export interface ExperienceStats {
  /** Past calls, under the name of their table. */
  usages: number;
  /** Different requests. */
  queries: number;
  tools: number;
  helpful: number;
  unhelpful: number;
  /** Calls that no judge could decide. */
  unjudged: number;
}

/**
 * Schema of `memory.db`. Append only: each entry is one version of the file.
 *
 * `usages` is the truth and is only ever added to. `tools` holds its sums, updated in the transaction that adds
 * a call. `vectors` is a cache; whatever is missing is computed again. `queries` holds the requests of past calls and
 * the tasks of `demonstrations`, so both are compared by the same vectors.
 */
export const EXPERIENCE_MIGRATIONS: readonly Migration[] = [
  [
    `CREATE TABLE libraries (
       number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
     ) STRICT`,
    `CREATE TABLE queries (
       number INTEGER PRIMARY KEY, library INTEGER NOT NULL REFERENCES libraries (number),
       text TEXT NOT NULL, UNIQUE (library, text)
     ) STRICT`,
    `CREATE TABLE tools (
       number INTEGER PRIMARY KEY, library INTEGER NOT NULL REFERENCES libraries (number),
       id TEXT NOT NULL, calls INTEGER NOT NULL DEFAULT 0, judged INTEGER NOT NULL DEFAULT 0,
       helpful INTEGER NOT NULL DEFAULT 0, total_ms REAL NOT NULL DEFAULT 0,
       total_result_tokens REAL NOT NULL DEFAULT 0, total_cost REAL NOT NULL DEFAULT 0,
       UNIQUE (library, id)
     ) STRICT`,
    `CREATE TABLE usages (
       number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
       query INTEGER NOT NULL REFERENCES queries (number),
       tool INTEGER NOT NULL REFERENCES tools (number), args TEXT NOT NULL, result TEXT NOT NULL,
       failed INTEGER NOT NULL CHECK (failed IN (0, 1)), helpful INTEGER CHECK (helpful IN (0, 1)),
       judged_by TEXT NOT NULL, cost REAL NOT NULL CHECK (cost >= 0),
       ms REAL NOT NULL CHECK (ms >= 0), at REAL NOT NULL
     ) STRICT`,
    // Covers what is read for evidence, which never touches arguments and results.
    `CREATE INDEX judged_usages ON usages (tool, number, query, helpful)
       WHERE helpful IS NOT NULL`,
    `CREATE TABLE packed_judgements (
       tool INTEGER PRIMARY KEY REFERENCES tools (number), through INTEGER NOT NULL,
       rows BLOB NOT NULL
     ) STRICT`,
    `CREATE TABLE vectors (
       model TEXT NOT NULL, dimension INTEGER NOT NULL, block INTEGER NOT NULL,
       present BLOB NOT NULL, components BLOB NOT NULL, PRIMARY KEY (model, dimension, block)
     ) STRICT`,
  ],
  [
    `CREATE TABLE demonstrations (
       number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
       query INTEGER NOT NULL REFERENCES queries (number),
       level TEXT NOT NULL CHECK (level IN ('subtask', 'tool')), calls TEXT NOT NULL, answer TEXT,
       source TEXT NOT NULL CHECK (source IN ('file', 'generated', 'run')), at REAL NOT NULL
     ) STRICT`,
    "CREATE INDEX demonstrations_of_tasks ON demonstrations (query)",
  ],
  ["total_ms", "total_result_tokens", "total_cost"].map(
    (sum) => `ALTER TABLE tools DROP COLUMN ${sum}`,
  ),
  renewVectors,
  [
    `CREATE TABLE insights (
       number INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       library INTEGER NOT NULL REFERENCES libraries (number),
       text TEXT NOT NULL,
       at REAL NOT NULL
     ) STRICT`,
  ],
];

/** Vectors by request. Files that began with the release of 2026-11-26 have them already. */
function renewVectors(database: Database): void {
  if (columnsOf(database, "vectors").includes("query")) return;
  for (const statement of [
    "DROP TABLE packed_judgements",
    "DROP TABLE vectors",
    `CREATE TABLE vectors (
       model TEXT NOT NULL, dimension INTEGER NOT NULL, query INTEGER NOT NULL,
       vector BLOB NOT NULL, PRIMARY KEY (model, dimension, query)
     ) STRICT`,
  ])
    database.exec(statement);
}

const entriesTable = (ifNeeded = "") =>
  `CREATE TABLE ${ifNeeded}entries (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text NOT NULL,
    id text NOT NULL UNIQUE, content text NOT NULL
  )`;

/** Until the release of 2026-11-26, Postgres had the tables of the file. What they hold becomes entries. */
const TAKE_OVER = `DO $$ BEGIN
  IF to_regclass('usages') IS NULL THEN RETURN; END IF;
  INSERT INTO entries (kind, id, content)
    SELECT 'call', usages.id, json_build_object(
      'id', usages.id, 'library', libraries.name, 'query', queries.text, 'tool', tools.id,
      'args', args::json, 'result', result, 'failed', failed = 1, 'helpful', usages.helpful = 1,
      'judgedBy', judged_by, 'cost', cost, 'ms', ms, 'at', at)
    FROM usages JOIN queries ON queries.number = query JOIN tools ON tools.number = tool
      JOIN libraries ON libraries.number = queries.library
    ORDER BY usages.number
    ON CONFLICT DO NOTHING;
  INSERT INTO entries (kind, id, content)
    SELECT 'demonstration', demonstrations.id, CASE WHEN answer IS NULL
      THEN json_build_object('library', name, 'task', text, 'calls', calls::json, 'level', level, 'source', source, 'at', at)
      ELSE json_build_object('library', name, 'task', text, 'calls', calls::json, 'answer', answer, 'level', level,
        'source', source, 'at', at) END
    FROM demonstrations JOIN queries ON queries.number = query JOIN libraries ON libraries.number = queries.library
    ORDER BY demonstrations.number
    ON CONFLICT DO NOTHING;
  DROP TABLE usages, demonstrations, tools, queries, libraries, mirror_state, mirror_writes, mirror_deletions;
END $$`;

/** In Postgres, past calls and demonstrations are entries, of which each home keeps a copy in the tables above. */
export const EXPERIENCE_STORE: StoreMigrations = {
  sqlite: EXPERIENCE_MIGRATIONS,
  postgres: [[entriesTable()], [], [entriesTable("IF NOT EXISTS "), TAKE_OVER]],
};

/** Finds the number of a row by its columns; adds the row if there is none. */
export function numbering(
  database: Database,
  { table, columns }: { table: string; columns: readonly string[] },
): (...values: (string | number)[]) => number {
  const condition = columns.map((column) => `${column} = ?`).join(" AND ");
  const places = columns.map(() => "?").join(", ");
  const select = database.prepare(`SELECT number FROM ${table} WHERE ${condition}`).pluck();
  const insert = database.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`,
  );
  const numbers = new Map<string, number>();
  return (...values) => {
    const key = values.join("\0");
    const number =
      numbers.get(key) ??
      (select.get(...values) as number | undefined) ??
      Number(insert.run(...values).lastInsertRowid);
    numbers.set(key, number);
    return number;
  };
}

/** A text without NUL, where SQLite would end it. */
export function withoutNul(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}
