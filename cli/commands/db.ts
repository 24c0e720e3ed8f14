import { Command } from "commander";
import { EXPERIENCE_STORE } from "../../memory/experienceMigrations.js";
import { SERVER_MIGRATIONS } from "../../server/schema.js";
import { databaseName } from "../../storage/away.js";
import { openCheckpoints } from "../../storage/checkpoints.js";
import { type DataPlace, openStore, type StoreMigrations } from "../../storage/database.js";
import { sql } from "../../storage/kysely.js";
import { LIBRARY_STORE } from "../../tools/library/records/schema.js";
import { RUN_MIGRATIONS } from "../../tools/runtime/journal/journalSchema.js";
import { defaultDatabase, defaultHome } from "../../nodes/workspace/home.js";
import { examples } from "../helpExamples.js";
import { printJson, printTable } from "../printing/print.js";
import { whileWorking } from "../printing/whileWorking.js";

/** `tulipgraph db migrate` */
export function dbCommand(): Command {
  const command = new Command("db").description("The stored data");
  command
    .command("migrate")
    .description("Bring the tables of all stores up to date; running it again changes nothing")
    .option("--json", "print one JSON array")
    .addHelpText(
      "after",
      examples(["TULIPGRAPH_DATABASE_URL=postgres://localhost/tulipgraph tulipgraph db migrate"]),
    )
    .action(migrate);
  return command;
}

const STORES: Record<string, StoreMigrations> = {
  libraries: LIBRARY_STORE,
  memory: EXPERIENCE_STORE,
  runs: RUN_MIGRATIONS,
  server: SERVER_MIGRATIONS,
};

async function migrate({ json }: { json?: boolean }): Promise<void> {
  const place = { home: defaultHome(), url: defaultDatabase() };
  const name = place.url === undefined ? place.home : databaseName(place.url);
  const done = await whileWorking(`migrating ${name}`, () => migrateAll(place));
  if (json) return printJson(done);
  printTable({ rows: done.map(({ store, at, version }) => [store, at, `version ${version}`]) });
}

async function migrateAll(
  place: DataPlace,
): Promise<{ store: string; at: string; version: number }[]> {
  const done = [];
  for (const [store, migrations] of Object.entries(STORES)) {
    const opened = openStore<Record<string, never>>({ place, store, migrations });
    // The first query makes the tables.
    await sql`SELECT 1`.execute(opened.db).finally(opened.close);
    done.push({ store, at: opened.name, version: migrations[opened.kind].length });
  }
  const checkpoints = openCheckpoints({ place });
  await Promise.all([
    checkpoints.threads.list(),
    checkpoints.saver.getTuple({ configurable: { thread_id: "" } }),
  ]).finally(checkpoints.close);
  return done;
}
