import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, linkSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { copyDatabase } from "../../storage/sqlite/sqlite.js";
import { openStore } from "../../storage/database.js";
import { sql } from "../../storage/kysely.js";
import { type Database, openDatabase } from "../../storage/sqlite/sqlite.js";
import { newHome } from "../fakes/homes.js";
import { programFile } from "../fakes/programs.js";

const MIGRATIONS = [["CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"]];

let home: string;
let file: string;
beforeEach(() => {
  home = newHome();
  file = join(home, "notes.db");
});

function open(): Database {
  const database = openDatabase({ file, migrations: MIGRATIONS });
  onTestFinished(() => void database.close());
  return database;
}

const texts = (database: Database) => database.prepare("SELECT text FROM notes").pluck().all();

const add = (database: Database, text: string) =>
  database.prepare("INSERT INTO notes (text) VALUES (?)").run(text);

/** Another process opens the file, writes to it and is done. */
function useElsewhere(): void {
  execFileSync(process.execPath, [programFile("tests/storage/useInChild.ts"), file]);
}

/** What this process does with a file that it has open already. */
const AGAIN: Record<string, () => unknown> = {
  "opens it again": () => openDatabase({ file, migrations: MIGRATIONS }),
  "opens it again and closes it": () => openDatabase({ file, migrations: MIGRATIONS }).close(),
  "opens it as a store, which writes it to the disk": async () => {
    const migrations = { sqlite: MIGRATIONS, postgres: [] };
    const store = openStore({ place: { home }, store: "notes", migrations });
    await sql`SELECT * FROM notes`.execute(store.db);
    await store.sync();
    await store.close();
  },
  "copies it": () => copyDatabase({ from: file, to: join(home, "copy.db") }),
  "opens it in a thread": async () => {
    const storage = join(import.meta.dirname, "../../dist/storage/sqlite/sqlite.js");
    const code = `import(${JSON.stringify(storage)}).then(({ openDatabase }) =>
      openDatabase({ file: ${JSON.stringify(file)} }).close())`;
    await once(new Worker(code, { eval: true }), "exit");
  },
};

describe("a file that a process has open", () => {
  it.each(Object.entries(AGAIN))("keeps its log when it %s and another ends", async (_, again) => {
    const database = open();
    add(database, "first");
    await again();
    useElsewhere();
    expect(existsSync(`${file}-wal`)).toBe(true);
    expect(texts(database)).toEqual(["first", "by another process"]);
    add(database, "last");
    expect(texts(openDatabase({ file }))).toEqual(["first", "by another process", "last"]);
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
  });

  it("loses its log once something else opens it: this is what the rule is for", () => {
    const database = open();
    add(database, "first");
    readFileSync(file);
    useElsewhere();
    expect(existsSync(`${file}-wal`)).toBe(false);
  });
});

describe("a new file", () => {
  it("is the one of whoever was first, and no draft of it is left", () => {
    const other = join(home, "other.db");
    openDatabase({ file: other, migrations: MIGRATIONS }).close();
    linkSync(other, file);
    copyDatabase({ from: other, to: file });
    expect(statSync(file).ino).toBe(statSync(other).ino);
    expect(execFileSync("ls", [home]).toString()).not.toMatch(/\.(new|part)$/m);
  });
});

/** What leaves a statement before its last row. */
const LEFT: Record<string, (database: Database) => void> = {
  "the first of many rows": (database) => void database.prepare("SELECT * FROM notes").get(),
  "a loop that breaks": (database) => {
    for (const _ of database.prepare("SELECT * FROM notes").iterate()) break;
  },
  "a loop that throws": (database) => {
    expect(() => {
      for (const _ of database.prepare("SELECT * FROM notes").iterate()) throw new Error("stop");
    }).toThrow("stop");
  },
  "a step that fails": (database) => {
    const rows = database.prepare("SELECT json(text || '{') FROM notes WHERE id > 200").iterate();
    expect(() => [...rows]).toThrow("JSON");
  },
  "a statement with rows that is run": (database) => {
    expect(() => database.prepare("SELECT * FROM notes").run()).toThrow("use get or all");
    expect(() =>
      database.prepare("INSERT INTO notes (text) VALUES ('x') RETURNING id").run(),
    ).toThrow("use get or all");
  },
  "a transaction that is rolled back": (database) => {
    const failing = database.transaction(() => {
      database.prepare("SELECT * FROM notes").get();
      throw new Error("stop");
    });
    expect(() => failing.deferred()).toThrow("stop");
  },
  "a pragma": (database) => void database.pragma("table_info(notes)"),
};

describe("no transaction stays open after", () => {
  it.each(Object.entries(LEFT))("%s", (_, leave) => {
    const [reader, writer] = [open(), open()];
    const many = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 500)";
    writer.exec(`${many} INSERT INTO notes (text) SELECT i FROM n`);
    leave(reader);
    add(writer, "new");
    expect(writer.pragma("wal_checkpoint(TRUNCATE)")).toMatchObject([{ busy: 0 }]);
    expect(texts(reader)).toContain("new");
  });
});
