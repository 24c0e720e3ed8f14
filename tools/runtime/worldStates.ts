import { type Database, StorageFailed } from "../../storage/sqlite.js";

/** Which world: its name, and the run whose copy it is. */
export interface WorldKey {
  name: string;
  runId: string;
}

/** A world's state as it is kept. */
export interface SavedWorld extends WorldKey {
  /** How often it was saved before this state was reached; 0 for a world that was never saved. */
  revision: number;
  stateJson: string;
}

/** Reads and writes the worlds in `runs.db`. */
export interface WorldStates {
  world(key: WorldKey): SavedWorld | undefined;
  /**
   * Saves what became of the state that was read at `revision`.
   * @throws StorageFailed when the world was saved by another since
   */
  saveWorld(world: SavedWorld): void;
}

/** The worlds' table of an open journal. */
export function worldStates({ database, file }: { database: Database; file: string }): WorldStates {
  const find = database.prepare("SELECT revision, state FROM worlds WHERE name = ? AND run_id = ?");
  const save = database.prepare(
    `INSERT INTO worlds (name, run_id, revision, state) VALUES (?1, ?2, ?3 + 1, ?4)
     ON CONFLICT (name, run_id) DO UPDATE SET revision = excluded.revision, state = excluded.state
     WHERE worlds.revision = ?3`,
  );
  return {
    world({ name, runId }) {
      const row = find.get(name, runId) as { revision: number; state: string } | undefined;
      return row && { name, runId, revision: row.revision, stateJson: row.state };
    },
    saveWorld({ name, runId, revision, stateJson }) {
      if (save.run(name, runId, revision, stateJson).changes > 0) return;
      throw new StorageFailed({
        file,
        problem: `the world "${name}" of run "${runId}" was changed by another process meanwhile`,
        hint: "Work on a run with one process at a time",
      });
    },
  };
}
