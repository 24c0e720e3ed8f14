import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { SetupFailed } from "./report.mjs";
import { hashOf, readStamp, updateStamp } from "./stamp.mjs";

/** @import { Step, Workplace } from "./prepare.mjs" */

/** Where the set-up records what it has done; `npm ci` removes it with everything else. */
export const stampFile = (/** @type {string} */ root) =>
  join(root, "node_modules", ".tulipgraph-setup.json");

/** The packages of the lock file. @type {Step} */
export const packagesStep = {
  title: "installing packages",
  isDone: ({ root }) => readStamp(stampFile(root)).packages === lockHash(root),
  work: async (place) => {
    // After a manual `npm ci` the packages are there, only without our stamp.
    if (!holdsLockedPackages(place.root)) await install(place);
    updateStamp(stampFile(place.root), { packages: lockHash(place.root) });
  },
};

/** @param {string} root */
function lockHash(root) {
  return hashOf([readFileSync(join(root, "package-lock.json"))]);
}

/**
 * Whether node_modules is what the lock file asks for. npm leaves its own lock file there after a complete installation,
 * rightly without packages for other platforms.
 *
 * @param {string} root
 * @returns {boolean}
 */
function holdsLockedPackages(root) {
  const wanted = lockedPackages(join(root, "package-lock.json"));
  const found = lockedPackages(join(root, "node_modules", ".package-lock.json"));
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === "") return true;
    const installed = found[path];
    if (!installed) return optional === true;
    return installed.version === version && existsSync(join(root, path, "package.json"));
  });
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>} by path below the root
 */
function lockedPackages(file) {
  const { packages } = readStamp(file);
  return /** @type {ReturnType<typeof lockedPackages>} */ (packages ?? {});
}

/** @param {Workplace} place */
async function install({ root, env, log, run }) {
  const [command = "npm", ...before] = npmCommand(env);
  // Scripts stay off even if the user's settings turn them on: that of faiss-node fails without GitHub, and npm then
  // removes its folder. Development packages belong to a checkout.
  const options = ["--ignore-scripts", "--include=dev", "--no-audit", "--no-fund"];
  const { code, output } = await run({
    command,
    args: [...before, "ci", ...options],
    cwd: root,
    env,
    log,
  });
  if (code === 0) return;
  const reason = code === 127 ? "npm was not found; install it" : npmReason(output, code);
  throw new SetupFailed(`packages could not be installed (npm ci): ${reason}`, log);
}

/** The npm that runs this script, otherwise the one on PATH. @param {NodeJS.ProcessEnv} env */
function npmCommand(env) {
  const running = env.npm_execpath;
  return running && basename(running) === "npm-cli.js" ? [process.execPath, running] : ["npm"];
}

/** The first line of npm's errors that is a sentence. @param {string} output @param {number} code */
function npmReason(output, code) {
  const complaints = output.match(/^npm (?:error|ERR!) .+$/gm) ?? [];
  const sentences = complaints
    .map((line) => line.replace(/^npm (?:error|ERR!) /, ""))
    .filter((line) => !/^(code|errno|syscall|type|path|dest|cwd) /.test(line));
  return sentences[0] ?? `it ended with code ${code}`;
}
