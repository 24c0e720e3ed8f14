import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { Command } from "commander";
import { InvalidSetting } from "../../common/errors.js";
import { EXTRA_NAMES, EXTRAS, type ExtraName, missingPackages } from "../../common/extras.js";
import { packageRoot } from "../../storage/packageRoot.js";
import { EXPERIENCE_STORE } from "../../memory/experience.js";
import { type SeenProvider, surveyModels } from "../../models/firstModel.js";
import type { SeenServer } from "../../models/localServers.js";
import { defaultDatabase, defaultHome } from "../../nodes/workspace/home.js";
import { SERVER_MIGRATIONS } from "../../server/schema.js";
import { OFFLINE_MODEL } from "../../state/settings.js";
import { databaseName } from "../../storage/away.js";
import { openCheckpoints } from "../../storage/checkpoints.js";
import { openStore, type StoreMigrations } from "../../storage/database.js";
import { sql } from "../../storage/kysely.js";
import { LIBRARY_STORE } from "../../tools/library/records/schema.js";
import { RUN_MIGRATIONS } from "../../tools/runtime/journal/journalSchema.js";
import { examples } from "../options.js";
import { whileWorking } from "../printing/longWork.js";
import { printJson, printTable } from "../printing/print.js";

/** `tulipgraph setup [NAMES]` */
export function setupCommand(): Command {
  return new Command("setup")
    .description(
      "List the optional parts, and the models with what solve would use; with names, install these parts, or bring the database up to date",
    )
    .argument("[names...]", `the parts to install (${EXTRA_NAMES.join(", ")}), or ${DATABASE}`)
    .addHelpText(
      "after",
      examples([
        "tulipgraph setup server postgres",
        "TULIPGRAPH_DATABASE_URL=postgres://localhost/tulipgraph tulipgraph setup database",
      ]),
    )
    .action(async (names: string[], { json }: { json?: boolean }) => {
      if (names.length === 0) return await listParts(json);
      const extras = names.filter((name) => name !== DATABASE).map(extraName);
      const ready = extras.length > 0 ? await setUpExtras(extras) : [];
      const stores = names.includes(DATABASE) ? await migrate() : [];
      if (json) return printJson({ ready, stores });
      for (const name of ready) process.stdout.write(`ready: ${EXTRAS[name].use}\n`);
      printTable({
        rows: stores.map(({ store, at, version }) => [store, at, `version ${version}`]),
      });
    });
}

/** Beside the parts: the tables of all stores. */
const DATABASE = "database";

async function listParts(json?: boolean): Promise<void> {
  const survey = await surveyModels();
  const parts = EXTRA_NAMES.map((name) => {
    return { name, use: EXTRAS[name].use, installed: missingPackages(name).length === 0 };
  });
  if (json) return printJson({ parts, ...survey, rules: OFFLINE_MODEL });
  printTable({
    rows: parts.map(({ name, use, installed }) => [
      name,
      installed ? "ready" : "not installed",
      use,
    ]),
  });
  const { providers, servers, chosen } = survey;
  process.stdout.write("\n");
  printTable({
    rows: [
      ...providers.map(providerRow),
      ...servers.map(serverRow),
      [OFFLINE_MODEL, "always there", "built-in rules, not a language model"],
    ],
  });
  process.stdout.write(`\nsolve takes ${chosen.model}, for ${chosen.why}\n`);
  for (const offer of chosen.offers) process.stdout.write(`${offer}\n`);
}

function providerRow({ provider, key, keySet, install, model }: SeenProvider): string[] {
  const found = key === undefined ? "identifies itself" : `${key} ${keySet ? "set" : "not set"}`;
  const missing = install === undefined ? [] : [install];
  return [provider, found, [model, ...missing].filter(Boolean).join(" · ")];
}

function serverRow({ server, label, address, lookedFor, models }: SeenServer): string[] {
  const found = models ? "answers" : lookedFor ? "does not answer" : "not looked for";
  return [server, found, [`${label} at ${address}`, models?.join(", ")].filter(Boolean).join(": ")];
}

function extraName(name: string) {
  const known = EXTRA_NAMES.find((each) => each === name);
  if (known) return known;
  const hint = `Choose from ${[...EXTRA_NAMES, DATABASE].join(", ")}`;
  throw new InvalidSetting({ setting: "setup", problem: `there is no "${name}"`, hint });
}

/**
 * Installs the packages of extras next to tulipgraph, in the versions that it was tested with, and gets the native part
 * of FAISS. Installed packages stay as they are, and so does the package.json of the project.
 *
 * @throws InvalidSetting if npm fails
 */
