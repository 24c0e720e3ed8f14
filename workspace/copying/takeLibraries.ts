import { join } from "node:path";
import { copyDatabase } from "../../storage/copyDatabase.js";
import { openRows, rowFolder } from "../../storage/mirror/rowStore.js";
import { LIBRARY_MIGRATIONS } from "../../tools/library/schema.js";
import { defaultDatabase, defaultHome } from "../home.js";

/**
 * Copies the user's tool libraries with their sources, as they are now, into the SQLite file of another home. If that
 * home already has libraries, they stay.
 *
 * @throws StorageFailed when there are none to copy, or the database cannot be reached
 */
export async function takeLibraries(home: string): Promise<void> {
  const place = { home: defaultHome(), url: defaultDatabase() };
  if (place.url !== undefined) await mirrorLibraries(place);
  copyDatabase({
    from: join(rowFolder(place), "libraries.db"),
    to: join(home, "libraries.db"),
  });
}

/** Brings the local mirror of a database's libraries up to date. */
async function mirrorLibraries(place: { home: string; url: string | undefined }): Promise<void> {
  const rows = openRows({ place, store: "libraries", migrations: LIBRARY_MIGRATIONS });
  await rows.refresh({ maxAgeMs: 0 }).finally(rows.close);
}
