import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DataPlace } from "../../../storage/database.js";
import { openRows, type RowStore } from "../../../storage/mirror/rowStore.js";
import { type Database, StorageFailed } from "../../../storage/sqlite.js";
import { hasPostgres, inEachHome, newDatabase, newHome } from "../../fakes/homes.js";
import { programFile } from "../../fakes/programs.js";
import { startPostgres } from "../../postgresServer.js";
import { BOOKS } from "./books.js";

function open(place: DataPlace): RowStore {
  const rows = openRows({ place, ...BOOKS });
  onTestFinished(() => rows.close());
  return rows;
}

async function titles(rows: RowStore): Promise<unknown[]> {
  await rows.refresh({ maxAgeMs: 0 });
  return rows.database.prepare("SELECT title FROM books ORDER BY title").pluck().all();
}

const addShelf = (rows: RowStore, name: string) =>
  rows.write((db) =>
    Number(db.prepare("INSERT INTO shelves (name) VALUES (?)").run(name).lastInsertRowid),
  );

const addBook = (rows: RowStore, shelf: number, title: string) =>
  rows.write((db) =>
    db
      .prepare("INSERT OR REPLACE INTO books VALUES (?, ?, ?, ?)")
      .run(shelf, title, 1.5, Buffer.from([0, 1, 255])),
  );

inEachHome("a store of rows", (newPlace) => {
  it("keeps values of all kinds as they are", async () => {
    const rows = open(await newPlace());
    const shelf = await addShelf(rows, "Bücher 💐 \\ ' \"");
    await addBook(rows, shelf, "naïve, {1,2} \\x00 NULL");
    await rows.refresh({ maxAgeMs: 0 });
    const [book] = rows.database.prepare("SELECT * FROM books").all() as { cover: Uint8Array }[];
    expect(book).toMatchObject({ shelf, title: "naïve, {1,2} \\x00 NULL", weight: 1.5 });
    expect([...new Uint8Array(book?.cover ?? [])]).toEqual([0, 1, 255]);
  });

  it("writes all or nothing", async () => {
    const rows = open(await newPlace());
    const shelf = await addShelf(rows, "one");
    const failing = rows.write((db) => {
      db.prepare("INSERT INTO books VALUES (?, 'half', NULL, NULL)").run(shelf);
      db.prepare("INSERT INTO shelves (name) VALUES ('one')").run();
    });
    await expect(failing).rejects.toThrow(/UNIQUE/);
    expect(await titles(rows)).toEqual([]);
  });

  it("deletes rows together with those that they belong to, and gives no number twice", async () => {
    const rows = open(await newPlace());
    const first = await addShelf(rows, "one");
    await addBook(rows, first, "a");
    await rows.write((db) => db.prepare("DELETE FROM shelves").run());
    expect(await titles(rows)).toEqual([]);
    expect(await addShelf(rows, "two")).toBe(first + 1);
  });
});

