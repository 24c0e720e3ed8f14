import type { ToolRecord } from "../../tool.js";
import { type CallScope, type RuntimeParts, type ToolLookup, toolIn } from "../calls/callScope.js";
import { createGates } from "../calls/gate.js";
import type { Journal } from "../journal/journal.js";
import type { SavedWorld, WorldKey, WorldStates } from "../worlds/worldStates.js";
import { openWorlds } from "../worlds/worlds.js";

/**
 * A scope for calls that leave no trace: the journal forgets, and worlds are copies in memory of the thread's worlds.
 * Tools may only call tools without lasting effects; other calls are breaches.
 */
export function trialScope(options: {
  parts: RuntimeParts;
  settings: Pick<CallScope, "threadId" | "timeoutMs"> & { library?: ToolLookup };
  onBreach: (breach: string) => void;
}): CallScope {
  const { parts, settings, onBreach } = options;
  const { threadId, timeoutMs, library } = settings;
  const journal = trialJournal(parts.journal);
  return {
    ...parts,
    journal,
    worlds: openWorlds({ definitions: parts.worldDefinitions, states: journal }),
    worldGates: createGates(1),
    threadId,
    timeoutMs,
    library: library && harmlessTools(library, parts, onBreach),
    onBreach,
  };
}

/**
 * A journal for calls that leave no trace. Every call is new; worlds start from `states`, and their changes
 * stay in memory.
 */
function trialJournal(states: WorldStates): Journal {
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

/** Finds tools without lasting effects; for others, throws the reason. */
function harmlessTools(
  library: ToolLookup,
  parts: RuntimeParts,
  onBreach: (breach: string) => void,
): ToolLookup {
  return {
    find: (id) => toolIn(library, id),
    get(id, caller) {
      const record = library.get(id, caller);
      if (record === undefined || isHarmless(record, parts)) return record;
      const breach = `${id} writes, and not to a world that can be copied: a tool that calls it cannot be tried out`;
      onBreach(breach);
      throw new Error(breach);
    },
  };
}

/** A model's tool or a plan does only what the tools it calls do, and each of those is checked too. */
export function isHarmless(record: ToolRecord, { worldOf }: RuntimeParts): boolean {
  const { effects, source } = record;
  if (effects === "read" || source.kind === "generated" || source.kind === "program") return true;
  const actsOnWorld = worldOf(record) !== undefined;
  const isOurs =
    source.kind === "declared" || (source.kind === "function" && source.catalog !== undefined);
  return actsOnWorld && isOurs;
}
