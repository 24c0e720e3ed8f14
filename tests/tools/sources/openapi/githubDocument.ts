import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const PACKAGE = "@octokit/openapi";

/** The version under test. */
const VERSION = "23.0.2";

/** In the package, which has 385 MB with its others. */
const DOCUMENT = "package/generated/api.github.com.json";

/**
 * GitHub's own OpenAPI document, 13 MB, which is not part of the project; the download is kept for the next run.
 *
 * @returns undefined, with the reason on stderr, if it cannot be downloaded
 */
export function githubDocument(): string | undefined {
  const folder = resolve(`node_modules/.cache/octokit-openapi-${VERSION}`);
  const file = join(folder, "api.github.com.json");
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  // A folder of its own: two test files may download it at once.
  const draft = mkdtempSync(join(folder, "draft-"));
  try {
    const packed = run("npm", ["pack", `${PACKAGE}@${VERSION}`, "--silent"], draft);
    const tarball = readdirSync(draft).find((name) => name.endsWith(".tgz"));
    if (packed !== undefined || !tarball) return skipped(packed ?? "npm has packed nothing");
    const failed = run("tar", ["xzf", tarball, DOCUMENT], draft);
    if (failed !== undefined) return skipped(failed);
    renameSync(join(draft, DOCUMENT), file);
    return file;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** What went wrong, if something did. */
function run(command: string, argv: string[], cwd: string): string | undefined {
  const { status, stderr, error } = spawnSync(command, argv, { cwd, encoding: "utf8" });
  return status === 0 ? undefined : `${command}: ${error?.message ?? stderr}`;
}

function skipped(reason: string): undefined {
  process.stderr.write(`GitHub's document is not tried: ${reason}\n`);
}