describe.skipIf(!hasPostgres)("two homes of one database", () => {
  it("see what the other has written, changed and deleted", async () => {
    const url = await newDatabase();
    const [one, other] = [open({ home: newHome(), url }), open({ home: newHome(), url })];
    const shelf = await addShelf(one, "shelf");
    await addBook(one, shelf, "a");
    await addBook(other, shelf, "b");
    expect([await titles(one), await titles(other)]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    await other.write((db) => db.prepare("UPDATE books SET title = 'c' WHERE title = 'a'").run());
    expect(await titles(one)).toEqual(["b", "c"]);
    await one.write((db) => db.prepare("DELETE FROM shelves").run());
    expect(await titles(other)).toEqual([]);
    expect(await addShelf(other, "shelf")).toBe(shelf + 1);
  });

  it("lose nothing of what they write at once", async () => {
    const url = await newDatabase();
    const homes = [newHome(), newHome(), newHome()];
    const stores = [...homes, ...homes].map((home) => open({ home, url }));
    const [first] = stores;
    if (!first) throw new Error("no store");
    const shelf = await addShelf(first, "shelf");
    const writes = stores.flatMap((rows, at) =>
      Array.from({ length: 8 }, (_, count) => addBook(rows, shelf, `${at} ${count}`)),
    );
    await Promise.all(writes);
    for (const rows of stores) expect(await titles(rows)).toHaveLength(stores.length * 8);
  });

  it("have the same rows as a single file would, whatever they do", async () => {
    const step = fc.record({
      home: fc.nat({ max: 1 }),
      does: fc.constantFrom("shelf", "book", "rename", "drop", "caches"),
      at: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const url = await newDatabase();
        const homes = [open({ home: newHome(), url }), open({ home: newHome(), url })];
        const plain = open({ home: newHome() });
        for (const [count, { home, does, at }] of steps.entries()) {
          const rows = homes[home] ?? plain;
          const results = [];
          for (const each of [rows, plain]) {
            results.push(await each.write((db) => STEPS[does](db, { at, count })).catch(String));
          }
          expect(results[0]).toEqual(results[1]);
        }
        for (const rows of homes) {
          await rows.refresh({ maxAgeMs: 0 });
          expect(contentOf(rows)).toEqual(contentOf(plain));
        }
      }),
      { numRuns: 12 },
    );
  });

  it("fill a mirror from scratch if it shows another state of the database", async () => {
    const url = await newDatabase();
    const home = newHome();
    const before = open({ home, url });
    const shelf = await addShelf(before, "shelf");
    await addBook(before, shelf, "old");
    await before.write((db) => db.prepare("INSERT OR REPLACE INTO counted VALUES (1, 1)").run());
    before.database.exec("INSERT OR REPLACE INTO counted VALUES (2, 2)");
    await before.close();
    // As if it had been put back from a copy: the same number of writes, and others.
    await query(url, "UPDATE tulipgraph_books.mirror_state SET mark = 'another'");
    await query(url, "UPDATE tulipgraph_books.mirror_writes SET mark = 'another' WHERE number > 0");
    await query(url, "UPDATE tulipgraph_books.books SET title = 'put back'");
    const after = open({ home, url });
    expect(await titles(after)).toEqual(["put back"]);
    expect(after.database.prepare("SELECT count(*) FROM counted").pluck().get()).toBe(0);
  });

  it("refuse data of a newer version", async () => {
    const url = await newDatabase();
    const rows = open({ home: newHome(), url });
    await addShelf(rows, "shelf");
    await query(url, "UPDATE tulipgraph.versions SET version = 9");
    await expect(rows.refresh({ maxAgeMs: 0 })).rejects.toThrow(/newer version/);
    await expect(addShelf(rows, "other")).rejects.toThrow(/newer version/);
  });

  it("write once although connections break at any moment", async () => {
    const url = await newDatabase();
    const rows = open({ home: newHome(), url });
    const shelf = await addShelf(rows, "shelf");
    const over = new AbortController();
    const breaking = (async () => {
      while (!over.signal.aborted) {
        await query(
          url,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        );
        await sleep(15);
      }
    })();
    const kept: string[] = [];
    for (let count = 0; count < 40; count += 1) {
      const isWritten = await rows
        .write((db) =>
          db.prepare("INSERT INTO books VALUES (?, ?, NULL, NULL)").run(shelf, `${count}`),
        )
        .then(
          () => true,
          (error: unknown) => {
            expect(error).toBeInstanceOf(StorageFailed);
            return false;
          },
        );
      if (isWritten) kept.push(`${count}`);
    }
    over.abort();
    await breaking;
    expect(await titles(rows)).toEqual(kept.toSorted());
    expect(await titles(open({ home: newHome(), url }))).toEqual(kept.toSorted());
  });
});

