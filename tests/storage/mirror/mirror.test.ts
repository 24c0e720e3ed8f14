import { expect, it, onTestFinished } from "vitest";
import type { DataPlace } from "../../../storage/database.js";
import { openRows, type RowMigrations, type RowStore } from "../../../storage/mirror/rowStore.js";
import { inEachHome } from "../../fakes/homes.js";

const MIGRATIONS: RowMigrations = [
  [
    "CREATE TABLE shelves (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT",
    `CREATE TABLE books (
      shelf INTEGER NOT NULL REFERENCES shelves ON DELETE CASCADE,
      title TEXT NOT NULL, weight REAL, cover BLOB, PRIMARY KEY (shelf, title)
    ) STRICT`,
    "CREATE TABLE counted (shelf INTEGER PRIMARY KEY, books INTEGER NOT NULL) STRICT",
  ],
];

function open(place: DataPlace): RowStore {
  const rows = openRows({ place, store: "books", migrations: MIGRATIONS, caches: ["counted"] });
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

  it("takes rows away with those that they belong to, and gives no number twice", async () => {
    const rows = open(await newPlace());
    const first = await addShelf(rows, "one");
    await addBook(rows, first, "a");
    await rows.write((db) => db.prepare("DELETE FROM shelves").run());
    expect(await titles(rows)).toEqual([]);
    expect(await addShelf(rows, "two")).toBe(first + 1);
  });
});
