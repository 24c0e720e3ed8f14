import { type Stats, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { sha256 } from "../../library/records/hash.js";

/** What is known about a file: a hash of its text, and the files it imports by relative paths. */
interface KnownFile {
  /** Its `fileState` then. */
  state: string | undefined;
  stamp: string;
  imports: string[];
}

const known = new Map<string, KnownFile>();

/**
 * A stamp that changes when a source file, or anything it imports by relative paths, changes. An unreadable
 * file has a stamp too; importing it reports the error.
 */
export function fileStamp(file: string): string {
  const stamps = new Map<string, string>();
  const visit = (path: string) => {
    if (stamps.has(path)) return;
    const { stamp, imports } = readKnown(path);
    stamps.set(path, stamp);
    for (const imported of imports) visit(imported);
  };
  visit(file);
  return [...stamps].map(([path, stamp]) => `${path} ${stamp}`).join("\n");
}

function readKnown(path: string): KnownFile {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return { state: undefined, stamp: "none", imports: [] };
  const state = fileState(path, stats);
  const before = known.get(path);
  if (before !== undefined && state !== undefined && before.state === state) return before;
  const text = readFileSync(path, "utf8");
  const now = {
    state,
    stamp: sha256(text),
    imports: [...text.matchAll(RELATIVE_IMPORT)]
      .map(([, specifier = ""]) => sourceBehind(resolve(dirname(path), specifier)))
      .filter((found) => found !== undefined),
  };
  known.set(path, now);
  return now;
}

/** A rough match: a false import (say, in a comment) only widens what is watched. */
const RELATIVE_IMPORT = /\b(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;

/** `x.js` may mean `x.ts`, and a path without extension a file or a folder. */
function sourceBehind(path: string): string | undefined {
  const typed = path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
  const candidates = [
    path,
    typed,
    ...[".ts", ".tsx", ".js", "/index.ts", "/index.js"].map((end) => path + end),
  ];
  return candidates.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/**
 * Two changes within one tick of the file system's clock have the same time, and often the same size. Time and
 * size are therefore trusted only if the last change is at least this long ago, in milliseconds.
 */
const TICK_MS = 2_500;

/** Times and size of a file, to tell whether it has changed; undefined if it is gone or has just changed. */
export function fileState(
  path: string,
  stats: Stats | undefined = statSync(path, { throwIfNoEntry: false }),
): string | undefined {
  if (!stats?.isFile()) return undefined;
  const { mtimeMs, ctimeMs, size } = stats;
  return Date.now() - ctimeMs > TICK_MS ? `${mtimeMs} ${ctimeMs} ${size}` : undefined;
}
