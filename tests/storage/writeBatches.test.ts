import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Database, openDatabase } from "../../storage/sqlite.js";
import { type WriteBatches, writeBatches } from "../../storage/writeBatches.js";

let home: string;
let file: Database;
/** Another connection: it sees what is in the file. */
let other: Database;
let batches: WriteBatches;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tulipgraph-batches-"));
  const place = {
    file: join(home, "notes.db"),
    migrations: [["CREATE TABLE notes (text UNIQUE)"]],
  };
  [file, other] = [openDatabase(place), openDatabase(place)];
  batches = writeBatches(file);
});

afterEach(() => {
  file.close();
  other.close();
  rmSync(home, { recursive: true, force: true });
});

function note(text: string): void {
  batches.database.prepare("INSERT INTO notes VALUES (?)").run(text);
}

function notes(): unknown[] {
  return other.prepare("SELECT text FROM notes ORDER BY text").pluck().all();
}

it("says that writes are done when they are in the file, all those of a moment at once", async () => {
  note("one");
  batches.database.transaction(() => note("two"))();
  expect(notes()).toEqual([]);
  await batches.saved();
  expect(notes()).toEqual(["one", "two"]);
});

it("reads after what was written", () => {
  note("one");
  expect(batches.database.prepare("SELECT text FROM notes").get()).toEqual({ text: "one" });
  expect(notes()).toEqual(["one"]);
});

it("tells everybody who waits that nothing of a moment was written where a write has failed", async () => {
  note("one");
  const [first, second] = [batches.saved(), (note("one"), batches.saved())];
  await expect(first).rejects.toThrow(/UNIQUE/);
  await expect(second).rejects.toThrow(/UNIQUE/);
  expect(notes()).toEqual([]);
  note("two");
  await batches.saved();
  expect(notes()).toEqual(["two"]);
});

it("writes what waits before it is closed", () => {
  note("one");
  batches.flush();
  expect(notes()).toEqual(["one"]);
});
