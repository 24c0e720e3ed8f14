import type { ToolRecord } from "../tool.js";
import { type CallScope, type RuntimeParts, type ToolLookup, toolIn } from "./callScope.js";
import { createGates } from "./gate.js";
import { trialJournal } from "./trialJournal.js";
import { type LazyWorld, type WorldDefinition, openWorlds } from "./worlds.js";

/**
 * A scope for calls that leave no trace: the journal forgets, and worlds are in-memory copies of a thread's.
 * Tools may only call tools without lasting effects; other calls are breaches.
 */
export function trialScope(options: {
  parts: RuntimeParts;
  definitions: readonly (WorldDefinition | LazyWorld)[];
  settings: Pick<CallScope, "threadId" | "timeoutMs"> & { library?: ToolLookup };
  onBreach: (breach: string) => void;
}): CallScope {
  const { parts, definitions, settings, onBreach } = options;
  const { threadId, timeoutMs, library } = settings;
  const journal = trialJournal(parts.journal);
  return {
    ...parts,
    journal,
    worlds: openWorlds({ definitions, states: journal }),
    worldGates: createGates(1),
    threadId,
    timeoutMs,
    library: library && harmlessTools({ library, parts, onBreach }),
    onBreach,
  };
}

/** Finds tools without lasting effects; for others, throws the reason. */
function harmlessTools({
  library,
  parts,
  onBreach,
}: {
  library: ToolLookup;
  parts: RuntimeParts;
  onBreach: (breach: string) => void;
}): ToolLookup {
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
