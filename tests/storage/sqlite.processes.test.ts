import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Database, openDatabase, StorageFailed } from "../../storage/sqlite/sqlite.js";
import { programFile } from "../fakes/programs.js";

let folder: string;
let opened: Database[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sqlite-"));
  opened = [];
});

afterEach(() => {
  for (const database of opened) database.close();
  rmSync(folder, { recursive: true, force: true });
});

const CREATE_NOTES = ["CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, body BLOB)"];

function fillAuthor(database: Database) {
  database.prepare("UPDATE notes SET author = ?").run("somebody");
}

function open({
  file = "notes.db",
  migrations = [CREATE_NOTES],
}: { file?: string; migrations?: Parameters<typeof openDatabase>[0]["migrations"] } = {}) {
  const database = openDatabase({ file: join(folder, file), migrations });
  opened.push(database);
  return database;
}

function failure(action: () => unknown): StorageFailed {
  try {
    action();
  } catch (error) {
    if (error instanceof StorageFailed) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("opening a file", () => {
  it("creates the folder and a file that only its owner can read", () => {
    open({ file: "deep/down/notes.db" }).prepare("INSERT INTO notes (text) VALUES ('x')").run();
    for (const suffix of ["", "-wal", "-shm"]) {
      expect(statSync(join(folder, `deep/down/notes.db${suffix}`)).mode & 0o777).toBe(0o600);
    }
  });

  it("uses write-ahead logging, enforces foreign keys and waits at least five seconds for a lock", () => {
    const database = open();
    expect(database.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(database.pragma("foreign_keys", { simple: true })).toBe(1);
    expect(database.pragma("busy_timeout", { simple: true })).toBeGreaterThanOrEqual(5000);
  });

  it("waits for a process that writes to the file before it had a write-ahead log", async () => {
    const writer = startChild("writeInChild.ts", join(folder, "notes.db"));
    await once(writer, "message");
    const database = open();
    expect(database.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(database.prepare("SELECT count(*) FROM held").pluck().get()).toBe(1);
    await once(writer, "exit");
  }, 300_000);

  it("says that a file is not a database, and leaves it as it was", () => {
    writeFileSync(join(folder, "notes.db"), "a shopping list, not a database ".repeat(64));
    const error = failure(() => open());
    expect(error.message).toContain("notes.db: is damaged (file is not a database)");
    expect(error.message).toContain("tulipgraph db check");
    expect(error.cause).toBeDefined();
  });

  it("says that a folder cannot be created, and what to do", () => {
    writeFileSync(join(folder, "taken"), "");
    expect(failure(() => open({ file: "taken/notes.db" })).message).toMatch(
      /(?:EEXIST|ENOTDIR).*Choose a folder that can be written to/,
    );
  });
});

describe("migrations", () => {
  it("run once each, in order, as statements or as functions", () => {
    const addAuthor = ["ALTER TABLE notes ADD COLUMN author TEXT"];
    open().prepare("INSERT INTO notes (text) VALUES (?)").run("old");

    const database = open({ migrations: [CREATE_NOTES, addAuthor, fillAuthor] });
    expect(database.prepare("SELECT text, author FROM notes").all()).toEqual([
      { text: "old", author: "somebody" },
    ]);
    expect(database.pragma("user_version", { simple: true })).toBe(3);

    database.prepare("INSERT INTO notes (text) VALUES (?)").run("new");
    open({ migrations: [CREATE_NOTES, addAuthor, fillAuthor] });
    expect(database.prepare("SELECT author FROM notes").pluck().all()).toEqual(["somebody", null]);
  });

  it("leave the file as it was when one of them fails", () => {
    open();
    const broken = ["ALTER TABLE notes ADD COLUMN author TEXT", "ALTER TABLE nowhere ADD COLUMN x"];
    expect(failure(() => open({ migrations: [CREATE_NOTES, broken] })).message).toContain(
      "nowhere",
    );

    const database = open();
    expect(database.pragma("user_version", { simple: true })).toBe(1);
    expect(database.prepare("SELECT * FROM notes").columns()).toHaveLength(3);
  });

  it("refuse a file that a newer version wrote, and say what to do", () => {
    open({ migrations: [CREATE_NOTES, ["CREATE TABLE tags (id TEXT)"]] });
    const { message } = failure(() => open());
    expect(message).toContain("schema 2, this version knows 1");
    expect(message).toContain("Update tulipgraph");
  });

  it("run once when several processes open the same new file at once", async () => {
    const children = Array.from({ length: 5 }, () =>
      startChild("openInChild.ts", join(folder, "notes.db")),
    );
    await Promise.all(children.map((child) => once(child, "message")));
    const exits = children.map((child) => once(child, "exit"));
    for (const child of children) child.send("open");
    const codes = (await Promise.all(exits)).map(([code]) => code as unknown);
    expect(codes).toEqual([0, 0, 0, 0, 0]);
    const database = open({ migrations: [CREATE_NOTES, ["SELECT 1"]] });
    expect(
      database.prepare("SELECT count(*) FROM notes WHERE text = 'migrated'").pluck().get(),
    ).toBe(1);
    expect(database.prepare("SELECT count(*) FROM notes WHERE text = 'opened'").pluck().get()).toBe(
      5,
    );
  }, 300_000);
});

describe("the interface of better-sqlite3", () => {
  it("returns rows with the selected columns only", () => {
    const database = open();
    expect(database.prepare("SELECT 1 AS one").get()).toEqual({ one: 1 });
    expect([...database.prepare("SELECT 1 AS one").iterate()]).toEqual([{ one: 1 }]);
    expect(database.prepare("SELECT 1 AS one WHERE 0").get()).toBeUndefined();
  });

  it("plucks the first column in get, all and iterate", () => {
    const statement = open().prepare("SELECT ? AS first, 2 AS second").pluck();
    expect(statement.get("a")).toBe("a");
    expect(statement.all("a")).toEqual(["a"]);
    expect([...statement.iterate("a")]).toEqual(["a"]);
    expect(statement.pluck(false).get("a")).toEqual({ first: "a", second: 2 });
  });

  it("reads row by row while the same query runs again", () => {
    const database = open();
    const numbers = "SELECT value FROM json_each('[1, 2, 3]') WHERE value > ?";
    const rows = database.prepare(numbers).pluck().iterate(0);
    expect(rows.next().value).toBe(1);
    expect(database.prepare(numbers).get(2)).toEqual({ value: 3 });
    expect(database.prepare(numbers).pluck().all(1)).toEqual([2, 3]);
    expect([...rows]).toEqual([2, 3]);
  });

  it("holds no lock after a read of the first of several rows", () => {
    const [reader, writer] = [open(), open()];
    writer.prepare("INSERT INTO notes (text) VALUES ('one')").run();
    reader.prepare("SELECT text FROM notes UNION ALL SELECT 'more'").get();
    writer.prepare("INSERT INTO notes (text) VALUES ('two')").run();
    expect(writer.pragma("wal_checkpoint(TRUNCATE)")).toMatchObject([{ busy: 0 }]);
    expect(reader.prepare("SELECT count(*) FROM notes").pluck().get()).toBe(2);
  });

  it("refuses a boolean with an error instead of ending the process", () => {
    const statement = open().prepare("INSERT INTO notes (text) VALUES (@text)");
    expect(() => statement.run({ text: true })).toThrow(TypeError);
    expect(() => statement.run(false)).toThrow("pass 1 or 0");
  });

  it("keeps the bytes of a vector, even of a view into a larger buffer", () => {
    const database = open();
    const vector = new Float32Array([0, 1.5, -2, 3]).subarray(1);
    const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
    database.prepare("INSERT INTO notes (body) VALUES (?)").run(bytes);
    expect(database.prepare("SELECT body FROM notes").pluck().get()).toEqual(bytes);
  });

  it("rolls a failed transaction back", () => {
    const database = open();
    const insertTwice = database.transaction(() => {
      database.prepare("INSERT INTO notes (id) VALUES (1)").run();
      database.prepare("INSERT INTO notes (id) VALUES (1)").run();
    });
    expect(() => insertTwice.immediate()).toThrow("UNIQUE");
    expect(database.prepare("SELECT count(*) FROM notes").pluck().get()).toBe(0);
    expect(database.inTransaction).toBe(false);
  });
});

/** Starts a script that stands beside this file; it does not outlive its test. */
function startChild(script: string, file: string): ChildProcess {
  const child = fork(programFile(`tests/storage/${script}`), [file], { stdio: "inherit" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
