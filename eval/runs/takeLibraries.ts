import { join } from "node:path";
import { copyDatabase } from "../../storage/copyDatabase.js";
import { copyFetched } from "../../tools/library/records/copyFetched.js";
import { defaultDatabase, defaultHome } from "../../nodes/workspace/home.js";

/**
 * Copies the user's tool libraries with their sources, as they are now, into the SQLite file of another home. If that
 * home already has libraries, they stay.
 *
 * @throws StorageFailed when there are none to copy, or the database cannot be reached
 */
export async function takeLibraries(home: string): Promise<void> {
  const place = { home: defaultHome(), url: defaultDatabase() };
  const to = join(home, "libraries.db");
  if (place.url === undefined) copyDatabase({ from: join(place.home, "libraries.db"), to });
  else await copyFetched({ place, to });
}
