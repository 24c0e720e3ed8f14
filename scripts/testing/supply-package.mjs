import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installByApt, runCommand } from "../setup/command.mjs";
import { withProgress } from "../setup/report.mjs";

/** @import { Workplace } from "../setup/prepare.mjs" */

/**
 * What tests need besides npm packages: a browser for the tests of pages, Postgres for those of a shared database.
 *
 * @typedef {object} Need
 * @property {string} debian the package
 * @property {string} tests those that are skipped without it
 * @property {(env: NodeJS.ProcessEnv) => string | undefined} find
 * @property {string} instead what to do if it cannot be installed
 */

/** @type {{ browser: Need, postgres: Need }} */
export const NEEDS = {
  browser: {
    debian: "chromium",
    tests: "tests of pages",
    find: findChromium,
    instead: "install Debian's chromium, or name a browser in TULIPGRAPH_CHROMIUM",
  },
  postgres: {
    debian: "postgresql",
    tests: "tests with Postgres",
    find: findPostgres,
    instead: "install Debian's postgresql",
  },
};

/**
 * Installs what tests need if it is missing and root may install Debian packages. Otherwise those tests are skipped and
 * say so; that is not a failure.
 *
 * @param {Need} need
 * @param {Partial<Pick<Workplace, "root" | "env" | "run" | "isRoot" | "quiet">>} [options]
 * @returns {Promise<string>} why it is missing; empty if it is not
 */
export async function supplyPackage(need, options = {}) {
  const { root = process.cwd(), env = process.env, run = runCommand, quiet = false } = options;
  const { isRoot = process.getuid?.() === 0 } = options;
  if (need.find(env)) return "";
  const apt = isRoot ? await run({ command: "apt-get", args: ["--version"], env }) : { code: 1 };
  if (apt.code !== 0) return need.instead;
  const log = join(root, ".tulipgraph", "setup.log");
  return await withProgress({
    title: `installing ${need.debian} for the tests`,
    quiet,
    work: () => installByApt({ run, env, log }, [need.debian]),
  });
}

/** Names of the browser's command. */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/**
 * The browser to open pages with: TULIPGRAPH_CHROMIUM, or the first one on PATH.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined} undefined if there is none
 */
export function findChromium(env = process.env) {
  if (env.TULIPGRAPH_CHROMIUM) return env.TULIPGRAPH_CHROMIUM;
  const folders = (env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Missing, or not executable for us.
    return false;
  }
}

/** Where Debian keeps the programs of each version. */
const DEBIAN = "/usr/lib/postgresql";

/**
 * The folder with Postgres' server programs.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined}
 */
export function findPostgres(env = process.env) {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted().toReversed() : [];
  const folders = [
    ...(env.PATH ?? "").split(delimiter),
    ...versions.map((version) => join(DEBIAN, version, "bin")),
  ];
  return folders.find((folder) => existsSync(join(folder, "initdb")));
}
