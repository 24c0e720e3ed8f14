import { accessSync, constants, existsSync, readdirSync, statfsSync } from "node:fs";
import { basename, dirname, sep } from "node:path";
import { TulipgraphError, explained, messageOf } from "../common/errors.js";

/** A SQLite file or a database that cannot be opened, read, written or migrated. */
export class StorageFailed extends TulipgraphError {
  readonly code = "STORAGE_FAILED";

  constructor(
    readonly details: { file: string; problem: string; hint?: string },
    options?: ErrorOptions,
  ) {
    super(explained(details.file, details), options);
  }
}

export function closedStore(file: string): StorageFailed {
  return new StorageFailed({ file, problem: "is closed", hint: "Open it again" });
}

/** What SQLite calls them, in the lowest byte of its result codes. */
const BUSY = 5;
const READ_ONLY = 8;
const INPUT_OUTPUT = 10;
const CORRUPT = 11;
const FULL = 13;
const NO_DATABASE = 26;

/** Whether SQLite found a file locked by another process. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return resultOf(error) === BUSY || isBusy(error.cause);
}

/**
 * SQLite's error as one about its file, if the file is what is wrong; errors of a statement stay as they are.
 *
 * @param file the file that was used
 */
export function explainedFailure(file: string, error: unknown): unknown {
  if (error instanceof StorageFailed || !(error instanceof Error)) return error;
  const found = problemOf(file, error);
  if (!found) return error;
  const [problem, hint] = found;
  const said = `${problem} (${messageOf(error)})`;
  return new StorageFailed({ file, problem: said, hint }, { cause: error });
}

/** Why a file could not be opened. */
export function openingFailure(file: string, error: unknown): StorageFailed {
  const failure = explainedFailure(file, error);
  if (failure instanceof StorageFailed) return failure;
  const problem = `cannot be opened (${noAccess(file) ?? messageOf(error)})`;
  const hint = "Choose a folder that can be written to";
  return new StorageFailed({ file, problem, hint }, { cause: error });
}

/** Why nobody of this user's may use a file, which SQLite does not say. */
function noAccess(file: string): string | undefined {
  try {
    for (const path of [dirname(file), file].filter(existsSync)) accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function problemOf(file: string, error: Error): [problem: string, hint: string] | undefined {
  const result = resultOf(error);
  if (result === FULL || (result === INPUT_OUTPUT && isDiskFull(file))) {
    const hint = "Make room on its disk, then resume what was under way";
    return ["is full, and nothing more can be stored", hint];
  }
  if (result === CORRUPT || result === NO_DATABASE) return ["is damaged", repairOf(file)];
  if (result === READ_ONLY)
    return ["can only be read", "Allow writing to it, then resume what was under way"];
  if (result === INPUT_OUTPUT)
    return ["cannot be read or written", `Check its disk, then run: ${CHECK}`];
  if (result === BUSY)
    return ["is locked by another process", "Try again once that process is done"];
  return undefined;
}

const CHECK = "tulipgraph db check";

/** What to do about a damaged file, and which copies of it there are. */
export function repairOf(file: string): string {
  if (file.includes(`${sep}fetched${sep}`))
    return "Remove it: it is a copy, and is fetched anew from the database";
  const [newest] = copiesOf(file);
  const copy = newest
    ? `an update has kept ${newest} beside it`
    : "there is no copy from an update beside it";
  return `Stop whatever uses it, see what is damaged with: ${CHECK}; then put a back-up in its place (${copy})`;
}

/** The names of the copies that updates have made before they changed a file, the newest first. */
function copiesOf(file: string): string[] {
  const beginning = `${basename(file)}.before-`;
  const number = (name: string) => Number.parseInt(name.slice(beginning.length), 10);
  try {
    return readdirSync(dirname(file))
      .filter((name) => name.startsWith(beginning))
      .toSorted((one, other) => number(other) - number(one));
  } catch {
    return [];
  }
}

/** On a full disk SQLite may only say that it could not make its files larger. */
function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize < LEAST_BYTES;
  } catch {
    return false;
  }
}

/** The size to which SQLite makes the shared memory of a file at once. */
const LEAST_BYTES = 32_768;

function resultOf(error: Error): number | undefined {
  if ("code" in error && error.code === "ENOSPC") return FULL;
  // The rest of it says more, for example which page could not be read.
  return "rawCode" in error && typeof error.rawCode === "number" ? error.rawCode & 0xff : undefined;
}
