import { TODAY } from "./clock.js";
import { CURRENT_USER, nextId } from "./rows.js";
import { STAGES } from "./stages.js";
import type { WorkItem, WorkType, WorkWorld } from "./state.js";

/** What differs between new work items. */
export type NewWorkItem = Pick<WorkItem, "type" | "title" | "body" | "applies_to_part"> &
  Partial<
    Pick<
      WorkItem,
      | "owned_by"
      | "due_on"
      | "priority"
      | "rev_orgs"
      | "severity"
      | "needs_response"
      | "rev_org"
      | "source_channel"
    >
  >;

/** The prefixes of work items' ids. */
export const ID_PREFIX: Readonly<Record<WorkType, string>> = {
  issue: "ISS",
  ticket: "TKT",
  task: "TASK",
};

/** The default estimate of a new item. */
const USUAL_HOURS = 4;

/** Adds a work item, made by the current user today, in its first stage. @returns its id */
export function addWorkItem({ tables }: WorkWorld, item: NewWorkItem): string {
  const id = nextId(tables.work_items, ID_PREFIX[item.type]);
  tables.work_items[id] = {
    id,
    ...item,
    created_by: CURRENT_USER,
    stage: STAGES[item.type].open[0],
    created_on: TODAY,
    estimate_hours: USUAL_HOURS,
    labels: [],
    links: [],
  };
  return id;
}
