import { writeFileSync } from "node:fs";

/** The environment variable that names the file for the counts. */
export const COUNTS_FILE = "TULIPGRAPH_TEST_COUNTS";

/** @import { TestModule } from "vitest/node" */

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * A vitest reporter that writes the counts of a run to a file, in addition to the usual reporter. It is a class because
 * vitest makes its reporters with `new`.
 */
export default class CountingReporter {
  /** @param {readonly TestModule[]} modules */
  onTestRunEnd(modules) {
    const file = process.env[COUNTS_FILE];
    if (file) writeFileSync(file, JSON.stringify(count(modules)));
  }
}

/**
 * A file that cannot be loaded counts as one failed test, since its tests never appear.
 *
 * @param {readonly TestModule[]} modules
 * @returns {Counts}
 */
function count(modules) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const module of modules) {
    const states = Array.from(module.children.allTests(), (test) => test.result().state);
    if (states.length === 0 && module.state() === "failed") counts.failed += 1;
    for (const state of states) counts[state === "pending" ? "skipped" : state] += 1;
  }
  return counts;
}
