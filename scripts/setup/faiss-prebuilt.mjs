import { cpSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** @import { Workplace } from "./prepare.mjs" */

/** A network that does not answer may delay the set-up by no more than this (ms). */
export const TIMEOUT_MS = 20_000;

/**
 * Fetches the binding that faiss-node's makers publish, from GitHub or from the mirror named by
 * `npm_config_faiss_node_binary_host` (prebuild-install's own setting).
 *
 * @param {Workplace} place
 * @param {string} folder of the faiss-node package
 * @param {string} file where the binding belongs, in build/Release of an empty folder
 * @returns {Promise<string>} why there is none, or empty
 */
export async function fetchPrebuilt({ root, env, log, run }, folder, file) {
  const aside = dirname(dirname(dirname(file)));
  cpSync(join(folder, "package.json"), join(aside, "package.json"));
  const installer = createRequire(join(root, "package.json")).resolve("prebuild-install/bin.js");
  const { code, output, timedOut } = await run({
    command: process.execPath,
    // Against .prebuild-installrc, which is for `npm install`.
    args: [installer, "--no-version", "--runtime", "napi", "--verbose"],
    cwd: aside,
    // Its own cache: the shared one would return a broken file forever.
    env: { ...env, npm_config_cache: join(aside, "cache") },
    timeoutMs: TIMEOUT_MS,
    log,
  });
  if (code === 0) return existsSync(file) ? "" : "the prebuilt archive holds no faiss-node.node";
  const reason = timedOut ? `no answer within ${TIMEOUT_MS / 1000} s` : lastWarning(output);
  return `no prebuilt file (${reason})`;
}

/** What prebuild-install says last before it gives up. @param {string} output */
function lastWarning(output) {
  const warnings = output.match(/(?<=^prebuild-install warn install ).+$/gm) ?? [];
  return warnings.at(-1) ?? output.trim().split("\n").at(-1) ?? "";
}
