import type { Journal } from "./journal.js";
import type { SavedWorld, WorldKey, WorldStates } from "./worldStates.js";

/**
 * A journal for calls that leave no trace. Every call is new; worlds start from `states`, and their changes
 * stay in memory.
 */
export function trialJournal(states: WorldStates): Journal {
  const changed = new Map<string, SavedWorld>();
  const saveWorld = async (world: SavedWorld) => {
    changed.set(keyOf(world), { ...world, revision: world.revision + 1 });
  };
  return {
    world: async (key) => changed.get(keyOf(key)) ?? (await states.world(key)),
    saveWorld,
    begin: async () => ({ kind: "execute", ref: "trial", claim: "trial" }),
    start: async () => undefined,
    finish: async (_call, { world }) => {
      if (world !== undefined) await saveWorld(world);
    },
    release: async () => undefined,
    withdraw: async () => undefined,
    calls: async () => [],
    result: async () => undefined,
    close: async () => undefined,
  };
}

function keyOf({ name, runId }: WorldKey): string {
  return JSON.stringify([name, runId]);
}
