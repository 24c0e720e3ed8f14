import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { probe } from "./faiss-probe.mjs";

/** @import { Workplace } from "./prepare.mjs" */
/** @import { Attempt } from "./faiss.mjs" */

/** A network that does not answer may delay the set-up by no more than this (ms). */
export const TIMEOUT_MS = 20_000;

/**
 * Fetches the binding that faiss-node's makers publish, from GitHub or from the mirror named by
 * `npm_config_faiss_node_binary_host` (prebuild-install's own setting). It is unpacked elsewhere and put in place only if
 * it works.
 *
 * @param {Workplace} place
 * @param {string} folder of the faiss-node package
 * @returns {Promise<Attempt>}
 */
export async function fetchPrebuilt(place, folder) {
  const aside = join(folder, `.prebuilt-${process.pid}`);
  try {
    mkdirSync(aside);
    cpSync(join(folder, "package.json"), join(aside, "package.json"));
    const fetched = await download(place, aside);
    if (fetched.problem) return fetched;
    const binding = join(aside, "build", "Release", "faiss-node.node");
    if (!existsSync(binding)) return { problem: "the prebuilt archive holds no faiss-node.node" };
    const { problem, output } = await probe({ place, target: binding });
    if (problem) return { problem: `the prebuilt file ${problem}`, output };
    rmSync(join(folder, "build", "Release"), { recursive: true, force: true });
    mkdirSync(join(folder, "build"), { recursive: true });
    renameSync(join(aside, "build", "Release"), join(folder, "build", "Release"));
    return { problem: "" };
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** @param {Workplace} place @param {string} aside @returns {Promise<Attempt>} */
async function download({ root, env, log, run }, aside) {
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
  if (code === 0) return { problem: "" };
  const reason = timedOut ? `no answer within ${TIMEOUT_MS / 1000} s` : lastWarning(output);
  return { problem: `no prebuilt file (${reason})`, output };
}

/** What prebuild-install says last before it gives up. @param {string} output */
function lastWarning(output) {
  const warnings = output.match(/(?<=^prebuild-install warn install ).+$/gm) ?? [];
  return warnings.at(-1) ?? output.trim().split("\n").at(-1) ?? "";
}