function startWriter(place: DataPlace, name: string, command = ""): ChildProcess {
  const script = programFile("tests/storage/mirror/writeInChild.ts");
  const child = fork(script, [place.home, place.url ?? "", name, command], { stdio: "inherit" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

describe.skipIf(!hasPostgres)("a process that is killed", () => {
  it("between the commits of the database and the mirror leaves a write that everybody sees", async () => {
    const url = await newDatabase();
    const [home, other] = [newHome(), newHome()];
    const theirs = open({ home: other, url });
    await addShelf(theirs, "shelf");
    expect(await once(startWriter({ home, url }, "half", "half"), "exit")).toEqual([
      null,
      "SIGKILL",
    ]);
    const all = ["half 0 a", "half 0 b", "half 1 a", "half 1 b"];
    expect(await titles(theirs)).toEqual(all);
    const mine = open({ home, url });
    const before = mine.database.prepare("SELECT title FROM books ORDER BY title").pluck().all();
    expect(before).toEqual(all.slice(0, 2));
    await addBook(mine, 1, "next");
    expect(await titles(mine)).toEqual([...all, "next"]);
    expect(await titles(theirs)).toEqual([...all, "next"]);
  });

  it("at any moment, beside other writers, loses nothing that it has reported, and leaves no partial write", async () => {
    const url = await newDatabase();
    const homes = [newHome(), newHome()];
    const watching = open({ home: newHome(), url });
    await addShelf(watching, "shelf");
    const told = new Map<string, number>();
    for (const round of [1, 2, 3]) {
      // Two of them share a home, and with it a mirror.
      const children = [...homes, homes[0] ?? ""].map((home, at) => {
        const name = `${round}.${at}`;
        const child = startWriter({ home, url }, name);
        child.on("message", (count: number) => told.set(name, count));
        return child;
      });
      for (const child of children) {
        await Promise.race([once(child, "message"), once(child, "exit")]);
        await sleep(Math.random() * 150);
        child.kill("SIGKILL");
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      }
    }
    const kept = await titles(watching);
    expect(told.size).toBe(9);
    for (const [name, count] of told) {
      const own = kept.filter((title) => String(title).startsWith(`${name} `));
      expect(own.length).toBeGreaterThanOrEqual(2 * count);
      expect(own.length % 2).toBe(0);
    }
    for (const home of homes) expect(await titles(open({ home, url }))).toEqual(kept);
  });
});

it.skipIf(!hasPostgres)(
  "a database that is away leaves what was read last, and nothing is written",
  async () => {
    const server = await startPostgres();
    if (!server) return;
    onTestFinished(() => server.stop());
    const rows = open({ home: newHome(), url: server.url });
    const shelf = await addShelf(rows, "shelf");
    await addBook(rows, shelf, "a");
    const ended = once(server.process, "exit");
    server.process.kill("SIGKILL");
    await ended;
    expect(await titles(rows)).toEqual(["a"]);
    const writing = addBook(rows, shelf, "b");
    await server.restart();
    await writing;
    expect(await titles(rows)).toEqual(["a", "b"]);
  },
);

type Step = (db: Database, options: { at: number; count: number }) => unknown;

const STEPS: Record<"shelf" | "book" | "rename" | "drop" | "caches", Step> = {
  shelf: (db, { at }) => {
    db.prepare("INSERT OR REPLACE INTO shelves (name) VALUES (?)").run(`shelf ${at}`);
  },
  book: (db, { at, count }) => {
    db.prepare("INSERT INTO books SELECT max(number), ?, ?, NULL FROM shelves").run(`${at}`, count);
  },
  rename: (db, { at }) => {
    db.prepare("UPDATE books SET title = title || '+' WHERE title = ?").run(`${at}`);
  },
  drop: (db, { at }) => {
    db.prepare("DELETE FROM shelves WHERE name = ?").run(`shelf ${at}`);
  },
  caches: (db, { at }) => {
    db.prepare("INSERT OR REPLACE INTO counted VALUES (?, 1)").run(at);
  },
};

function contentOf({ database }: RowStore): unknown[] {
  return ["shelves ORDER BY number", "books ORDER BY shelf, title"].map((table) =>
    database.prepare(`SELECT * FROM ${table}`).all(),
  );
}

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}
