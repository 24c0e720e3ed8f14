import { execFileSync } from "node:child_process";
import { copyFileSync, openSync, closeSync, writeSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Checked } from "../../storage/sqlite/checkDatabase.js";
import { openStore } from "../../storage/database.js";
import { sql } from "../../storage/kysely.js";
import { openDatabase } from "../../storage/sqlite/sqlite.js";
import { RUN_MIGRATIONS, type RunTables } from "../../tools/calls/journal/journalSchema.js";
import { hasPostgres, newDatabase, newHome } from "../fakes/homes.js";
import { journalAt } from "../fakes/journals.js";
import { errorLine, run, runJson } from "./support.js";

const CALL = { tool: "tool", args: { text: "a".repeat(2_000) }, effects: "write" as const };

let home: string;
let file: string;
beforeEach(() => {
  home = newHome();
  file = join(home, "runs.db");
  vi.stubEnv("TULIPGRAPH_HOME", home);
});

it("db check says that a home is not a folder", async () => {
  writeFileSync(file, "");
  vi.stubEnv("TULIPGRAPH_HOME", file);
  expect(errorLine(await run("db", "check"))).toBe(
    `error: ${file}: is not a folder. Name a folder`,
  );
});

/** A journal of some calls, closed. */
async function fillJournal(place: { home: string; url?: string }): Promise<void> {
  const journal = journalAt(place);
  for (let count = 0; count < 40; count++) {
    await journal.begin({ ...CALL, threadId: "t", callId: `c${count}` });
  }
  await journal.close();
  if (place.url === undefined) openDatabase({ file }).pragma("wal_checkpoint(TRUNCATE)");
}

/** Overwrites all pages but the first, as a failing disk might. */
function damage(path: string): void {
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, Buffer.alloc(12 * 4_096, 7), 0, 12 * 4_096, 4_096);
  closeSync(descriptor);
}

describe("db check", () => {
  it("calls every file of a home that it can read sound", async () => {
    await fillJournal({ home });
    await run("tools", "add", "--library", "own");
    const { code, json } = await runJson("db", "check");
    const { isSound, checked } = json as { isSound: boolean; checked: Checked[] };
    expect({ code, isSound }).toEqual({ code: 0, isSound: true });
    expect(checked.map(({ name }) => name)).toEqual(
      expect.arrayContaining([join(home, "libraries.db"), file]),
    );
    expect(checked.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("names a damaged file, its copy from before an update, and what to do", async () => {
    await fillJournal({ home });
    for (const number of [4, 10]) copyFileSync(file, `${file}.before-${number}`);
    damage(file);
    const { code, stdout } = await run("db", "check");
    expect(code).toBe(1);
    const line = stdout.split("\n").find((each) => each.startsWith(`${file}: `));
    expect(line).toMatch(/damaged|malformed|page \d|btree/i);
    expect(line).toContain("put a back-up in its place");
    expect(line).toContain("runs.db.before-10");
    expect(stdout).toMatch(/runs\.db\.before-4: sound/);
  });

  it("reports rows that refer to rows that are gone", async () => {
    await run("tools", "add", "--library", "own");
    const libraries = openDatabase({ file: join(home, "libraries.db") });
    libraries.pragma("foreign_keys = OFF");
    libraries.exec(`INSERT INTO origins (library, origin, fingerprint) VALUES (999, 'x', 'y')`);
    libraries.close();
    const { code, stdout } = await run("db", "check");
    expect(code).toBe(1);
    expect(stdout).toMatch(/libraries\.db: 1 rows of origins that refer to no row of libraries/);
  });

  it("says that there are no data yet", async () => {
    expect(await run("db", "check")).toMatchObject({ code: 0, stdout: "" });
  });

  it.skipIf(!hasPostgres)("says so of a database that nothing has used yet, too", async () => {
    vi.stubEnv("TULIPGRAPH_DATABASE_URL", await newDatabase());
    const { code, stdout, stderr } = await run("db", "check");
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: "" });
    expect(stderr).toContain("no data yet in the database");
  });

  it.skipIf(!hasPostgres)(
    "reads every table of a database, and says which cannot be read",
    async () => {
      const url = await newDatabase();
      vi.stubEnv("TULIPGRAPH_DATABASE_URL", url);
      await fillJournal({ home, url });
      const sound = await run("db", "check");
      expect(sound).toMatchObject({ code: 0 });
      expect(sound.stdout).toMatch(/tulipgraph_runs: sound \(schema \d+\)/);
      const store = openStore({ place: { home, url }, store: "other", migrations: EMPTY });
      await sql`UPDATE tulipgraph.versions SET version = 999 WHERE store = 'runs'`.execute(
        store.db,
      );
      await store.close();
      const newer = await run("db", "check");
      expect(newer.code).toBe(1);
      expect(newer.stdout).toMatch(/tulipgraph_runs: was written by a newer version.*Update/);
    },
  );
});

const EMPTY = { sqlite: [], postgres: [] };

describe("a file that is damaged while it is in use", () => {
  it("is named by whatever query meets the damage, with what to do", async () => {
    await fillJournal({ home });
    copyFileSync(file, `${file}.before-3`);
    damage(file);
    const store = openStore<RunTables>({
      place: { home },
      store: "runs",
      migrations: RUN_MIGRATIONS,
    });
    onTestFinished(() => store.close());
    await expect(store.db.selectFrom("calls").selectAll().execute()).rejects.toThrow(
      /runs\.db: is damaged \(.+\)\. Stop whatever uses it.*db check.*runs\.db\.before-3/,
    );
  });

  it("is told apart from a full disk", () => {
    const tiny = openDatabase({ file, migrations: [["CREATE TABLE notes (text)"]] });
    tiny.pragma("max_page_count = 2");
    const fill = () => tiny.prepare("INSERT INTO notes VALUES (zeroblob(100000))").run();
    expect(fill).toThrow(/runs\.db: is full, and nothing more can be stored .*Make room/);
    tiny.close();
  });

  it("is not read at all if it is another kind of file", async () => {
    writeFileSync(file, "a shopping list ".repeat(500));
    const { code, stdout } = await run("db", "check");
    expect({ code, stdout }).toMatchObject({ code: 1 });
    expect(stdout).toContain("runs.db: is damaged (file is not a database)");
    expect(execFileSync("head", ["-c", "15", file]).toString()).toBe("a shopping list");
  });
});
