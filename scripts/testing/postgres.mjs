import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

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
