import { join } from "node:path";
import { installByApt } from "../setup/apt.mjs";
import { runCommand } from "../setup/command.mjs";
import { withProgress } from "../setup/progress.mjs";
import { findChromium } from "./chromium.mjs";

/** @import { Workplace } from "../setup/prepare.mjs" */

/** Debian's browser. */
const PACKAGE = "chromium";

/**
 * Installs the browser that the tests of reports need, where there is none and root may install
 * Debian's. Without one these tests are skipped, and say so, so that nothing here is a failure.
 *
 * @param {Partial<Pick<Workplace, "root" | "env" | "run" | "isRoot" | "quiet">>} [options]
 * @returns {Promise<string>} why there is no browser; empty where there is one
 */
export async function supplyBrowser(options = {}) {
  const { root = process.cwd(), env = process.env, run = runCommand, quiet = false } = options;
  const { isRoot = process.getuid?.() === 0 } = options;
  if (findChromium(env)) return "";
  const install = `install Debian's ${PACKAGE}, or name a browser in TULIPGRAPH_CHROMIUM`;
  const apt = isRoot ? await run({ command: "apt-get", args: ["--version"], env }) : { code: 1 };
  if (apt.code !== 0) return install;
  const log = join(root, ".tulipgraph", "setup.log");
  const { problem } = await withProgress({
    title: `installing ${PACKAGE} for the tests`,
    quiet,
    work: () => installByApt({ run, env, log }, [PACKAGE]),
  });
  return problem;
}
