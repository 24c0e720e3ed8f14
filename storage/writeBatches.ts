import { setImmediate } from "node:timers";
import type { Database } from "./sqlite.js";

/** Writes that are put together. */
export interface WriteBatches {
  /**
   * The database for whoever writes: what is written waits for a moment, and what is read is read after all
   * that waits. What a write says of itself, such as how many rows it has changed, is not known then.
   */
  database: Database;
  /**
   * Resolves when all that was written until now is in the file.
   *
   * @throws what the batch ended with, of which nothing is in the file then
   */
  saved: () => Promise<void>;
  /** Writes what waits, at once. */
  flush: () => void;
}

interface Batch {
  writes: (() => void)[];
  saved: Promise<void>;
  end: (error?: unknown) => void;
}

/**
 * Puts writes of the same moment into one transaction. Nobody is told that a write is done before it is in the
 * file.
 */
export function writeBatches(database: Database): WriteBatches {
  let open: Batch | undefined;
  let isWriting = false;
  const flush = () => {
    const batch = open;
    open = undefined;
    if (!batch) return;
    isWriting = true;
    try {
      database
        .transaction(() => {
          for (const write of batch.writes) write();
        })
        .immediate();
      batch.end();
    } catch (error) {
      batch.end(error);
    } finally {
      isWriting = false;
    }
  };
  const later = (write: () => void) => {
    if (isWriting) return write();
    if (!open) {
      open = newBatch();
      setImmediate(flush);
    }
    open.writes.push(write);
  };
  return {
    database: deferred({ database, later, flush }),
    saved: async () => await open?.saved,
    flush,
  };
}

function newBatch(): Batch {
  const batch: Batch = { writes: [], saved: Promise.resolve(), end: () => undefined };
  batch.saved = new Promise((resolve, reject) => {
    batch.end = (error) => (error === undefined ? resolve() : reject(error));
  });
  // Who waits for it is told; nobody may wait.
  batch.saved.catch(() => undefined);
  return batch;
}

const WRITTEN = { changes: 0, lastInsertRowid: 0 };

/** As much of a database as a saver of checkpoints uses. */
function deferred(options: {
  database: Database;
  later: (write: () => void) => void;
  flush: () => void;
}): Database {
  const { database, later, flush } = options;
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    return {
      run: (...values: unknown[]) => {
        later(() => void statement.run(...values));
        return WRITTEN;
      },
      get: (...values: unknown[]) => {
        flush();
        return statement.get(...values);
      },
      all: (...values: unknown[]) => {
        flush();
        return statement.all(...values);
      },
    };
  };
  return {
    prepare,
    transaction:
      (write: (...values: unknown[]) => void) =>
      (...values: unknown[]) =>
        later(() => write(...values)),
    exec: (sql: string) => {
      flush();
      database.exec(sql);
    },
    pragma: (source: string) => {
      flush();
      return database.pragma(source);
    },
  } as unknown as Database;
}
