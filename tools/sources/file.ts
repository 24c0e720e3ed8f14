import { existsSync, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { InvalidSetting } from "../../common/errors.js";
import { packageRoot } from "../../storage/packageRoot.js";

const PROGRAM_TEXT = /(?<!\.d)\.(?:[cm]?[jt]s|[jt]sx)$/;

/**
 * Checks that a file can be a source of tools.
 *
 * @returns its absolute `path` with forward slashes, as TypeScript names files, and the path stored with its tools: the
 *   same, or for a shipped catalog relative to our package's root
 * @throws InvalidSetting when the file does not exist or is not TypeScript or JavaScript
 */
export function sourceFile(file: string, catalog?: string): { path: string; shownAs: string } {
  const path = requireFile(file);
  if (!PROGRAM_TEXT.test(path)) {
    throw new InvalidSetting({
      setting: `tool source ${file}`,
      problem: "it is not a TypeScript or JavaScript file",
      hint: "Name a .ts, .mts, .cts, .tsx, .js, .mjs, .cjs or .jsx file that exports functions, or a .json or .jsonl file that declares tools",
    });
  }
  const shownAs = catalog === undefined ? path : posix(relative(packageRoot(), path));
  return { path: posix(path), shownAs };
}

/**
 * Checks that a file exists.
 *
 * @param what it holds, in words
 * @throws InvalidSetting when there is none, or it is a folder
 */
export function requireFile(file: string, what = "tool source"): string {
  const path = resolve(file);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return path;
  const shipped = resolve(packageRoot(), /\bexamples\/.*/.exec(posix(file))?.[0] ?? file);
  const elsewhere = existsSync(shipped) ? `The package has it: ${shipped}` : "Check the path";
  throw new InvalidSetting({
    setting: `${what} ${file}`,
    problem: stats === undefined ? "the file does not exist" : "it is a folder",
    hint: stats === undefined ? elsewhere : "Name a file in it",
  });
}

function posix(path: string): string {
  return path.split(sep).join("/");
}
