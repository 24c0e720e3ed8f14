import type { Migration } from "../../storage/sqlite.js";

/**
 * The schema of `runs.db`. `calls.owner` is the open journal that is running the call, and `holds.owner` the
 * one whose run holds the thread.
 */
export const JOURNAL_MIGRATIONS: readonly Migration[] = [
  [
    `CREATE TABLE owners (
       id TEXT PRIMARY KEY,
       host TEXT NOT NULL,
       pid INTEGER NOT NULL,
       process_started INTEGER NOT NULL,
       beat_at INTEGER NOT NULL
     )`,
    `CREATE TABLE calls (
       id INTEGER PRIMARY KEY,
       thread_id TEXT NOT NULL,
       call_id TEXT NOT NULL,
       args_hash TEXT NOT NULL,
       tool TEXT NOT NULL,
       args TEXT NOT NULL,
       effects TEXT NOT NULL CHECK (effects IN ('read', 'write')),
       owner TEXT,
       started_at INTEGER NOT NULL,
       status TEXT NOT NULL CHECK (status IN ('started', 'done', 'error', 'timeout')),
       result TEXT,
       error TEXT,
       ms REAL,
       cost REAL,
       UNIQUE (thread_id, call_id, args_hash)
     )`,
    `CREATE INDEX running_calls ON calls (owner) WHERE owner IS NOT NULL`,
    `CREATE TABLE worlds (
       name TEXT NOT NULL,
       run_id TEXT NOT NULL,
       revision INTEGER NOT NULL,
       state TEXT NOT NULL,
       PRIMARY KEY (name, run_id)
     )`,
  ],
  // A call is accepted first, and started when its tool's code may run. Ids stay, because states refer to them.
  [
    `CREATE TABLE accepted_calls (
       id INTEGER PRIMARY KEY,
       thread_id TEXT NOT NULL,
       call_id TEXT NOT NULL,
       args_hash TEXT NOT NULL,
       tool TEXT NOT NULL,
       args TEXT NOT NULL,
       effects TEXT NOT NULL CHECK (effects IN ('read', 'write')),
       owner TEXT,
       started_at INTEGER NOT NULL,
       status TEXT NOT NULL CHECK (status IN ('accepted', 'started', 'done', 'error', 'timeout')),
       result TEXT,
       error TEXT,
       ms REAL,
       cost REAL,
       UNIQUE (thread_id, call_id, args_hash)
     )`,
    `INSERT INTO accepted_calls
       SELECT id, thread_id, call_id, args_hash, tool, args, effects, owner, started_at, status,
              result, error, ms, cost
       FROM calls`,
    `DROP TABLE calls`,
    `ALTER TABLE accepted_calls RENAME TO calls`,
    `CREATE INDEX running_calls ON calls (owner) WHERE owner IS NOT NULL`,
    `CREATE TABLE holds (
       thread_id TEXT PRIMARY KEY,
       token TEXT NOT NULL,
       owner TEXT NOT NULL,
       taken_at INTEGER NOT NULL
     )`,
  ],
];
