import { defineWorld, type WorldDefinition } from "../../calls/worlds/worlds.js";
import { SAMPLE_WORK } from "./sample.js";
import type { WorkChange, WorkTables, WorkWorld } from "./state.js";
import { isDeepStrictEqual } from "node:util";
import { TABLE_NAMES } from "./rows.js";

/**
 * The world that the tools for work items act on. Only the change of a run's copy relative to the tables is saved, so `load`
 * needs the same tables.
 *
 * @param options.tables the company at the start of every run; never changed
 */
export function workWorld({ tables }: { tables: WorkTables }): WorldDefinition<WorkWorld> {
  return defineWorld<WorkWorld>({
    name: "work",
    create: () => ({ tables: structuredClone(tables) }),
    save: (world) => changeSince(tables, world.tables),
    load: (saved) => ({ tables: tablesAfter(tables, saved as WorkChange) }),
  });
}

/** A small invented company with its work items. */
export const shippedWorld = workWorld({ tables: SAMPLE_WORK });

/** What a run has done; `{}` for nothing. Shares nothing with the tables. */
function changeSince(start: WorkTables, now: WorkTables): WorkChange {
  const changed = TABLE_NAMES.map((table) => {
    const before: Record<string, unknown> = start[table];
    const rows = Object.entries(now[table]).filter(
      ([id, row]) => !isDeepStrictEqual(row, before[id]),
    );
    return [table, Object.fromEntries(rows)] as const;
  });
  const some = changed.filter(([, rows]) => Object.keys(rows).length > 0);
  return structuredClone(Object.fromEntries(some));
}

/** The tables after a change. Shares nothing with either. */
function tablesAfter(start: WorkTables, change: WorkChange): WorkTables {
  const tables = TABLE_NAMES.map(
    (table) => [table, { ...start[table], ...change[table] }] as const,
  );
  return structuredClone(Object.fromEntries(tables)) as unknown as WorkTables;
}
