/** Error codes of the system and of Postgres for a server that is down, starting, stopping or out of connections. */
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

/** Errors to which `pg` gives no code. */
const AWAY_TEXT = /Connection terminated|connection error|timeout exceeded when trying to connect/;

/**
 * Whether an error means that the database cannot be reached for now, and nothing about the query. The causes of an
 * error count too, so that whoever gets a `StorageFailed` can pause and resume later.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && AWAY.has(String(error.code))) return true;
  return AWAY_TEXT.test(error.message) || isAway(error.cause);
}

/** Error codes of Postgres and SQLite for a full disk or file. */
const FULL = new Set(["53100", "SQLITE_FULL"]);

/** Whether an error means that the database has no room left: it can be read, and nothing can be stored. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && FULL.has(String(error.code))) || isFull(error.cause);
}

/** The part of a database's address that may be shown: no user, password or options. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}
