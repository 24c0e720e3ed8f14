import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { projectRoot } from "./prepare.mjs";

/**
 * Writes the type declarations beside the built files.
 *
 * @returns {number} the exit code of the compiler, which prints its own complaints
 */
export function writeDeclarations() {
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
    cwd: projectRoot,
    stdio: "inherit",
  });
  return status ?? 1;
}
