import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** What was read of a file: its time and size, and the files that it imports by relative paths. */
interface KnownFile {
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
  const stamp = stats?.isFile() ? `${stats.mtimeMs} ${stats.size}` : "none";
  const before = known.get(path);
  if (before?.stamp === stamp) return before;
  const now = { stamp, imports: stats?.isFile() ? relativeImports(path) : [] };
  known.set(path, now);
  return now;
}

/** Read by their form: an import that is none (in a comment, say) only widens what is watched. */
const RELATIVE_IMPORT = /\b(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;

function relativeImports(path: string): string[] {
  const text = readFileSync(path, "utf8");
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
