import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { passSignalsOn } from "../setup/command.mjs";
import { COUNTS_FILE } from "./counting-reporter.mjs";

/** @import { Counts } from "./counting-reporter.mjs" */

const REPORTER = fileURLToPath(new URL("counting-reporter.mjs", import.meta.url));

/**
 * The arguments for vitest: without any, all projects except the campaigns; with `--all`, the campaigns too; others are
 * passed on.
 *
 * @param {readonly string[]} given
 * @returns {string[]}
 */
export function testArguments(given) {
  if (given.length === 0) return ["--project=!campaigns*"];
  return given.filter((argument) => argument !== "--all");
}

/**
 * Runs vitest once, with its usual output.
 *
 * @param {{ root: string, args: string[] }} request the project, and arguments for vitest
 * @returns {Promise<{ code: number, line: string }>} the exit code, and the closing line
 */
export async function runTests({ root, args }) {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-tests-"));
  try {
    const file = join(folder, "counts.json");
    const code = await runVitest({ root, args, file });
    // There are no counts if vitest could not even start.
    return summarise(code, existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A run that executed no test proves nothing, so it has not passed.
 *
 * @param {number} code vitest's exit code
 * @param {Counts} [counts]
 * @returns {{ code: number, line: string }}
 */
export function summarise(code, counts = { passed: 0, failed: 0, skipped: 0 }) {
  const { passed, failed, skipped } = counts;
  const isProof = passed + failed > 0;
  return {
    code: code === 0 && !isProof ? 1 : code,
    line: `${passed} passed, ${failed} failed, ${skipped} skipped`,
  };
}

/** @param {{ root: string, args: string[], file: string }} request @returns {Promise<number>} */
function runVitest({ root, args, file }) {
  const location = createRequire(join(root, "package.json")).resolve("vitest/package.json");
  const reporters = ["--reporter=default", `--reporter=${REPORTER}`];
  const child = spawn(
    process.execPath,
    [join(dirname(location), "vitest.mjs"), "run", ...reporters, ...args],
    { cwd: root, stdio: "inherit", env: { ...process.env, [COUNTS_FILE]: file } },
  );
  const stopPassingOn = passSignalsOn(child);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      stopPassingOn();
      resolve(code ?? 1);
    });
  });
}
