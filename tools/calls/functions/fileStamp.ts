import { type Stats, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Latest } from "../../../common/bounds.js";
import { sha256 } from "../../library/records/hash.js";

/** What is known about a file: a hash of its text, and the files it imports by relative paths. */
interface KnownFile {
  /** Its `stateOf` then. */
  state: string | undefined;
  hash: string;
  imports: string[];
}

/** Enough for the files of all libraries of a process. */
const KNOWN = 2_000;

const known = new Latest<string, KnownFile>(KNOWN);

/**
 * A stamp that changes when a source file, or anything it imports by relative paths, changes. An unreadable
 * file has a stamp too; importing it reports the error.
 */
export function fileStamp(file: string): string {
  const stamps = new Map<string, string>();
  const visit = (path: string) => {
    if (stamps.has(path)) return;
    const { hash = "none", imports = [] } = readKnown(path) ?? {};
    stamps.set(path, hash);
    for (const imported of imports) visit(imported);
  };
  visit(file);
  return [...stamps].map(([path, stamp]) => `${path} ${stamp}`).join("\n");
}

/** A hash of a file's text; undefined for one that is gone. */
export function contentHash(file: string): string | undefined {
  return readKnown(file)?.hash;
}

/** Each stage of a run needs it, so a file that has not changed since is not read again. */
function readKnown(path: string): KnownFile | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  const state = stateOf(stats);
  const before = known.get(path);
  if (before !== undefined && state !== undefined && before.state === state) return before;
  const text = readFileSync(path, "utf8");
  const isProgram = /\.[cm]?[jt]sx?$/.test(path);
  const imports = isProgram ? [...text.matchAll(RELATIVE_IMPORT)] : [];
  const now = {
    state,
    hash: sha256(text),
    imports: imports
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

/** Times and size of a file, to tell whether it has changed; undefined if it has just changed. */
function stateOf({ mtimeMs, ctimeMs, size }: Stats): string | undefined {
  return Date.now() - ctimeMs > TICK_MS ? `${mtimeMs} ${ctimeMs} ${size}` : undefined;
}
