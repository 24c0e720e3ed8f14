import { setTimeout as sleep } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { TulipgraphError } from "../../common/errors.js";
import { StorageFailed } from "../sqlite/sqlite.js";

/** Errors that the driver of Postgres has thrown. */
const ofPostgres = new WeakSet<Error>();

/**
 * Wraps an asynchronous method of the driver of Postgres, so that its errors are known as such. Those of a model's endpoint
 * or a tool's server have the same codes and words, and say nothing about the database.
 */
export function ofDriver<Given extends unknown[], Answer>(
  method: (...given: Given) => Answer,
): (...given: Given) => Answer {
  return (...given) => {
    const answer = method(...given);
    // With a callback there is no promise.
    if (answer instanceof Promise)
      answer.catch((error: unknown) => error instanceof Error && ofPostgres.add(error));
    return answer;
  };
}

/** Whether an error, or what has caused it, came from a driver of ours and is one of those. */
function isOfDriver(error: unknown, isMeant: (own: Error) => boolean): boolean {
  if (!(error instanceof Error)) return false;
  const isOwn = ofPostgres.has(error) || error instanceof SqliteDatabase.SqliteError;
  return (isOwn && isMeant(error)) || isOfDriver(error.cause, isMeant);
}

/** Error codes of the system and of Postgres for a server that is down, starting, stopping or out of connections. */
const AWAY = new Set(
  "ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN 25P03 57P01 57P02 57P03 53300 08000 08001 08003 08004 08006".split(
    " ",
  ),
);

/** Errors to which `pg` gives no code. */
const AWAY_TEXT = /Connection terminated|connection error|timeout exceeded when trying to connect/;

/**
 * Whether an error means that the database cannot be reached for now, and nothing about the query. The causes of an
 * error count too, so that whoever gets a `StorageFailed` can pause and resume later.
 */
export function isAway(error: unknown): boolean {
  return isOfDriver(error, (own) => AWAY.has(codeOf(own) ?? "") || AWAY_TEXT.test(own.message));
}

/** Error codes of Postgres and SQLite for a full disk or file. */
const FULL = new Set(["53100", "SQLITE_FULL"]);

/** Whether an error means that the database has no room left: it can be read, and nothing can be stored. */
export function isFull(error: unknown): boolean {
  return isOfDriver(error, (own) => FULL.has(codeOf(own) ?? ""));
}

/** Whether an error means that a database cannot be worked with for now: it is away or full. */
export function isUnavailable(error: unknown): boolean {
  return isAway(error) || isFull(error);
}

/** The part of a database's address that may be shown: no user, password or options. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/** Whether a pooler such as PgBouncer stands between a client and Postgres; it is known once the client is ready. */
export function isPooled(client: object): boolean {
  return (client as { isPooled?: boolean }).isPooled === true;
}

/** How long to retry after the first failure, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Pause between tries, in milliseconds. */
const RETRY_MS = 100;

/** A deadlock or a conflict of transactions: Postgres has rolled this one back. */
const UNDONE = new Set(["40001", "40P01"]);

/**
 * Does work with a store, and repeats it if the connection breaks. Only for work that may be done twice: if the
 * connection breaks during a commit, nobody knows whether the work was done.
 *
 * @throws StorageFailed for every failure of the database itself: it is away for too long, full, read-only …
 */
export async function persistently<Result>(
  store: { name: string },
  work: () => Promise<Result>,
): Promise<Result> {
  let giveUpAt: number | undefined;
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TulipgraphError) throw error;
      giveUpAt ??= performance.now() + PATIENCE_MS;
      const isOver = performance.now() > giveUpAt;
      const mayBeRepeated = isAway(error) || UNDONE.has(codeOf(error) ?? "");
      if (isOver || !mayBeRepeated) throw storageFailure(store, error);
    }
    await sleep(RETRY_MS);
  }
}

/** A database's error as a `StorageFailed`; any other error unchanged. */
function storageFailure({ name: file }: { name: string }, error: unknown): unknown {
  const code = codeOf(error);
  if (!(error instanceof Error) || (code === undefined && !isAway(error))) return error;
  const [problem, hint] = problemOf(code, error);
  return new StorageFailed(
    { file, problem: `${problem} (${error.message})`, hint },
    { cause: error },
  );
}

function problemOf(code: string | undefined, error: Error): [problem: string, hint?: string] {
  if (isAway(error)) return ["is away", "Once it is back, resume what was under way"];
  if (isFull(error))
    return ["is full, and nothing more can be stored", "Make room, then resume what was under way"];
  if (code === "25006")
    return ["can only be read", "Allow writing to it, then resume what was under way"];
  return ["failed"];
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** What Postgres refuses in texts: the character NUL and, in JSON, half a surrogate pair. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** A text that Postgres accepts. JSON text needs no change: there such characters are escaped. */
export function storableText(text: string): string {
  return text.replaceAll(UNSTORABLE, "\uFFFD");
}
