import type { DataPlace } from "../storage/database.js";
import { openRows } from "../storage/mirror/rowStore.js";
import { type Database, closedStore } from "../storage/sqlite.js";
import { demonstrationStore } from "./demonstrations/demonstrationStore.js";
import { findEvidence } from "./findEvidence.js";
import type { ExperienceStore } from "./experience.js";
import { libraryNames, readMeasures, readStats } from "./measures.js";
import { EXPERIENCE_CACHES, EXPERIENCE_MIGRATIONS } from "./experienceMigrations.js";
import { requestSimilarities } from "./similarities.js";
import { addPastCalls, readPastCalls } from "./pastCalls.js";

/**
 * Opens the experience of a home: the file `memory.db`, which is created if missing, or its mirror of a database.
 * Several processes may add to it at once: each `add` is a short transaction, and its calls are safe once it returns.
 *
 * The store keeps in memory the vectors of the past requests it has compared, one byte per component, and of
 * the latest requests it was asked about.
 *
 * @throws StorageFailed when the file is of a newer version or cannot be opened; every method throws it once
 * the store is closed
 */
export function openExperience(place: DataPlace): ExperienceStore {
  const rows = openRows({
    place,
    store: "memory",
    migrations: EXPERIENCE_MIGRATIONS,
    caches: EXPERIENCE_CACHES,
  });
  const connect = (): Database => {
    if (rows.isOpen()) return rows.database;
    throw closedStore(rows.file);
  };
  const newest = async () => {
    connect();
    await rows.refresh();
    return connect();
  };
  const similaritiesOf = requestSimilarities(connect);
  return {
    add: (pastCalls) => rows.write((database) => addPastCalls({ database, pastCalls })),
    evidence: async (question) =>
      await findEvidence({ database: await newest(), similaritiesOf, question }),
    measures: async (options) => readMeasures({ database: await newest(), ...options }),
    async *pastCalls(options = {}) {
      await newest();
      yield* readPastCalls({ connect, ...options });
    },
    libraries: async () => libraryNames(await newest()),
    stats: async (options = {}) => readStats({ database: await newest(), ...options }),
    demonstrations: demonstrationStore({ newest, write: rows.write, similaritiesOf }),
    close: rows.close,
  };
}
