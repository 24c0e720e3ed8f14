import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { type DataPlace, openStore } from "../../../storage/database.js";
import { asBuffer, type Database, openDatabase } from "../../../storage/sqlite/sqlite.js";
import { columnsOf } from "../../../storage/migrate.js";
import { takeName } from "../../../storage/files.js";
import { openLibraryFiles } from "./libraryFiles.js";
import { LIBRARY_MIGRATIONS, LIBRARY_STORE, LIBRARY_TABLES } from "./schema.js";
import { sourceRegistry, type SourceTables } from "./libraryRows.js";

/** Copies the libraries of a database, with what threads have made over them and the sources, into one new SQLite file. */
export async function copyFetched({ place, to }: { place: DataPlace; to: string }): Promise<void> {
  if (existsSync(to)) return;
  // It gets its name once it is complete, so that an interrupted copy does not count as one.
  const part = `${to}.${randomUUID()}.part`;
  const target = openDatabase({ file: part, migrations: LIBRARY_MIGRATIONS, use: "draft" });
  const files = openLibraryFiles(place);
  const rows = openStore<SourceTables>({ place, store: "libraries", migrations: LIBRARY_STORE });
  try {
    for (const name of await files.names()) {
      const library = await files.newest(name);
      if (library) target.transaction(() => copyTables(library, target))();
    }
    // Words have no columns to copy; they are written at the first search.
    target.exec("UPDATE libraries SET words = NULL");
    const sources = await sourceRegistry(rows).list();
    const insert = target.prepare("INSERT INTO sources VALUES (?, ?, ?, ?)");
    for (const { name, kind, settings, listed } of sources) {
      const kept = listed === undefined ? null : JSON.stringify(listed);
      insert.run(name, kind, JSON.stringify(settings), kept);
    }
  } finally {
    target.close();
    await rows.close();
    await files.close();
  }
  takeName({ draft: part, file: to });
}

function copyTables(from: Database, to: Database): void {
  for (const table of Object.keys(LIBRARY_TABLES)) {
    const columns = columnsOf(from, table);
    const insert = to.prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    for (const row of from.prepare(`SELECT * FROM ${table}`).iterate()) {
      const values = row as Record<string, unknown>;
      insert.run(columns.map((column) => asBuffer(values[column])));
    }
  }
}
