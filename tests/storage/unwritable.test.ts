import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../storage/database.js";
import { sql } from "../../storage/kysely.js";
import { RUN_MIGRATIONS, type RunTables } from "../../tools/calls/journal/journalSchema.js";
import { hasPostgres, newDatabase, newHome } from "../fakes/homes.js";
import { journalAt } from "../fakes/journals.js";

const CALL = { threadId: "t", callId: "c", tool: "tool", args: {}, effects: "write" as const };

describe("a journal that cannot be written", () => {
  it.each([
    ["only read", "PRAGMA query_only = 1", /runs\.db: can only be read/],
    ["full", "PRAGMA max_page_count = 1", /runs\.db: is full, and nothing more can be stored/],
  ])("because its file is %s says so in one line", async (_why, pragma, problem) => {
    const place = { home: newHome() };
    const journal = journalAt(place);
    await journal.begin(CALL);
    const store = openStore<RunTables>({ place, store: "runs", migrations: RUN_MIGRATIONS });
    onTestFinished(() => store.close());
    await sql.raw(pragma).execute(store.db);
    const args = { text: "a".repeat(100_000) };
    await expect(journal.begin({ ...CALL, callId: "next", args })).rejects.toThrow(problem);
  });

  it.skipIf(!hasPostgres)("says in one line that its database is read-only", async () => {
    const url = await newDatabase();
    const journal = journalAt({ home: newHome(), url });
    await journal.begin(CALL);
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>("SELECT current_database() AS name");
    const [database] = rows;
    await client.query(`ALTER DATABASE ${database?.name} SET default_transaction_read_only = on`);
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await client.end();
    await expect(journal.begin({ ...CALL, callId: "next" })).rejects.toThrow(
      /^postgres:\/\/[^@]+: can only be read .*Allow writing to it/,
    );
  });
});
