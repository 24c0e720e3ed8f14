import { existsSync, readFileSync, statSync } from "node:fs";
import { LibraryFailed } from "../common/errors.js";
import { packageVersion } from "../storage/packageRoot.js";
import { sha256 } from "../tools/library/hash.js";
import { fileState } from "../tools/runtime/fileState.js";
import type { ToolLibrary } from "../tools/library/library.js";
import type { LibraryStore } from "../tools/library/store.js";

/** Does not change while the process runs, and is asked for at each stage of a run. */
const VERSION = packageVersion();

/** Which files were read, and what they held; the reader may change with the package's version. */
interface Fingerprint {
  version: string;
  files: Record<string, string | undefined>;
}

/**
 * A text that stays the same as long as reading these files gives the same tools; empty where one of them
 * has changed since the reading began, so that nobody knows what was read of it.
 *
 * @param options.since when the reading began, in milliseconds since 1970
 */
export function fingerprintOf(options: { files: readonly string[]; since: number }): string {
  const { files, since } = options;
  const fingerprint: Fingerprint = {
    version: VERSION,
    files: Object.fromEntries(files.map((file) => [file, contentHash(file)])),
  };
  // Looked at last: what changes while it is hashed has changed, too.
  return files.some((file) => changedAt(file) > since) ? "" : JSON.stringify(fingerprint);
}

/**
 * Whether the tools of an origin are as its files have them now.
 *
 * @param options.fingerprint of the reading that the library's tools are from; empty when there is none
 * @param options.file where the origin lies
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
    version === VERSION && Object.entries(files).every(([path, hash]) => contentHash(path) === hash)
  );
}

/** An origin of a library in a store. */
interface Place {
  store: LibraryStore;
  library: ToolLibrary;
  origin: string;
}

const refusals = new WeakMap<LibraryStore, Map<string, string>>();

/**
 * Notes a reading of which the library has refused some tools, because it has others of their names.
 * The library keeps no fingerprint then, so that they are tried again. While this process runs, that
 * is worth while only once the library has changed: else each stage of a run would read the files anew.
 */
export function noteRefusal({ fingerprint, ...place }: Place & { fingerprint: string }): void {
  const noted = refusals.get(place.store) ?? new Map<string, string>();
  refusals.set(place.store, noted.set(keyOf(place), fingerprint));
}

/** A reading of which nothing could be used, and why. */
interface Failure {
  fingerprint: string;
  error: LibraryFailed;
}

const failures = new WeakMap<LibraryStore, Map<string, Failure>>();

/** Notes a reading that has failed, so that no stage of a run reads the same files again. */
export function noteFailure({ fingerprint, error, ...place }: Place & Failure): void {
  const noted = failures.get(place.store) ?? new Map<string, Failure>();
  failures.set(place.store, noted.set(keyOf(place), { fingerprint, error }));
}

/** The last reading of an origin that has failed, where the library has not changed since. */
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

/** Hashes of files, with the times and the size that they had then: each stage of a run asks for them. */
const hashes = new Map<string, { state: string; hash: string }>();

/** Enough for the files of all libraries of a process; the oldest makes place for a new one. */
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

/** In whole milliseconds, as the time of day is told. */
function changedAt(file: string): number {
  return Math.floor(statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? Infinity);
}
