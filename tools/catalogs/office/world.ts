import { defineWorld, type WorldDefinition } from "../../runtime/worlds.js";
import { changeFrom, formOf } from "./changeForm.js";
import { SAMPLE_OFFICE } from "./sample.js";
import type { OfficeWorld } from "./state.js";
import type { OfficeTables } from "./tables.js";

/**
 * The world that the office's tools act on. What is saved of a run's copy is its change relative to
 * the tables alone, in the form of the benchmark's `state_diff`: a saved world is small and is the
 * answer to what the run has done. `load` takes such a change back, so it must be given the same
 * tables.
 *
 * @param options.tables the office at the start of every run; never changed
 */
export function officeWorld({ tables }: { tables: OfficeTables }): WorldDefinition<OfficeWorld> {
  return defineWorld<OfficeWorld>({
    name: "office",
    create: () => ({ tables, change: changeFrom({}) }),
    save: ({ change }) => formOf(change),
    load: (saved) => ({ tables, change: changeFrom(saved) }),
  });
}

/** A small invented office. */
export const shippedWorld = officeWorld({ tables: SAMPLE_OFFICE });
