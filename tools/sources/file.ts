import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { InvalidSetting } from "../../errors.js";

const PROGRAM_TEXT = /(?<!\.d)\.(?:[cm]?[jt]s|[jt]sx)$/;

/**
 * Checks that a file can be read as a source of tools.
 *
 * @returns its absolute `path` with forward slashes, as TypeScript names files, and the path under
 *   which its tools keep it: the same, or for a shipped catalogue the path from the package's root
 * @throws InvalidSetting when the file does not exist or is not TypeScript or JavaScript
 */
export function sourceFile({ file, catalog }: { file: string; catalog?: string | undefined }): {
  path: string;
  shownAs: string;
} {
  const path = resolve(file);
  const setting = `tool source ${file}`;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new InvalidSetting({
      setting,
      problem: "the file does not exist",
      hint: "Check the path",
    });
  }
  if (!stats.isFile() || !PROGRAM_TEXT.test(path)) {
    const problem = stats.isFile() ? "it is not a TypeScript or JavaScript file" : "it is a folder";
    const hint =
      "Name a .ts, .mts, .cts, .tsx, .js, .mjs, .cjs or .jsx file that exports functions";
    throw new InvalidSetting({ setting, problem, hint });
  }
  return {
    path: posix(path),
    shownAs: catalog === undefined ? path : posix(relative(packageRoot(path, setting), path)),
  };
}

function packageRoot(path: string, setting: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (folder === dirname(folder)) {
      const problem = "a catalogue has to be inside a package, and no folder above it has one";
      throw new InvalidSetting({ setting, problem, hint: "Read it without a catalogue name" });
    }
  }
}

function posix(path: string): string {
  return path.split(sep).join("/");
}
