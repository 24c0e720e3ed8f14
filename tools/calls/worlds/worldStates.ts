import type { Kysely } from "kysely";
import type { Store } from "../../../storage/database.js";
import { persistently } from "../../../storage/postgres/unavailable.js";
import { StorageFailed } from "../../../storage/sqlite/sqlite.js";
import type { RunTables } from "../journal/journalSchema.js";

export interface WorldKey {
  name: string;
  runId: string;
}

export interface SavedWorld extends WorldKey {
  /** How often it was saved before this state; 0 if never. */
  revision: number;
  stateJson: string;
}

export type WorldStates = ReturnType<typeof worldStates>;

export function worldStates(store: Store<RunTables>) {
  const find = ({ name, runId }: WorldKey) =>
    store.db
      .selectFrom("worlds")
      .select(["revision", "state"])
      .where("name", "=", name)
      .where("run_id", "=", runId)
      .executeTakeFirst();
  return {
    world: ({ name, runId }: WorldKey) =>
      persistently(store, async (): Promise<SavedWorld | undefined> => {
        const row = await find({ name, runId });
        return row && { name, runId, revision: row.revision, stateJson: row.state };
      }),
    /**
     * Saves the successor of the state read at `revision`.
     *
     * @throws StorageFailed when somebody else has saved the world since
     */
    saveWorld: (world: SavedWorld) =>
      persistently(store, async () => {
        if (await isSaved(store.db, world)) return;
        // An earlier try may have been committed although its answer was lost.
        const found = await find(world);
        if (found?.revision === world.revision + 1 && found.state === world.stateJson) return;
        throw changedMeanwhile(store, world);
      }),
  };
}

/**
 * Saves a world in a transaction.
 *
 * @throws StorageFailed when somebody else has saved it since
 */
export async function saveWorldWithin(
  db: Kysely<RunTables>,
  store: Store<RunTables>,
  world: SavedWorld,
): Promise<void> {
  if (!(await isSaved(db, world))) throw changedMeanwhile(store, world);
}

async function isSaved(db: Kysely<RunTables>, world: SavedWorld): Promise<boolean> {
  const { name, runId, revision, stateJson: state } = world;
  const next = { revision: revision + 1, state };
  const { numInsertedOrUpdatedRows: saved } = await db
    .insertInto("worlds")
    .values({ name, run_id: runId, ...next })
    .onConflict((known) =>
      known.columns(["name", "run_id"]).doUpdateSet(next).where("worlds.revision", "=", revision),
    )
    .executeTakeFirst();
  return saved !== undefined && saved > 0n;
}

function changedMeanwhile(store: Store<RunTables>, { name, runId }: WorldKey): StorageFailed {
  return new StorageFailed({
    file: store.name,
    problem: `the world "${name}" of run "${runId}" was changed by another process meanwhile`,
    hint: "Work on a run with one process at a time",
  });
}
