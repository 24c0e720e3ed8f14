import type { Database } from "../storage/sqlite.js";
import { canonicalJson, sha256 } from "../tools/library/records/hash.js";
import type { Demonstration } from "./demonstrations/demonstration.js";
import { addDemonstration } from "./demonstrations/demonstrationStore.js";
import type { PastCall } from "./experience.js";
import { addPastCalls, storableCall } from "./pastCalls.js";
import { withoutNul } from "./rowNumbers.js";

/** A past call or a demonstration. */
export interface Entry {
  kind: "call" | "demonstration";
  /** Entries with the same id are the same. */
  id: string;
  /** As JSON. */
  content: string;
}

/** A past call as an entry. */
export function entryOfCall(pastCall: PastCall): Entry {
  const call = storableCall(pastCall);
  return { kind: "call", id: call.id, content: JSON.stringify(call) };
}

/** A demonstration as an entry; the same for demonstrations that count as the same. */
export function entryOfDemonstration(demonstration: Demonstration): Entry {
  const { answer, calls, level } = demonstration;
  const stored: Demonstration = {
    ...demonstration,
    library: withoutNul(demonstration.library),
    task: withoutNul(demonstration.task),
    ...(answer !== undefined && { answer: withoutNul(answer) }),
  };
  const made = calls.map(({ tool, args }) => ({ tool, args }));
  const { library, task } = stored;
  const id = sha256(canonicalJson({ library, task, level, calls: made }));
  return { kind: "demonstration", id, content: JSON.stringify(stored) };
}

/** Adds the entries that are new to a file. Must run in a write transaction. */
export function addEntries(database: Database, entries: readonly Entry[]): number {
  const calls = entries.filter(({ kind }) => kind === "call");
  const pastCalls = calls.map(({ content }) => JSON.parse(content) as PastCall);
  let added = addPastCalls({ database, pastCalls });
  for (const { kind, id, content } of entries) {
    if (kind !== "demonstration") continue;
    added += addDemonstration(database, id, JSON.parse(content) as Demonstration);
  }
  return added;
}
