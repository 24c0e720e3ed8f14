import { join } from "node:path";
import { type Database, StorageFailed, openDatabase } from "../storage/sqlite.js";
import { demonstrationStore } from "./demonstrations/demonstrationStore.js";
import { findEvidence } from "./findEvidence.js";
import type { ExperienceStore } from "./experience.js";
import { libraryNames, readMeasures, readStats } from "./measures.js";
import { EXPERIENCE_MIGRATIONS } from "./experienceMigrations.js";
import { requestSimilarities } from "./similarities.js";
import { addPastCalls, readPastCalls } from "./pastCalls.js";

/**
 * Opens the experience of a home folder: the file `memory.db`, which is created if missing. Several processes
 * may add to it at once: each `add` is a short transaction, and its calls are safe once it returns.
 *
 * The store keeps in memory the vectors of the past requests it has compared, one byte per component, and of
 * the latest requests it was asked about.
 *
 * @throws StorageFailed when the file is of a newer version or cannot be opened; every method throws it once
 * the store is closed
 */
export function openExperience({ home }: { home: string }): ExperienceStore {
  const file = join(home, "memory.db");
  const opened = openDatabase({ file, migrations: EXPERIENCE_MIGRATIONS });
  const connect = (): Database => {
    if (opened.open) return opened;
    throw new StorageFailed({ file, problem: "is closed", hint: "Open the experience again" });
  };
  const similaritiesOf = requestSimilarities(connect);
  return {
    add: (pastCalls) => addPastCalls({ database: connect(), pastCalls }),
    evidence: async (question) =>
      await findEvidence({ database: connect(), similaritiesOf, question }),
    measures: (options) => readMeasures({ database: connect(), ...options }),
    pastCalls: (options = {}) => readPastCalls({ connect, ...options }),
    libraries: () => libraryNames(connect()),
    stats: (options = {}) => readStats({ database: connect(), ...options }),
    demonstrations: demonstrationStore({ connect, similaritiesOf }),
    close: () => {
      opened.close();
    },
  };
}
