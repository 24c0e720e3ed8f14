import { defineWorld, type WorldDefinition } from "../../runtime/worlds/worlds.js";
import { changeFrom, formOf } from "./changeForm.js";
import { SAMPLE_OFFICE } from "./sample.js";
import type { OfficeWorld } from "./state.js";
import type { OfficeTables } from "./tables.js";

/**
 * The world that the office's tools act on. Only the change of a run's copy relative to the tables is saved, in the form of
 * the benchmark's `state_diff`. So a saved world is small, and says what the run did. `load` applies such a change, so it
 * needs the same tables.
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
