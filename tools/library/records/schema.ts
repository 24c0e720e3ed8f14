import type { StoreMigrations } from "../../../storage/database.js";

/**
 * Schema of `libraries.db`. Append only: each entry is one version of the file.
 *
 * `libraries.content` is a random name, new with each revision. Revision numbers alone would let an index file of a
 * deleted library, or of a database that was restored from a copy, pass for a current one.
 *
 * `versions` is append-only; a row without a definition means that the tool was removed. Its `note` (JSON, an
 * `EditNote`) tells who made a version of a made tool, and why. `vectors` and `adapters` are stored for each embedding
 * model. The revision of an adapter is never used twice, so that a process notices when the one in its memory is
 * outdated. `search_weights` is no longer used. `tool_words` holds the words of the tools (see wordTable.ts), and
 * `libraries.words` the form in which they were written; without it, they are written again at the next search.
 * `sources` are the connected sources of the home (see tools/remote.ts), for all libraries. `pins` are the definitions
 * of their tools that were accepted, and `withheld` those that were not (see pins.ts). `labels` are labels given by
 * hand (JSON, `KeptLabels`), not only for flow rules; they hold whatever the source says.
 */
export const LIBRARY_MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE libraries (
      number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,
      description TEXT NOT NULL, revision INTEGER NOT NULL, content TEXT NOT NULL
    ) STRICT`,
    `CREATE TABLE origins (
      library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE, origin TEXT NOT NULL,
      fingerprint TEXT NOT NULL, PRIMARY KEY (library, origin)
    ) STRICT`,
    `CREATE TABLE tools (
      position INTEGER PRIMARY KEY AUTOINCREMENT, library INTEGER NOT NULL, id TEXT NOT NULL,
      origin TEXT NOT NULL, version INTEGER NOT NULL, hash TEXT NOT NULL, definition TEXT NOT NULL,
      UNIQUE (library, id), FOREIGN KEY (library, origin) REFERENCES origins ON DELETE CASCADE
    ) STRICT`,
    `CREATE TABLE versions (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE, id TEXT NOT NULL,
      version INTEGER NOT NULL, hash TEXT NOT NULL, definition TEXT, at TEXT NOT NULL
    ) STRICT`,
    `CREATE INDEX versions_of_tool ON versions (library, id, sequence)`,
    `CREATE TABLE vectors (
      library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE, model TEXT NOT NULL,
      dimension INTEGER NOT NULL, text_hash TEXT NOT NULL, vector BLOB NOT NULL,
      PRIMARY KEY (library, model, dimension, text_hash)
    ) STRICT`,
  ],
  [`ALTER TABLE versions ADD COLUMN note TEXT`],
  [
    `CREATE TABLE adapters (
      revision INTEGER PRIMARY KEY AUTOINCREMENT,
      library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE, model TEXT NOT NULL,
      dimension INTEGER NOT NULL, requests INTEGER NOT NULL, at TEXT NOT NULL,
      weights BLOB NOT NULL, UNIQUE (library, model, dimension)
    ) STRICT`,
  ],
  [
    `CREATE TABLE labels (
      library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE, id TEXT NOT NULL,
      flow TEXT NOT NULL, PRIMARY KEY (library, id)
    ) STRICT`,
  ],
  [
    `CREATE TABLE words (
      library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE, word TEXT NOT NULL,
      segment INTEGER NOT NULL, entries BLOB NOT NULL, PRIMARY KEY (library, word, segment)
    ) STRICT`,
    `CREATE TABLE word_segments (
      library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE, segment INTEGER NOT NULL,
      numbers BLOB NOT NULL, PRIMARY KEY (library, segment)
    ) STRICT`,
    `CREATE TABLE word_states (
      library INTEGER PRIMARY KEY REFERENCES libraries ON DELETE CASCADE, form INTEGER NOT NULL,
      content TEXT NOT NULL, tools INTEGER NOT NULL
    ) STRICT`,
  ],
  [
    `CREATE TABLE search_weights (
      library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE, model TEXT NOT NULL,
      requests INTEGER NOT NULL, at TEXT NOT NULL, weights TEXT NOT NULL,
      PRIMARY KEY (library, model)
    ) STRICT`,
  ],
  [`ALTER TABLE word_states ADD COLUMN entries INTEGER NOT NULL DEFAULT -1`],
  [`ALTER TABLE word_segments ADD COLUMN version INTEGER NOT NULL DEFAULT 0`],
  [
    `CREATE TABLE sources (
      name TEXT PRIMARY KEY, kind TEXT NOT NULL, settings TEXT NOT NULL, listed TEXT
    ) STRICT`,
  ],
  [
    `CREATE TABLE pins (
      library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE, origin TEXT NOT NULL,
      id TEXT NOT NULL, hash TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (library, origin, id)
    ) STRICT`,
    `CREATE TABLE withheld (
      library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE, origin TEXT NOT NULL,
      id TEXT NOT NULL, hash TEXT NOT NULL, definition TEXT NOT NULL, at TEXT NOT NULL,
      rejected INTEGER NOT NULL, PRIMARY KEY (library, origin, id)
    ) STRICT`,
  ],
  [
    "DROP TABLE words",
    "DROP TABLE word_segments",
    "DROP TABLE word_states",
    `CREATE VIRTUAL TABLE tool_words USING fts5(
      name, source, description, parameters, details, traits UNINDEXED, tokenize = 'ascii'
    )`,
    "CREATE VIRTUAL TABLE tool_word_counts USING fts5vocab(tool_words, row)",
    `CREATE TRIGGER words_of_removed AFTER DELETE ON tools BEGIN
      DELETE FROM tool_words WHERE rowid = old.position;
    END`,
    "ALTER TABLE libraries ADD COLUMN words INTEGER",
  ],
];

/** Tables of a library that cannot be made again, with the column that counts over all libraries of a database. */
export const LIBRARY_TABLES = {
  libraries: "",
  origins: "",
  tools: "position",
  versions: "sequence",
  vectors: "",
  adapters: "revision",
  labels: "",
  pins: "",
  withheld: "",
};

/** Versions of the tables in Postgres before a library was an artefact there. */
const OLD_VERSIONS = 10;

/**
 * In Postgres, a library is an artefact: a file with the tables above, of which each revision is kept whole. What
 * revisions have in common is stored once, as parts. The connected sources are rows as in `libraries.db`.
 */
export const LIBRARY_STORE: StoreMigrations = {
  sqlite: LIBRARY_MIGRATIONS,
  postgres: [
    ...Array.from({ length: OLD_VERSIONS }, () => []),
    [
      `CREATE TABLE artefacts (
        number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
        revision bigint NOT NULL
      )`,
      `CREATE TABLE revisions (
        artefact bigint NOT NULL REFERENCES artefacts ON DELETE CASCADE, revision bigint NOT NULL,
        hash text NOT NULL, parts text[] NOT NULL, PRIMARY KEY (artefact, revision)
      )`,
      `CREATE TABLE parts (
        artefact bigint NOT NULL REFERENCES artefacts ON DELETE CASCADE, hash text NOT NULL,
        bytes bytea NOT NULL, PRIMARY KEY (artefact, hash)
      )`,
      `CREATE TABLE IF NOT EXISTS sources (
        name text PRIMARY KEY, kind text NOT NULL, settings text NOT NULL, listed text
      )`,
    ],
    ["ALTER TABLE sources DROP COLUMN IF EXISTS mirror_number"],
  ],
};

/** Tools, versions and adapters of an artefact are numbered from here on, for each artefact. */
export const NUMBERS_EACH = 1_000_000_000;
