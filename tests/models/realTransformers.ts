import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** MiniLM as transformers.js wants it, for tests; not part of the project. */
export const REAL_ENCODER = resolve("../shared/encoder");

const PACKAGE = "@huggingface/transformers";

/** The version that is tried, which needs no more than npm's registry. */
const VERSION = "4.3.1";

/**
 * The folder in which the real package is installed, half a gigabyte, which is why the project does not bring it; it
 * stays for the next run of the tests.
 *
 * @returns undefined, with the reason on stderr, where there is no encoder to try it with or it cannot be installed
 */
export function realTransformers(): string | undefined {
  if (!existsSync(REAL_ENCODER)) return skipped(`${REAL_ENCODER} is not there`);
  const folder = resolve("node_modules/.cache/tulipgraph-transformers");
  if (existsSync(join(folder, "installed"))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  const argv = ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${PACKAGE}@${VERSION}`];
  const { status, stderr } = spawnSync("npm", argv, { cwd: folder, encoding: "utf8" });
  if (status !== 0) return skipped(`npm cannot install ${PACKAGE}: ${stderr}`);
  writeFileSync(join(folder, "installed"), VERSION);
  return folder;
}

function skipped(reason: string): undefined {
  process.stderr.write(`the real encoder is not tried: ${reason}\n`);
}
