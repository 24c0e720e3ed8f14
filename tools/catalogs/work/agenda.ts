import { daysBetween, requireDay, TODAY } from "./clock.js";
import { allWorkItems, idsOf, isAmong, known, userOf } from "./rows.js";
import { isOpen } from "./stages.js";
import type { WorkContext, WorkItem, WorkType } from "./state.js";

/**
 * List open work items whose due date has passed.
 *
 * @effects read
 * @param owned_by - Ids of users: only work items that any of them works on
 * @returns ids of the work items, the longest overdue first
 */
export function listOverdueWorkItems(owned_by: string[] | undefined, ctx: WorkContext): string[] {
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
 * @effects read
 * @param from - First day, inclusive, as YYYY-MM-DD
 * @param to - Last day, inclusive, as YYYY-MM-DD
 * @returns ids of the work items, the soonest due first
 */
export function listWorkItemsDue(from: string, to: string, ctx: WorkContext): string[] {
  const first = requireDay("from", from);
  const last = requireDay("to", to);
  const due = allWorkItems(ctx.world).filter(
    (item) => isOpen(item) && item.due_on && item.due_on >= first && item.due_on <= last,
  );
  return idsOf(byDueDay(due));
}

/**
 * List open work items that nobody works on.
 *
 * @effects read
 * @param type - Only work items of these types
 * @returns ids of the work items, in the order in which they were made
 */
export function listUnassignedWorkItems(type: WorkType[] | undefined, ctx: WorkContext): string[] {
  const free = allWorkItems(ctx.world).filter(
    (item) => isOpen(item) && item.owned_by === undefined && isAmong(item.type, type),
  );
  return idsOf(free);
}

function byDueDay(items: WorkItem[]): WorkItem[] {
  return items.toSorted((left, right) => daysBetween(right.due_on ?? TODAY, left.due_on ?? TODAY));
}
