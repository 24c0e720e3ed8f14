import type { StoreMigrations } from "../storage/database.js";

/**
 * Schema of `memory.db`. Append only: each entry is one version of the file.
 *
 * `usages` is the truth and is only ever added to. `tools` holds its sums, updated in the transaction that adds
 * a call. `vectors` is a cache; whatever is missing is computed again. `queries` holds the requests of past calls and
 * the tasks of `demonstrations`, so both are compared by the same vectors.
 */
export const EXPERIENCE_MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE libraries (
       number INTEGER PRIMARY KEY,
       name TEXT NOT NULL UNIQUE
     ) STRICT`,
    `CREATE TABLE queries (
       number INTEGER PRIMARY KEY,
       library INTEGER NOT NULL REFERENCES libraries (number),
       text TEXT NOT NULL,
       UNIQUE (library, text)
     ) STRICT`,
    `CREATE TABLE tools (
       number INTEGER PRIMARY KEY,
       library INTEGER NOT NULL REFERENCES libraries (number),
       id TEXT NOT NULL,
       calls INTEGER NOT NULL DEFAULT 0,
       judged INTEGER NOT NULL DEFAULT 0,
       helpful INTEGER NOT NULL DEFAULT 0,
       total_ms REAL NOT NULL DEFAULT 0,
       total_result_tokens REAL NOT NULL DEFAULT 0,
       total_cost REAL NOT NULL DEFAULT 0,
       UNIQUE (library, id)
     ) STRICT`,
    `CREATE TABLE usages (
       number INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       query INTEGER NOT NULL REFERENCES queries (number),
       tool INTEGER NOT NULL REFERENCES tools (number),
       args TEXT NOT NULL,
       result TEXT NOT NULL,
       failed INTEGER NOT NULL CHECK (failed IN (0, 1)),
       helpful INTEGER CHECK (helpful IN (0, 1)),
       judged_by TEXT NOT NULL,
       cost REAL NOT NULL CHECK (cost >= 0),
       ms REAL NOT NULL CHECK (ms >= 0),
       at REAL NOT NULL
     ) STRICT`,
    // Covers what is read for evidence, which never touches arguments and results.
    `CREATE INDEX judged_usages ON usages (tool, number, query, helpful)
       WHERE helpful IS NOT NULL`,
    `CREATE TABLE packed_judgements (
       tool INTEGER PRIMARY KEY REFERENCES tools (number),
       through INTEGER NOT NULL,
       rows BLOB NOT NULL
     ) STRICT`,
    `CREATE TABLE vectors (
       model TEXT NOT NULL,
       dimension INTEGER NOT NULL,
       block INTEGER NOT NULL,
       present BLOB NOT NULL,
       components BLOB NOT NULL,
       PRIMARY KEY (model, dimension, block)
     ) STRICT`,
    `CREATE TABLE demonstrations (
       number INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       query INTEGER NOT NULL REFERENCES queries (number),
       level TEXT NOT NULL CHECK (level IN ('subtask', 'tool')),
       calls TEXT NOT NULL,
       answer TEXT,
       source TEXT NOT NULL CHECK (source IN ('file', 'generated', 'run')),
       at REAL NOT NULL
     ) STRICT`,
    "CREATE INDEX demonstrations_of_tasks ON demonstrations (query)",
  ],
  [
    "DROP TABLE packed_judgements",
    "DROP TABLE vectors",
    `CREATE TABLE vectors (
       model TEXT NOT NULL,
       dimension INTEGER NOT NULL,
       query INTEGER NOT NULL,
       vector BLOB NOT NULL,
       PRIMARY KEY (model, dimension, query)
     ) STRICT`,
  ],
];

/** In Postgres, past calls and demonstrations are entries, of which each home keeps a copy in the tables above. */
export const EXPERIENCE_STORE: StoreMigrations = {
  sqlite: EXPERIENCE_MIGRATIONS,
  postgres: [
    [
      `CREATE TABLE entries (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL,
        id text NOT NULL UNIQUE,
        content text NOT NULL
      )`,
    ],
  ],
};
