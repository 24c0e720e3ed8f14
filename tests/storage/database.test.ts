import { expect, it } from "vitest";
import { type StoreMigrations, openStore } from "../../storage/database.js";
import { sql } from "../../storage/kysely.js";
import { inEachHome } from "../fakes/homes.js";

interface Tables {
  notes: { id: number; text: string };
}

const first: StoreMigrations = {
  sqlite: [["CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"]],
  postgres: [["CREATE TABLE notes (id bigint PRIMARY KEY, text text NOT NULL)"]],
};

const second: StoreMigrations = {
  sqlite: [...first.sqlite, ["INSERT INTO notes VALUES (2, 'added')"]],
  postgres: [...first.postgres, ["INSERT INTO notes VALUES (2, 'added')"]],
};

inEachHome("a store", (newPlace) => {
  it("keeps what was written in a transaction, and nothing of one that failed", async () => {
    const store = openStore<Tables>({ place: await newPlace(), store: "notes", migrations: first });
    await store.transaction((db) => db.insertInto("notes").values({ id: 1, text: "a" }).execute());
    const failing = store.transaction(async (db) => {
      await db.insertInto("notes").values({ id: 2, text: "b" }).execute();
      throw new Error("broken off");
    });
    await expect(failing).rejects.toThrow("broken off");
    expect(await store.db.selectFrom("notes").selectAll().execute()).toEqual([
      { id: 1, text: "a" },
    ]);
    await store.close();
  });

  it("executes queries together, and none but the first if that returns no row", async () => {
    const store = openStore<Tables>({ place: await newPlace(), store: "notes", migrations: first });
    const { db } = store;
    await db.insertInto("notes").values({ id: 1, text: "a" }).execute();
    const renamed = (from: string) =>
      db.updateTable("notes").set({ text: "b" }).where("text", "=", from).returning("id");
    const added = (id: number) => db.insertInto("notes").values({ id, text: "c" });
    expect(await store.together(renamed("nobody"), added(2))).toBe(false);
    expect(await store.together(renamed("a"), added(3))).toBe(true);
    // A failure of another query undoes all of it, and is told: it does not mean that the first returned no row.
    const failing = db
      .updateTable("notes")
      .set({ text: sql<string>`1 / (length(text) - 1)` })
      .where("id", "=", 3);
    // SQLite divides by zero without a word.
    const wrong = store.kind === "postgres" ? failing : added(3);
    await expect(store.together(renamed("b"), wrong)).rejects.toThrow(/zero|UNIQUE/);
    const notes = await db.selectFrom("notes").selectAll().orderBy("id").execute();
    expect(notes.map(({ id, text }) => `${id}${text}`)).toEqual(["1b", "3c"]);
    await store.close();
  });

  it("brings data of an earlier version up to date, once for all processes that start together", async () => {
    const place = await newPlace();
    const old = openStore<Tables>({ place, store: "notes", migrations: first });
    await old.db.insertInto("notes").values({ id: 1, text: "old" }).execute();
    await old.close();
    const stores = [1, 2, 3, 4].map(() =>
      openStore<Tables>({ place, store: "notes", migrations: second }),
    );
    const seen = await Promise.all(
      stores.map(({ db }) => db.selectFrom("notes").select("text").orderBy("id").execute()),
    );
    expect(seen).toEqual(stores.map(() => [{ text: "old" }, { text: "added" }]));
    await Promise.all(stores.map(({ close }) => close()));
  });

  it("refuses data of a newer version", async () => {
    const place = await newPlace();
    const newer = openStore<Tables>({ place, store: "notes", migrations: second });
    await newer.db.selectFrom("notes").selectAll().execute();
    await newer.close();
    const older = openStore<Tables>({ place, store: "notes", migrations: first });
    await expect(older.db.selectFrom("notes").selectAll().execute()).rejects.toThrow(
      /newer version/,
    );
    await older.close().catch(() => undefined);
  });
});
