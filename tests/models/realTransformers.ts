import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** MiniLM as transformers.js wants it, for tests; not part of the project. */
export const REAL_ENCODER = resolve("../shared/encoder");

const PACKAGE = "@huggingface/transformers";

/** The tested version, which needs nothing but npm's registry. */
const VERSION = "4.3.1";

/**
 * The folder with the real package. Its half a gigabyte is too much for a dependency of the project; it is kept for the
 * next run of the tests.
 *
 * @returns undefined, with the reason on stderr, if there is no encoder to try it with or it cannot be installed
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
