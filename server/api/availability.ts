import { setTimeout as sleep } from "node:timers/promises";
import { databaseName, isAway } from "../../storage/away.js";
import { borrowPool } from "../../storage/postgresPool.js";
import type { DataPlace } from "../../storage/database.js";

/** How often the database is checked, in milliseconds. */
const CHECK_MS = 1_000;

/** How long it may take to answer, in milliseconds. */
const ANSWER_MS = 3_000;

/** Whether the database can be reached. */
export interface Availability {
  /** At the last check. */
  isAway: () => boolean;
  /** Checks now. */
  check: () => Promise<boolean>;
  /** The database for messages, without a password. */
  name: string;
  end: () => void;
}

/** Watches a database; SQLite can always be reached. */
export function watchDatabase({ home, url }: DataPlace): Availability {
  if (url === undefined) {
    return { isAway: () => false, check: async () => true, name: home, end: () => undefined };
  }
  const { pool, end: giveBack } = borrowPool(url);
  let isGone = false;
  const over = new AbortController();
  const check = async () => {
    const asked = pool.query("SELECT 1").then(
      () => true,
      (error: unknown) => !isAway(error),
    );
    const late = sleep(ANSWER_MS, false, { ref: false });
    isGone = !(await Promise.race([asked, late]));
    return !isGone;
  };
  const watch = async () => {
    while (!over.signal.aborted) {
      await check();
      await sleep(CHECK_MS, undefined, { ref: false });
    }
  };
  void watch();
  return {
    isAway: () => isGone,
    check,
    name: databaseName(url),
    end: () => {
      over.abort();
      void giveBack();
    },
  };
}
