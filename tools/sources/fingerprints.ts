import { existsSync, readFileSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { LibraryFailed } from "../../common/errors.js";
import { packageRoot, packageVersion } from "../../storage/packageRoot.js";
import { sha256 } from "../library/records/hash.js";
import { fileState } from "../runtime/functions/fileStamp.js";
import type { ToolLibrary } from "../library/library.js";
import type { LibraryStore } from "../library/store.js";

/** Constant while the process runs, and needed at each stage. */
const VERSION = packageVersion();
const ROOT = packageRoot();

/** Which files were read, and their content; the version counts because the reader may change. */
interface Fingerprint {
  version: string;
  /** By path, relative for files of the package: installations in different folders may share a database. */
  files: Record<string, string | undefined>;
}

/**
 * A text that stays the same as long as reading these files gives the same tools. Empty if a file has changed since
 * the reading began, because then nobody knows what was read.
 *
 * @param options.since when the reading began, in milliseconds since 1970
 */
export function fingerprintOf(options: { files: readonly string[]; since: number }): string {
  const { files, since } = options;
  const fingerprint: Fingerprint = {
    version: VERSION,
    files: Object.fromEntries(files.map((file) => [pathOf(file), contentHash(file)])),
  };
  // Checked last, to catch changes during hashing.
  return files.some((file) => changedAt(file) > since) ? "" : JSON.stringify(fingerprint);
}

/**
 * Whether the tools of an origin match its files.
 *
 * @param options.fingerprint of the reading that the library's tools come from; empty if there is none
 * @param options.file the origin's file
 * @throws LibraryFailed when the file is gone
 */
export function isCurrent({
  file,
  fingerprint: stored,
  ...place
}: Place & { fingerprint: string; file: string }): boolean {
  if (!existsSync(file)) throw goneFile(place);
  const fingerprint = stored || refusedFingerprint(place);
  if (!fingerprint) return false;
  const { version, files } = JSON.parse(fingerprint) as Fingerprint;
  return (
    version === VERSION &&
    Object.entries(files).every(([path, hash]) => contentHash(resolve(ROOT, path)) === hash)
  );
}

function pathOf(file: string): string {
  const path = relative(ROOT, file);
  const isOutside = path.startsWith("..") || isAbsolute(path);
  return isOutside ? file : path.split(sep).join("/");
}

/** An origin of a library in a store. */
interface Place {
  store: LibraryStore;
  library: ToolLibrary;
  origin: string;
}

const refusals = new WeakMap<LibraryStore, Map<string, string>>();

/**
 * Notes a reading some of whose tools the library refused because their names are taken. The library then stores no
 * fingerprint, so that the files are read again; but this process waits until the library has changed, or each stage of
 * a run would read them.
 */
export function noteRefusal({ fingerprint, ...place }: Place & { fingerprint: string }): void {
  const noted = refusals.get(place.store) ?? new Map<string, string>();
  refusals.set(place.store, noted.set(keyOf(place), fingerprint));
}

/** A failed reading, and why it failed. */
interface Failure {
  fingerprint: string;
  error: LibraryFailed;
}

const failures = new WeakMap<LibraryStore, Map<string, Failure>>();

/** Notes a failed reading, so that stages do not read the same files again. */
export function noteFailure({ fingerprint, error, ...place }: Place & Failure): void {
  const noted = failures.get(place.store) ?? new Map<string, Failure>();
  failures.set(place.store, noted.set(keyOf(place), { fingerprint, error }));
}

/** The last failed reading of an origin, if the library has not changed since. */
export function knownFailure(place: Place): Failure | undefined {
  return failures.get(place.store)?.get(keyOf(place));
}

function refusedFingerprint(place: Place): string | undefined {
  return refusals.get(place.store)?.get(keyOf(place));
}

function keyOf({ library, origin }: Place): string {
  return JSON.stringify([library.name, library.revision, origin]);
}

function goneFile({ library, origin }: Place): LibraryFailed {
  return new LibraryFailed({
    library: library.name,
    problem: `the file ${origin} with its functions is gone`,
    hint: `bring it back, or remove its tools with: tulipgraph tools remove --file ${origin} --library ${library.name}`,
  });
}

/** Hashes of files with their times and sizes then, because each stage needs them. */
const hashes = new Map<string, { state: string; hash: string }>();

/** Enough for the files of all libraries of a process; a new one replaces the oldest. */
const HASHES_KEPT = 2_000;

/** Undefined for a file that is gone. */
function contentHash(file: string): string | undefined {
  try {
    const state = fileState(file);
    const known = hashes.get(file);
    if (known && known.state === state) return known.hash;
    const hash = sha256(readFileSync(file, "utf8"));
    hashes.delete(file);
    if (state !== undefined) hashes.set(file, { state, hash });
    const [oldest] = hashes.keys();
    if (hashes.size > HASHES_KEPT && oldest !== undefined) hashes.delete(oldest);
    return hash;
  } catch (error) {
    if (existsSync(file)) throw error;
    return undefined;
  }
}

/** In whole milliseconds, like `Date.now()`. */
function changedAt(file: string): number {
  return Math.floor(statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? Infinity);
}
