import "../bin/check-node.mjs";
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

// The parts are imported dynamically: an old Node must run the check before it parses them.

/**
 * `quiet` leaves out the progress lines; `steps` are those to do, instead of all.
 *
 * @typedef {{ quiet?: boolean, steps?: import("./setup/prepare.mjs").Step[] }} SetupOptions
 */

/**
 * Prepares a checkout: packages, FAISS, the built sources. A step whose result exists is skipped; if all exist, this
 * takes a few milliseconds and prints nothing.
 *
 * @param {SetupOptions} [options]
 * @returns {Promise<void>}
 * @throws {import("./setup/report.mjs").SetupFailed} when a step cannot be done
 */
export async function setUp(options) {
  const { prepare } = await import("./setup/prepare.mjs");
  await prepare(options);
}

/**
 * Like {@link setUp}, but reports a failure in one line on stderr.
 *
 * @param {SetupOptions} [options]
 * @returns {Promise<boolean>} whether everything is ready
 */
export async function setUpOrExplain(options) {
  try {
    await setUp(options);
    return true;
  } catch (error) {
    const { explain } = await import("./setup/report.mjs");
    process.stderr.write(explain(error));
    return false;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  void setUpOrExplain({ quiet: process.argv.includes("--quiet") }).then((ready) => {
    process.exitCode = ready ? 0 : 2;
  });
}
