// Builds dist/ as the set-up does; with --types also the type declarations, for publishing.
import "../bin/check-node.mjs";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

void import("./setup.mjs").then(async ({ setUpOrExplain }) => {
  const ready = await setUpOrExplain();
  if (!ready) process.exitCode = 2;
  else if (process.argv.includes("--types")) process.exitCode = await writeDeclarations();
});

/** @returns {Promise<number>} the exit code of the compiler, which prints its own errors */
async function writeDeclarations() {
  const { projectRoot: cwd } = await import("./setup/prepare.mjs");
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const args = [compiler, "-p", "tsconfig.build.json"];
  return spawnSync(process.execPath, args, { cwd, stdio: "inherit" }).status ?? 1;
}
