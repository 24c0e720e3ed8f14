import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { InvalidSetting } from "../common/errors.js";
import { EXTRAS, type ExtraName, missingPackages } from "../common/extras.js";
import { packageRoot } from "../storage/packageRoot.js";
import { EXIT } from "./exit.js";

/**
 * Installs the packages of extras beside tulipgraph, in the versions that it was tried with, and gets the native part
 * of FAISS. What is there already stays.
 *
 * @throws InvalidSetting where npm fails
 */
export async function setUpExtras(extras: readonly ExtraName[]): Promise<number> {
  const missing = extras.flatMap(missingPackages);
  if (missing.length > 0) installBeside(missing);
  if (extras.includes("faiss")) await setUpFaiss();
  for (const extra of extras) process.stdout.write(`ready: ${EXTRAS[extra].use}\n`);
  return EXIT.done;
}

function installBeside(names: readonly string[]): void {
  const versions = wantedVersions();
  const specs = names.map((name) => `${name}@${versions[name] ?? "latest"}`);
  const { folder, options } = installationOf(packageRoot());
  // Packages run no scripts: that of faiss-node fails without GitHub and takes its folder with it.
  const argv = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...options, ...specs];
  process.stderr.write(`npm ${argv.join(" ")}\n`);
  const { status, stderr, error } = spawnSync("npm", argv, { cwd: folder, encoding: "utf8" });
  if (status === 0) return;
  const [reason = error?.message] = /^npm (?:error|ERR!) (?!code |errno |A complete ).+$/m.exec(
    stderr ?? "",
  ) ?? [undefined];
  throw new InvalidSetting({
    setting: "setup",
    problem: `npm could not install ${names.join(", ")}: ${reason ?? `it ended with ${status}`}`,
    hint: `In ${folder}, see what it says: npm ${argv.join(" ")}`,
  });
}

/** As our own package.json states them for those who bring them. */
function wantedVersions(): Record<string, string> {
  const text = readFileSync(join(packageRoot(), "package.json"), "utf8");
  return (JSON.parse(text) as { peerDependencies: Record<string, string> }).peerDependencies;
}

/** Where npm has installed us, and whether for one project or for all. */
function installationOf(root: string): { folder: string; options: string[] } {
  const packages = dirname(root);
  if (basename(packages) !== "node_modules") return { folder: root, options: [] };
  const isGlobal = dirname(packages).endsWith(`${sep}lib`);
  return { folder: dirname(packages), options: isGlobal ? ["--global"] : [] };
}

/** What of the scripts of the set-up, which are plain JavaScript, is used here. */
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
    const hint = "Searches go on in plain code, which is slower and finds the same";
    throw new InvalidSetting({ setting: "setup faiss", problem: error.message, hint });
  }
}

async function script(name: string): Promise<SetupScripts> {
  const file = join(packageRoot(), "scripts/setup", name);
  return (await import(pathToFileURL(file).href)) as SetupScripts;
}
