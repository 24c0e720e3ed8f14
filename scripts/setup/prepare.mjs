import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildStep } from "./build.mjs";
import { runCommand } from "./command.mjs";
import { faissIfPossible } from "./faiss.mjs";
import { acquireLock } from "./lock.mjs";
import { packagesStep } from "./packages.mjs";
import { withProgress } from "./report.mjs";

/**
 * What the steps of the set-up work with.
 *
 * @typedef {object} Workplace
 * @property {string} root the checkout's folder
 * @property {string} log the file for the output of all commands
 * @property {NodeJS.ProcessEnv} env
 * @property {typeof runCommand} run
 * @property {boolean} quiet no progress lines
 * @property {boolean} isRoot whether system packages may be installed
 */

/**
 * @typedef {object} Step
 * @property {string} [title] for the progress line; a step with several parts announces them itself
 * @property {(place: Workplace) => boolean} isDone must be quick, since it is checked at every start
 * @property {(place: Workplace) => Promise<void>} work does the step, or throws `SetupFailed`
 */

/** The folder of this checkout. */
export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Each step needs the ones before it. @type {Step[]} */
const allSteps = [packagesStep, faissIfPossible, buildStep];

/**
 * Does the steps whose result is missing or outdated, in one process at a time.
 *
 * @param {Partial<Omit<Workplace, "log">> & { steps?: Step[] }} [options]
 * @returns {Promise<void>}
 * @throws {import("./report.mjs").SetupFailed} when a step cannot be done
 */
export async function prepare(options = {}) {
  const { steps = allSteps, root = projectRoot, env = process.env, quiet = false } = options;
  const data = join(root, ".tulipgraph");
  const log = join(data, "setup.log");
  const { run = runCommand, isRoot = process.getuid?.() === 0 } = options;
  /** @type {Workplace} */
  const place = { root, log, env, quiet, run, isRoot };
  if (steps.every((step) => step.isDone(place))) return;

  mkdirSync(data, { recursive: true });
  const release = await withProgress({
    title: "waiting for another set-up of this folder",
    quiet,
    work: () => acquireLock(join(data, "setup.lock")),
  });
  try {
    writeFileSync(log, "");
    for (const step of steps) {
      if (!step.isDone(place)) await doStep(step, place);
    }
  } finally {
    release();
  }
}

/** @param {Step} step @param {Workplace} place */
async function doStep({ title, work }, place) {
  if (title) await withProgress({ title, quiet: place.quiet, work: () => work(place) });
  else await work(place);
}
