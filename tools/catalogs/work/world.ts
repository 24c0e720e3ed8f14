import { defineWorld, type WorldDefinition } from "../../calls/worlds/worlds.js";
import { changeSince, tablesAfter } from "./change.js";
import { SAMPLE_WORK } from "./sample.js";
import type { WorkChange, WorkTables, WorkWorld } from "./state.js";

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
