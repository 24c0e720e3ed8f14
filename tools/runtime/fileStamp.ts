import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { sha256 } from "../library/hash.js";
import { fileState } from "./fileState.js";

/** What was read of a file: a hash of its text, and the files that it imports by relative paths. */
interface KnownFile {
  /** Times and size that the file had then; undefined where they cannot be relied on. */
  state: string | undefined;
  stamp: string;
  imports: string[];
}

const known = new Map<string, KnownFile>();

/**
 * Tells whether a source file, or what it imports by relative paths, has changed: two stamps are equal
 * when none has. A file that cannot be read has a stamp, too; who imports it gets the error.
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
  const now = { state, stamp: sha256(text), imports: relativeImports({ path, text }) };
  known.set(path, now);
  return now;
}

/** Read by their form: an import that is none (in a comment, say) only widens what is watched. */
const RELATIVE_IMPORT = /\b(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;

function relativeImports({ path, text }: { path: string; text: string }): string[] {
  return [...text.matchAll(RELATIVE_IMPORT)]
    .map(([, specifier = ""]) => sourceBehind(resolve(dirname(path), specifier)))
    .filter((found) => found !== undefined);
}

/** An import of `x.js` may mean `x.ts`, and one without an extension a file or a folder. */
function sourceBehind(path: string): string | undefined {
  const typed = path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
  const candidates = [
    path,
    typed,
    ...[".ts", ".tsx", ".js", "/index.ts", "/index.js"].map((end) => path + end),
  ];
  return candidates.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
