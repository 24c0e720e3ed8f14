import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describe, inject, onTestFinished } from "vitest";
import type { DataPlace } from "../../storage/database.js";

/** Whether tests have a Postgres. */
export const hasPostgres = inject("postgres") !== "";

/** A new, empty database of the tests' Postgres; it goes with the test. */
export async function newDatabase(): Promise<string> {
  const { url, drop } = await makeDatabase();
  onTestFinished(drop);
  return url;
}

/** A new, empty database for several tests. */
export async function makeDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = inject("postgres");
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  await administer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const drop = () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url: url.href, drop };
}

/** A new, empty home in SQLite files; it goes with the test. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "tulipgraph-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/**
 * Describes something that has to hold in both kinds of homes. What needs Postgres is skipped, and says so, where none
 * is installed (Debian's package is `postgresql`).
 *
 * @example
 * inEachHome("the journal", (newPlace) => {
 *   it("keeps a call", async () => { const journal = openJournal(await newPlace()); … });
 * });
 */
export function inEachHome(
  name: string,
  tests: (newPlace: () => Promise<DataPlace>) => void,
): void {
  describe(`${name} (SQLite)`, () => {
    tests(async () => ({ home: newHome() }));
  });
  describe.skipIf(!hasPostgres)(`${name} (Postgres)`, () => {
    tests(async () => ({ home: newHome(), url: await newDatabase() }));
  });
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
