import type { RowMigrations } from "../../../storage/mirror/rowStore.js";

const migrations: RowMigrations = [
  [
    "CREATE TABLE shelves (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT",
    `CREATE TABLE books (
      shelf INTEGER NOT NULL REFERENCES shelves ON DELETE CASCADE,
      title TEXT NOT NULL, weight REAL, cover BLOB, PRIMARY KEY (shelf, title)
    ) STRICT`,
    "CREATE TABLE counted (shelf INTEGER PRIMARY KEY, books INTEGER NOT NULL) STRICT",
  ],
];

/** A store of books on shelves, with a cache of their counts. */
export const BOOKS = { store: "books", migrations, caches: ["counted"] };
