import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { Command } from "commander";
import { InvalidSetting } from "../../common/errors.js";
import { EXTRA_NAMES, EXTRAS, type ExtraName, missingPackages } from "../../common/extras.js";
import { packageRoot } from "../../storage/packageRoot.js";
import { type SeenProvider, surveyModels } from "../../models/firstModel.js";
import type { SeenServer } from "../../models/localServers.js";
import { OFFLINE_MODEL } from "../../state/settings.js";
import { examples } from "../options.js";
import { printJson, printTable } from "../printing/print.js";

/** `tulipgraph setup [NAMES]` */
export function setupCommand(): Command {
  return new Command("setup")
    .description(
      "List the optional parts, and the models with what solve would use; with names, install these parts",
    )
    .argument("[names...]", `the parts to install: ${EXTRA_NAMES.join(", ")}`)
    .addHelpText("after", examples(["tulipgraph setup server postgres"]))
    .action(async (names: string[], { json }: { json?: boolean }) => {
      if (names.length === 0) return await listParts(json);
      const ready = await setUpExtras(names.map(extraName));
      if (json) return printJson({ ready });
      for (const name of ready) process.stdout.write(`ready: ${EXTRAS[name].use}\n`);
    });
}

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
  process.stdout.write(`\nsolve uses ${chosen.model}, because ${chosen.why}\n`);
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
  const hint = `Choose from ${EXTRA_NAMES.join(", ")}`;
  throw new InvalidSetting({ setting: "setup", problem: `there is no "${name}"`, hint });
}

/**
 * Installs the packages of extras next to tulipgraph, in the versions that it was tested with, gets the native part of
 * FAISS, and keeps of ONNX Runtime what is used. Installed packages stay as they are, and so does the package.json of the project.
 *
 * @throws InvalidSetting if npm fails
 */
async function setUpExtras(extras: readonly ExtraName[]): Promise<readonly ExtraName[]> {
  const missing = extras.flatMap(missingPackages);
  if (missing.length > 0) installBeside(missing);
  if (extras.includes("faiss")) await setUpFaiss();
  if (extras.includes("onnx")) keepWhatNodeLoads();
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
  name: string;
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
  if (!existsSync(place)) return [];
  const { name: own, version } = packageOf(place);
  return [`${name}@${own === name ? "" : `npm:${own}@`}${version}`];
}

/** The project in which npm installed us, whose package.json is the user's, or the folder of global packages. */
function installationOf(root: string): { folder: string; options: string[] } {
  const packages = dirname(root);
  if (basename(packages) !== "node_modules") return { folder: root, options: UNSAVED };
  const isGlobal = dirname(packages).endsWith(`${sep}lib`);
  return { folder: dirname(packages), options: isGlobal ? ["--global"] : UNSAVED };
}

/** Of the 140 MB of ONNX Runtime, Node needs a tenth. The package has a name of ours, so nothing else misses the rest. */
function keepWhatNodeLoads(): void {
  const { folder } = installationOf(packageRoot());
  const dist = join(folder, "node_modules", "tulipgraph-onnxruntime", "dist");
  const needed = /^(?:ort\.node\.min\.m?js|ort-wasm-simd-threaded\.(?:mjs|wasm))$/;
  const files = existsSync(dist) ? readdirSync(dist) : [];
  for (const file of files) if (!needed.test(file)) rmSync(join(dist, file));
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
