import { isDeepStrictEqual } from "node:util";
import { TABLE_NAMES } from "./rows.js";
import type { WorkChange, WorkTables } from "./state.js";

/** What a run has done; `{}` for nothing. Shares nothing with the tables. */
export function changeSince(start: WorkTables, now: WorkTables): WorkChange {
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
export function tablesAfter(start: WorkTables, change: WorkChange): WorkTables {
  return structuredClone({
    work_items: { ...start.work_items, ...change.work_items },
    comments: { ...start.comments, ...change.comments },
    time_logs: { ...start.time_logs, ...change.time_logs },
    sprints: { ...start.sprints, ...change.sprints },
    parts: { ...start.parts, ...change.parts },
    customers: { ...start.customers, ...change.customers },
    users: { ...start.users, ...change.users },
  });
}
