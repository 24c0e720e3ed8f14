import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { Client } from "pg";
import type { DataPlace } from "../../storage/database.js";
import { openDatabase } from "../../storage/sqlite/sqlite.js";
import { laySources, unkept } from "../fixtures/homes/dump.js";
import { newDatabase, newHome } from "./homes.js";

const KEPT = join(import.meta.dirname, "..", "fixtures", "homes");

/** The releases whose homes are kept. */
export const RELEASES = readdirSync(KEPT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "sources")
  .map(({ name }) => name);

/** A kept home as a release left it. */
export interface KeptHome {
  place: DataPlace;
  /** The folder in which its functions note in `closed.txt` what they close. */
  desk: string;
  /** Secrets of its keys by the names of their owners. */
  keys: Record<"ada" | "bob", string>;
}

/** Lays out the kept home of a release; it goes with the test. */
export async function keptHome(release: string, kind: "sqlite" | "postgres"): Promise<KeptHome> {
  const home = newHome();
  const desk = newHome();
  laySources();
  const keys = { ada: newSecret(), bob: newSecret() };
  const textOf = (file: string) =>
    withSecrets(unkept(readFileSync(join(KEPT, release, file), "utf8")), keys);
  if (kind === "postgres") {
    const url = await newDatabase();
    await restore(url, textOf("postgres.sql"));
    return { place: { home, url }, desk, keys };
  }
  for (const file of readdirSync(join(KEPT, release)))
    if (file.endsWith(".sql") && file !== "postgres.sql")
      writeDatabase(join(home, `${basename(file, ".sql")}.db`), textOf(file));
  return { place: { home }, desk, keys };
}

function newSecret(): string {
  return `tulipkey_${randomBytes(32).toString("base64url")}`;
}

/** Secrets of keys are not kept: the rows of keys get the hashes of new ones. */
function withSecrets(statements: string, keys: KeptHome["keys"]): string {
  const row =
    /^(INSERT INTO \S*\bkeys"? VALUES \('\w+', ')[0-9a-f]{64}(', '[^']*', '(?:key:)?(ada|bob)')/gm;
  return statements.replaceAll(
    row,
    (_, before: string, after: string, owner: keyof typeof keys) => {
      const hash = createHash("sha256").update(keys[owner]).digest("hex");
      return `${before}${hash}${after}`;
    },
  );
}

function writeDatabase(file: string, statements: string): void {
  const database = openDatabase({ file });
  database.pragma("foreign_keys = OFF");
  database.exec(statements);
  database.close();
}

async function restore(url: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statements).finally(() => client.end());
}