async function setUpExtras(extras: readonly ExtraName[]): Promise<readonly ExtraName[]> {
  const missing = extras.flatMap(missingPackages);
  if (missing.length > 0) installBeside(missing);
  if (extras.includes("faiss")) await setUpFaiss();
  return extras;
}

/** Leaves the user's package.json and lock file as they are, and takes the installed packages for what is wanted. */
const UNSAVED = ["--no-save", "--no-package-lock"];

const KEEPING =
  "package.json stays as it is, so a later npm install may remove them; to have them in it, run this with --save-exact instead of --no-save --no-package-lock";

function installBeside(names: readonly string[]): void {
  const { dependencies, peerDependencies } = packageOf(packageRoot());
  const versions: Record<string, string> = { ...dependencies, ...peerDependencies };
  const { folder, options } = installationOf(packageRoot());
  // npm removes what is neither saved nor named, so what an earlier set-up has installed is named again.
  const earlier = Object.keys(peerDependencies).flatMap((name) => installedSpec(folder, name));
  const specs = [...names.map((name) => `${name}@${versions[name] ?? "latest"}`), ...earlier];
  // No install scripts: that of faiss-node fails without GitHub, and npm then removes its folder.
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund"];
  const argv = ["install", ...quiet, ...options, ...specs];
  process.stderr.write(`npm ${argv.join(" ")}\n`);
  if (!options.includes("--global")) process.stderr.write(`${KEEPING}\n`);
  const { status, stderr, error } = spawnSync("npm", argv, { cwd: folder, encoding: "utf8" });
  if (status === 0) return;
  const [reason = error?.message] = /^npm (?:error|ERR!) (?!code |errno |A complete ).+$/m.exec(
    stderr ?? "",
  ) ?? [undefined];
  throw new InvalidSetting({
    setting: "setup",
    problem: `npm could not install ${names.join(", ")}: ${reason ?? `it ended with ${status}`}`,
    hint: `To see why, run this in ${folder}: npm ${argv.join(" ")}`,
  });
}

interface PackageFile {
  version: string;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}

function packageOf(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as PackageFile;
}

/** A package with its version, if it is installed. */
function installedSpec(folder: string, name: string): string[] {
  const place = join(folder, "node_modules", name);
  return existsSync(place) ? [`${name}@${packageOf(place).version}`] : [];
}

/** The project in which npm installed us, whose package.json is the user's, or the folder of global packages. */
function installationOf(root: string): { folder: string; options: string[] } {
  const packages = dirname(root);
  if (basename(packages) !== "node_modules") return { folder: root, options: UNSAVED };
  const isGlobal = dirname(packages).endsWith(`${sep}lib`);
  return { folder: dirname(packages), options: isGlobal ? ["--global"] : UNSAVED };
}

/** The part of the set-up scripts, which are plain JavaScript, that is used here. */
interface SetupScripts {
  prepare: (options: { root: string; steps: readonly unknown[] }) => Promise<void>;
  faissStep: unknown;
}

async function setUpFaiss(): Promise<void> {
  const { folder } = installationOf(packageRoot());
  try {
    const { prepare } = await script("prepare.mjs");
    const { faissStep } = await script("faiss.mjs");
    await prepare({ root: folder, steps: [faissStep] });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const hint = "Searches use plain code instead, which is slower but finds the same";
    throw new InvalidSetting({ setting: "setup faiss", problem: error.message, hint });
  }
}

async function script(name: string): Promise<SetupScripts> {
  const file = join(packageRoot(), "scripts/setup", name);
  return (await import(pathToFileURL(file).href)) as SetupScripts;
}

const STORES: Record<string, StoreMigrations> = {
  libraries: LIBRARY_STORE,
  memory: EXPERIENCE_STORE,
  runs: RUN_MIGRATIONS,
  server: SERVER_MIGRATIONS,
};

/** Brings the tables of all stores up to date; again, it changes nothing. */
async function migrate(): Promise<{ store: string; at: string; version: number }[]> {
  const place = { home: defaultHome(), url: defaultDatabase() };
  const name = place.url === undefined ? place.home : databaseName(place.url);
  return await whileWorking(`migrating ${name}`, async () => {
    const done = [];
    for (const [store, migrations] of Object.entries(STORES)) {
      const opened = openStore<Record<string, never>>({ place, store, migrations });
      // The first query makes the tables.
      await sql`SELECT 1`.execute(opened.db).finally(opened.close);
      done.push({ store, at: opened.name, version: migrations[opened.kind].length });
    }
    const checkpoints = openCheckpoints({ place });
    await Promise.all([
      checkpoints.threads.list(),
      checkpoints.saver.getTuple({ configurable: { thread_id: "" } }),
    ]).finally(checkpoints.close);
    return done;
  });
}
