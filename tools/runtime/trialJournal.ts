import type { Journal } from "./journal.js";
import type { SavedWorld, WorldKey, WorldStates } from "./worldStates.js";

/**
 * A journal for calls that leave no trace. Every call is new; worlds start from `states`, and their changes
 * stay in memory.
 */
export function trialJournal(states: WorldStates): Journal {
  const changed = new Map<string, SavedWorld>();
  const saveWorld = (world: SavedWorld) => {
    changed.set(keyOf(world), { ...world, revision: world.revision + 1 });
  };
  return {
    world: (key) => changed.get(keyOf(key)) ?? states.world(key),
    saveWorld,
    begin: () => ({ kind: "execute", ref: "trial" }),
    start: () => undefined,
    finish(_ref, { world }) {
      if (world !== undefined) saveWorld(world);
    },
    release: () => undefined,
    withdraw: () => undefined,
    calls: () => [],
    result: () => undefined,
    close: () => undefined,
  };
}

function keyOf({ name, runId }: WorldKey): string {
  return JSON.stringify([name, runId]);
}
