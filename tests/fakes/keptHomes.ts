import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Client } from "pg";
import type { DataPlace } from "../../storage/database.js";
import { openDatabase } from "../../storage/sqlite.js";
import { unkept } from "../fixtures/homes/dump.js";
import { newDatabase, newHome } from "./homes.js";

const KEPT = join(import.meta.dirname, "..", "fixtures", "homes");

/** The releases whose homes are kept. */
export const RELEASES = readdirSync(KEPT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "sources")
  .map(({ name }) => name);

/** A kept home as a release left it. */
export interface KeptHome {
  place: DataPlace;
  /** The folder of its functions and of its MCP server, with `closed.txt`: the issues that were closed since. */
  sources: string;
  /** Secrets of its keys by the names of their owners. */
  keys: Record<"ada" | "bob", string>;
}

/** Lays out the kept home of a release; it goes with the test. */
export async function keptHome(release: string, kind: "sqlite" | "postgres"): Promise<KeptHome> {
  const home = newHome();
  const sources = join(newHome(), "sources");
  cpSync(join(KEPT, "sources"), sources, { recursive: true });
  writeFileSync(join(sources, "closed.txt"), "");
  const secrets = readFileSync(join(KEPT, release, "keys.json"), "utf8");
  const keys = (JSON.parse(secrets) as Record<typeof kind, KeptHome["keys"]>)[kind];
  const textOf = (file: string) =>
    unkept(readFileSync(join(KEPT, release, file), "utf8"), sources);
  if (kind === "postgres") {
    const url = await newDatabase();
    await restore(url, textOf("postgres.sql"));
    return { place: { home, url }, sources, keys };
  }
  mkdirSync(home, { recursive: true });
  for (const file of readdirSync(join(KEPT, release)))
    if (file.endsWith(".sql") && file !== "postgres.sql")
      writeDatabase(join(home, `${basename(file, ".sql")}.db`), textOf(file));
  return { place: { home }, sources, keys };
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
