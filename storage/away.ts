/** Codes of the system and of Postgres for a server that is not there, starts, stops or has no connection left. */
const AWAY = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "25P03",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
]);

/** What `pg` says without a code. */
const AWAY_TEXT = /Connection terminated|connection error|timeout exceeded when trying to connect/;

/**
 * Whether a failure says that the database is away for now, and nothing of what was asked. That of a failure which a
 * `StorageFailed` reports counts too: whoever runs something can pause it and go on later.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && AWAY.has(String(error.code))) return true;
  return AWAY_TEXT.test(error.message) || isAway(error.cause);
}

/** Codes of Postgres and SQLite for a disk, or a file, that takes no more. */
const FULL = new Set(["53100", "SQLITE_FULL"]);

/** Whether a failure says that the database has no room left: reading goes on, and nothing can be stored. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && FULL.has(String(error.code))) || isFull(error.cause);
}

/** What may be shown of a database's address: no user, no password, no options. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}
