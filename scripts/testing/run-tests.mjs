import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { passSignalsOn } from "../setup/command.mjs";

/**
 * What vitest's JSON reporter writes.
 *
 * @typedef {object} Results
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {{ status: string, assertionResults: unknown[] }[]} testResults one for each file
 */

/** The projects of vitest.config.ts that are neither long nor campaigns. Of several negations vitest takes what any allows. */
const EVERYDAY = ["shared", "alone", "processes"];

/**
 * The arguments for vitest: without any, all projects except the long tests and the campaigns; with `--all`, everything;
 * others are passed on.
 *
 * @param {readonly string[]} given
 * @returns {string[]}
 */
export function testArguments(given) {
  if (given.length === 0) return EVERYDAY.map((name) => `--project=${name}`);
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
    const file = join(folder, "results.json");
    const code = await runVitest({ root, args, file });
    return summarise(code, existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A run that executed no test proves nothing, so it has not passed. A file that cannot be loaded counts as one failed
 * test, since its tests never appear.
 *
 * @param {number} code vitest's exit code
 * @param {Results} [results] absent if vitest could not even start
 * @returns {{ code: number, line: string }}
 */
export function summarise(code, results) {
  const { numPassedTests: passed = 0, numPendingTests: skipped = 0 } = results ?? {};
  const { numFailedTests = 0, testResults = [] } = results ?? {};
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  const failed = numFailedTests + unloaded.length;
  return {
    code: code === 0 && passed + failed === 0 ? 1 : code,
    line: `${passed} passed, ${failed} failed, ${skipped} skipped`,
  };
}

/** @param {{ root: string, args: string[], file: string }} request @returns {Promise<number>} */
function runVitest({ root, args, file }) {
  const location = createRequire(join(root, "package.json")).resolve("vitest/package.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const child = spawn(
    process.execPath,
    [join(dirname(location), "vitest.mjs"), "run", ...reporters, ...args],
    { cwd: root, stdio: "inherit" },
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
