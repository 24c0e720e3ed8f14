import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { Client } from "pg";
import { describe, expect, it, vi } from "vitest";
import { openStore } from "../../storage/database.js";
import { type Migration, numberOf } from "../../storage/migrate.js";
import { packageVersion } from "../../storage/packageRoot.js";
import { openDatabase } from "../../storage/sqlite/sqlite.js";
import { hasPostgres, newDatabase, newHome } from "../fakes/homes.js";
import { programFile } from "../fakes/programs.js";

const FIRST: Migration[] = [["CREATE TABLE notes (text TEXT)"]];
const SECOND: Migration[] = [...FIRST, ["ALTER TABLE notes ADD COLUMN author TEXT"]];

/** A file of the first version with a note of some length. */
function oldFile(length = 1): string {
  const file = join(newHome(), "notes.db");
  const database = openDatabase({ file, migrations: FIRST });
  database.prepare("INSERT INTO notes VALUES (?)").run("a".repeat(length));
  database.close();
  return file;
}

const upgrade = (file: string) => openDatabase({ file, migrations: SECOND }).close();

/** What is told on stderr while something is done. */
function told(work: () => void): string {
  const spy = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    work();
    return spy.mock.calls.map(([text]) => String(text)).join("");
  } finally {
    spy.mockRestore();
  }
}

const copiesOf = (file: string) =>
  readdirSync(dirname(file)).filter((name) => name.includes("before"));

const notesIn = (file: string) => {
  const database = openDatabase({ file });
  const rows = database.prepare("SELECT * FROM notes").all();
  database.close();
  return rows;
};

describe("a file that is brought up to date", () => {
  it("is kept as it was in a copy that only its owner can read, and says so in one line", () => {
    const file = oldFile();
    const line = told(() => upgrade(file));
    expect(line).toMatch(/^[^\n]+\n$/);
    expect(line).toContain(`${file}.before-1`);
    expect(notesIn(`${file}.before-1`)).toEqual([{ text: "a" }]);
    expect(statSync(`${file}.before-1`).mode & 0o777).toBe(0o600);
    expect(notesIn(file)).toEqual([{ text: "a", author: null }]);
    expect(told(() => upgrade(file))).toBe("");
  });

  it("is not copied if it is new", () => {
    const file = join(newHome(), "notes.db");
    expect(told(() => upgrade(file))).toBe("");
    expect(copiesOf(file)).toEqual([]);
  });

  it("leaves an earlier copy as it is, of which it may be the only one", () => {
    const file = oldFile();
    upgrade(file);
    const earlier = readFileSync(`${file}.before-1`);
    const again = openDatabase({ file });
    again.exec("ALTER TABLE notes DROP COLUMN author");
    again.exec("INSERT INTO notes VALUES ('later')");
    again.pragma("user_version = 1");
    again.close();
    upgrade(file);
    expect(readFileSync(`${file}.before-1`)).toEqual(earlier);
    expect(notesIn(`${file}.before-1-2`)).toHaveLength(2);
  });

  it("stays as it is if the disk has no room for the copy, and says so in one line", () => {
    const file = oldFile(2_000_000);
    const before = readFileSync(file);
    const child = programFile("tests/storage/upgradeInChild.ts");
    // No file may become as large as a copy.
    const limited = ["-c", 'ulimit -f 1000; exec "$0" "$@"', process.execPath, child, file];
    const { status, stderr } = spawnSync("sh", limited, { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^[^\n]*notes\.db: cannot be copied before [^\n]*\n$/);
    expect(readFileSync(file)).toEqual(before);
    expect(copiesOf(file)).toEqual([]);
    upgrade(file);
    expect(notesIn(file)).toHaveLength(1);
  });

  it("has one copy, although several processes open it at once", () => {
    const file = oldFile();
    const child = programFile("tests/storage/upgradeInChild.ts");
    const command = `"${process.execPath}" "${child}" "${file}"`;
    execFileSync("sh", ["-c", `${Array.from({ length: 4 }, () => `${command} &`).join(" ")} wait`]);
    expect(copiesOf(file)).toEqual(["notes.db.before-1"]);
    expect(notesIn(file)).toHaveLength(1);
  });
});

describe("a file of a newer release", () => {
  it("is refused with the release that it needs, and not changed", () => {
    const file = join(newHome(), "notes.db");
    const [major = 0] = packageVersion().split(".").map(Number);
    // Without a log, as a copy is: to open it for writing would change it.
    const newer = new SqliteDatabase(file);
    newer.exec("CREATE TABLE notes (text TEXT); PRAGMA user_version = 9");
    newer.exec(`PRAGMA application_id = ${numberOf(`${major + 1}.2.3`)}`);
    newer.close();
    const before = readFileSync(file);
    expect(() => upgrade(file)).toThrow(`needs tulipgraph ${major + 1}.2.3 or newer`);
    expect(readFileSync(file)).toEqual(before);
  });

  it("is refused with its schema's number if the release is not known to be newer", () => {
    const file = oldFile();
    upgrade(file);
    expect(() => openDatabase({ file, migrations: FIRST })).toThrow(
      /schema 2, this version knows 1\).*Update tulipgraph/,
    );
  });
});

it.skipIf(!hasPostgres)(
  "a database is brought up to date once by all who open it at once",
  async () => {
    const place = { home: newHome(), url: await newDatabase() };
    const steps = [["CREATE TABLE notes (text text)"], ["INSERT INTO notes VALUES ('once')"]];
    const open = async (count: number) => {
      const migrations = { sqlite: [], postgres: steps.slice(0, count) };
      const store = openStore<{ notes: { text: string } }>({ place, store: "notes", migrations });
      return await store.db
        .selectFrom("notes")
        .selectAll()
        .execute()
        .finally(() => store.close());
    };
    await open(1);
    await Promise.all([open(2), open(2), open(2)]);
    expect(await open(2)).toEqual([{ text: "once" }]);
  },
);

it.skipIf(!hasPostgres)(
  "a database of a newer release is refused with the release that it needs",
  async () => {
    const place = { home: newHome(), url: await newDatabase() };
    const migrations = { sqlite: [], postgres: [["CREATE TABLE notes (text text)"]] };
    const open = async () => {
      const store = openStore<{ notes: { text: string } }>({ place, store: "notes", migrations });
      await store.db
        .selectFrom("notes")
        .selectAll()
        .execute()
        .finally(() => store.close());
    };
    await open();
    const client = new Client({ connectionString: place.url });
    await client.connect();
    await client.query("UPDATE tulipgraph.versions SET version = 7, release = '999.1.0'");
    await expect(open()).rejects.toThrow("needs tulipgraph 999.1.0 or newer");
    const { rows } = await client.query("SELECT version, release FROM tulipgraph.versions");
    await client.end();
    expect(rows).toEqual([{ version: 7, release: "999.1.0" }]);
  },
);
