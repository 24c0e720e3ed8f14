import { type Artefacts, openArtefacts } from "../../storage/artefacts/artefacts.js";
import { LIBRARY_STORE } from "../../tools/library/records/schema.js";

/** Artefacts with notes, in the tables that those of libraries have in the database. */
export function openNotes(place: { folder: string; url: string }): Artefacts {
  return openArtefacts({
    ...place,
    store: "notes",
    migrations: {
      sqlite: [
        ["CREATE TABLE notes (number INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT, bytes BLOB)"],
      ],
      postgres: LIBRARY_STORE.postgres,
    },
    prepare: (database, number) =>
      database.prepare("INSERT INTO sqlite_sequence VALUES ('notes', ?)").run(number * 1000),
  });
}
