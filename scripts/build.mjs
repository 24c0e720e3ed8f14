// Builds dist/ as the set-up does; with --types also the type declarations. npm runs it before it packs (`prepack`), so
// that a fresh clone packs what a started one does.
import "../bin/check-node.mjs";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

/** What users import: the declarations of everything else are of no use to them, and take more room than the code. */
const PUBLIC = /^(?:index|nodes\/.+)\.d\.ts$/;

/** What a declaration refers to. */
const REFERRED = /(?:\bfrom |\bimport\(|\bimport )["'](\.[^"']+)\.js["']/g;

void build();

async function build() {
  const { setUpOrExplain } = await import("./setup.mjs");
  const { packagesStep } = await import("./setup/packages.mjs");
  const { buildStep } = await import("./setup/build.mjs");
  const ready = await setUpOrExplain({ steps: [packagesStep, buildStep] });
  if (!ready) process.exitCode = 2;
  else if (process.argv.includes("--types")) process.exitCode = await writeDeclarations();
}

/** @returns {Promise<number>} the exit code of the compiler, which prints its own errors */
async function writeDeclarations() {
  const { projectRoot: cwd } = await import("./setup/prepare.mjs");
  const { declarationsAreWritten, noteDeclarations } = await import("./setup/build.mjs");
  if (declarationsAreWritten(cwd)) return 0;
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const args = [compiler, "-p", "tsconfig.build.json"];
  // Not to standard output, where `npm pack --json` writes its answer.
  const code = spawnSync(process.execPath, args, { cwd, stdio: ["ignore", 2, 2] }).status ?? 1;
  if (code !== 0) return code;
  await takeInDeclarations(cwd);
  removeUnreached(join(cwd, "dist"));
  noteDeclarations(cwd);
  return 0;
}

/**
 * Whoever installs the package does not have the packages that the build takes into its modules. Their declarations are
 * put beside these modules, and ours name them there.
 *
 * @param {string} root
 */
async function takeInDeclarations(root) {
  const { TAKEN_IN } = await import("./setup/build.mjs");
  const dist = join(root, "dist");
  for (const { source, types: from } of TAKEN_IN) {
    if (from === undefined) continue;
    const types = dirname(createRequire(import.meta.url).resolve(from)).replace(/cjs$/, "esm");
    const place = join(dirname(source), from);
    cpSync(types, join(dist, place), { recursive: true, filter: isDeclaration });
    for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
      if (!path.endsWith(".d.ts")) continue;
      const text = readFileSync(join(dist, path), "utf8");
      const index = relative(dirname(path), join(place, "index.js"));
      const name = index.startsWith(".") ? index : `./${index}`;
      writeFileSync(join(dist, path), text.replaceAll(`"${from}"`, `"${name}"`));
    }
  }
}

/** @param {string} path */
function isDeclaration(path) {
  return path.endsWith(".d.ts") || statSync(path).isDirectory();
}

/** Removes the declarations that no public one refers to. @param {string} folder */
function removeUnreached(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const all = files.filter((path) => path.endsWith(".d.ts"));
  const reached = new Set(all.filter((path) => PUBLIC.test(path.replaceAll("\\", "/"))));
  for (const path of reached) {
    for (const [, target = ""] of readFileSync(join(folder, path), "utf8").matchAll(REFERRED)) {
      const file = `${join(dirname(path), target)}.d.ts`;
      if (existsSync(join(folder, file))) reached.add(file);
    }
  }
  for (const path of all) if (!reached.has(path)) rmSync(join(folder, path));
}
