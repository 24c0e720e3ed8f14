import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyDatabase } from "../../storage/sqlite/sqlite.js";
import { type Database, StorageFailed, openDatabase } from "../../storage/sqlite/sqlite.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-it's-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const migrations = [["CREATE TABLE names (name TEXT)"]];

const open = (name: string): Database => openDatabase({ file: join(folder, name), migrations });

function namesIn(database: Database): unknown[] {
  return database.prepare("SELECT name FROM names").pluck().all();
}

describe("A copy of a database", () => {
  it("has what was written before it, although the original is open, and is private", () => {
    const first = open("first.db");
    first.exec("INSERT INTO names VALUES ('Ada')");
    const to = join(folder, "inner/copy.db");
    copyDatabase({ from: join(folder, "first.db"), to });
    first.exec("INSERT INTO names VALUES ('Bob')");
    const copy = open("inner/copy.db");
    expect(namesIn(copy)).toEqual(["Ada"]);
    expect(namesIn(first)).toEqual(["Ada", "Bob"]);
    expect(statSync(to).mode & 0o777).toBe(0o600);
    first.close();
    copy.close();
  });

  it("is not made again once it exists", () => {
    const first = open("first.db");
    const copy = open("copy.db");
    copy.exec("INSERT INTO names VALUES ('Own')");
    copyDatabase({ from: join(folder, "first.db"), to: join(folder, "copy.db") });
    expect(namesIn(copy)).toEqual(["Own"]);
    first.close();
    copy.close();
  });

  it("is not made of a missing file", () => {
    const to = join(folder, "copy.db");
    expect(() => copyDatabase({ from: join(folder, "none.db"), to })).toThrow(StorageFailed);
    expect(() => statSync(to)).toThrow(Error);
  });
});
