import { statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { LibraryFailed } from "../../common/errors.js";
import { packageRoot, packageVersion } from "../../storage/packageRoot.js";
import { contentHash } from "../calls/functions/fileStamp.js";
import type { LibraryEditor } from "../library/library.js";
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
  const isChanged = files.some((file) => {
    const changedAt = statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? Infinity;
    return Math.floor(changedAt) > since;
  });
  return isChanged ? "" : JSON.stringify(fingerprint);
}

/** Whether a reading with this fingerprint would give the same again; not if there is none. */
export function isCurrent(fingerprint: string): boolean {
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
export interface Place {
  store: LibraryStore;
  library: LibraryEditor;
  origin: string;
}

/** A reading whose fingerprint the library does not store, and why it failed if it did. */
interface Unstored {
  fingerprint: string;
  error?: LibraryFailed;
}

const unstored = new WeakMap<LibraryStore, Map<string, Unstored>>();

/**
 * Notes a reading that failed, or some of whose tools the library refused because their names are taken. The library then
 * stores no fingerprint, so that the files are read again; but this process waits until the library or a file has
 * changed, or each stage of a run would read them.
 */
export function noteUnstored(place: Place, reading: Unstored): void {
  const noted = unstored.get(place.store) ?? new Map<string, Unstored>();
  unstored.set(place.store, noted.set(keyOf(place), reading));
}

/** The last such reading of an origin, if the library has not changed since. */
export function lastUnstored(place: Place): Unstored | undefined {
  return unstored.get(place.store)?.get(keyOf(place));
}

function keyOf({ library, origin }: Place): string {
  return JSON.stringify([library.name, library.revision, origin]);
}
