import { setTimeout as sleep } from "node:timers/promises";
import { TulipgraphError } from "../common/errors.js";
import { isAway, isFull } from "./away.js";
import { StorageFailed } from "./sqlite.js";

/** How long something is tried again after the first failure, in milliseconds. */
const PATIENCE_MS = 30_000;

/** How often, in milliseconds. */
const RETRY_MS = 100;

/** A deadlock or a conflict of transactions: Postgres has undone this one. */
const UNDONE = new Set(["40001", "40P01"]);

/**
 * Does something with a store, again if the connection broke. Only for work that may be done twice: where the
 * connection breaks during a commit, nobody knows whether it was done.
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
      if (isOver || !mayBeRepeated(error)) throw storageFailure(store, error);
    }
    await sleep(RETRY_MS);
  }
}

function mayBeRepeated(error: unknown): boolean {
  return isAway(error) || UNDONE.has(codeOf(error) ?? "");
}

/** A failure of a database in our words; anything else stays as it is. */
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
  if (isAway(error)) return ["is away", "What was under way goes on once it is back: resume it"];
  if (isFull(error)) {
    return ["is full, and nothing more can be stored", "Make room, then resume what was under way"];
  }
  if (code === "25006" || code?.startsWith("SQLITE_READONLY")) {
    return ["can only be read", "Allow writing to it, then resume what was under way"];
  }
  return ["failed"];
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
