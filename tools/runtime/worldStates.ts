import { type Database, StorageFailed } from "../../storage/sqlite.js";

/** Identifies a world: its name, and the run whose copy it is. */
export interface WorldKey {
  name: string;
  runId: string;
}

/** A saved state of a world. */
export interface SavedWorld extends WorldKey {
  /** How often it was saved before this state; 0 if never. */
  revision: number;
  stateJson: string;
}

/** Reads and writes the worlds in `runs.db`. */
export interface WorldStates {
  world(key: WorldKey): SavedWorld | undefined;
  /**
   * Saves the successor of the state read at `revision`.
   * @throws StorageFailed when somebody else has saved the world since
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
