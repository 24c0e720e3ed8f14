import type { ToolContext } from "../../tool.js";
import { daysBetween, requireDay, TODAY } from "./clock.js";
import { isAmong, known } from "./filters.js";
import { allWorkItems, idsOf, userOf } from "./rows.js";
import { isOpen } from "./stages.js";
import type { WorkItem, WorkType, WorkWorld } from "./state.js";

/**
 * List open work items whose due date has passed.
 *
 * @name list_overdue_work_items
 * @effects read
 * @returns ids of the work items, the longest overdue first
 */
export function listOverdueWorkItems(
  {
    owned_by,
  }: {
    /** Ids of users: only work items that any of them works on */
    owned_by?: string[];
  },
  ctx: ToolContext<WorkWorld>,
): string[] {
  const owners = known(owned_by, (id) => userOf(ctx.world, id));
  const overdue = allWorkItems(ctx.world).filter(
    (item) =>
      isOpen(item) &&
      item.due_on !== undefined &&
      item.due_on < TODAY &&
      isAmong(item.owned_by, owners),
  );
  return idsOf(byDueDay(overdue));
}

/**
 * List open work items that are due within a stretch of days.
 *
 * @name list_work_items_due
 * @effects read
 * @returns ids of the work items, the soonest due first
 */
export function listWorkItemsDue(
  {
    from,
    to,
  }: {
    /** First day, inclusive, as YYYY-MM-DD */
    from: string;
    /** Last day, inclusive, as YYYY-MM-DD */
    to: string;
  },
  ctx: ToolContext<WorkWorld>,
): string[] {
  const first = requireDay({ what: "from", text: from });
  const last = requireDay({ what: "to", text: to });
  const due = allWorkItems(ctx.world).filter(
    (item) => isOpen(item) && item.due_on && item.due_on >= first && item.due_on <= last,
  );
  return idsOf(byDueDay(due));
}

/**
 * List open work items that nobody works on.
 *
 * @name list_unassigned_work_items
 * @effects read
 * @returns ids of the work items, in the order in which they were made
 */
export function listUnassignedWorkItems(
  {
    type,
  }: {
    /** Only work items of these types */
    type?: WorkType[];
  },
  ctx: ToolContext<WorkWorld>,
): string[] {
  const free = allWorkItems(ctx.world).filter(
    (item) => isOpen(item) && item.owned_by === undefined && isAmong(item.type, type),
  );
  return idsOf(free);
}

function byDueDay(items: WorkItem[]): WorkItem[] {
  return items.toSorted((left, right) => daysBetween(right.due_on ?? TODAY, left.due_on ?? TODAY));
}
