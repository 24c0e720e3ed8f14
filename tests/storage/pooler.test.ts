import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openStore } from "../../storage/database.js";
import { sql } from "../../storage/kysely.js";
import { hasPostgres, newDatabase, newHome } from "../fakes/homes.js";

/** Debian's package is `pgbouncer`. */
const hasPooler = spawnSync("pgbouncer", ["--version"]).status === 0;

/** A database behind a pooler in transaction mode, with two connections for everybody, until the test ends. */
async function pooled(): Promise<string> {
  const database = new URL(await newDatabase());
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-pooler-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const name = database.pathname.slice(1);
  const file = join(folder, "pooler.ini");
  writeFileSync(
    file,
    `[databases]
${name} = host=${database.hostname} port=${database.port} dbname=${name} user=${database.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
  );
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot
    ? Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" }))
    : undefined;
  const pooler = spawn("pgbouncer", [file], { stdio: "ignore", ...(uid !== undefined && { uid }) });
  onTestFinished(async () => {
    await ended(pooler);
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `postgres://${database.username}@127.0.0.1:${port}/${name}`;
  await vi.waitFor(
    async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.end();
    },
    { timeout: 20_000 },
  );
  return url;
}

async function ended(pooler: ChildProcess): Promise<void> {
  if (pooler.exitCode !== null) return;
  const gone = new Promise((done) => pooler.once("exit", done));
  pooler.kill("SIGKILL");
  await gone;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

describe.skipIf(!hasPostgres || !hasPooler)(
  "a database behind a pooler in transaction mode",
  () => {
    it("is written and read by several connections at once", async () => {
      const place = { home: newHome(), url: await pooled() };
      const migrations = {
        sqlite: [[]],
        postgres: [["CREATE TABLE notes (id bigint PRIMARY KEY, text text NOT NULL)"]],
      };
      const store = openStore<{ notes: { id: number; text: string } }>({
        place,
        store: "notes",
        migrations,
      });
      const { db } = store;
      await db.insertInto("notes").values({ id: 0, text: "a" }).execute();
      const touched = () =>
        db.updateTable("notes").set({ text: "b" }).where("id", "=", 0).returning("id");
      const added = (id: number) => db.insertInto("notes").values({ id, text: "c" });
      // Several queries in one statement have a plan that is kept where there is no pooler.
      const ids = Array.from({ length: 40 }, (_, index) => index + 1);
      const done = await Promise.all(ids.map((id) => store.together(touched(), added(id))));
      expect(done.every(Boolean)).toBe(true);
      const { rows } = await sql<{
        count: number;
      }>`SELECT count(*)::int AS count FROM tulipgraph_notes.notes`.execute(db);
      expect(rows).toEqual([{ count: 41 }]);
      await store.close();
    });
  },
);
