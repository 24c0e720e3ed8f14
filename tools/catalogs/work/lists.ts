import { idsOf, isAmong, known, requireCount, userOf, workItem, workItems } from "./rows.js";
import { type SortKey, inSortOrder, isOpen, knownStages } from "./stages.js";
import type { Priority, Severity, WorkContext, WorkItem, WorkType } from "./state.js";

/**
 * Keep only those of some work items that match all the filters given.
 *
 * @effects read
 * @returns ids of the work items that match, in the order in which they were given
 */
export function filterWorkItems(
  filters: {
    /** Ids of the work items */
    work_ids: string[];
    /** Only of these types */
    type?: WorkType[];
    /** Only in these stages */
    stage?: string[];
    /** Only issues of these priorities */
    priority?: Priority[];
    /** Only tickets of these severities */
    severity?: Severity[];
    /** Only those that any of these users works on, by id */
    owned_by?: string[];
    /** Only open ones, or only closed ones */
    open?: boolean;
  },
  ctx: WorkContext,
): string[] {
  const { world } = ctx;
  const stages = knownStages(filters.stage);
  const owners = known(filters.owned_by, (id) => userOf(world, id));
  const kept = workItems(world, filters.work_ids).filter(
    (item) =>
      isAmong(item.type, filters.type) &&
      isAmong(item.stage, stages) &&
      isAmong(item.priority, filters.priority) &&
      isAmong(item.severity, filters.severity) &&
      isAmong(item.owned_by, owners) &&
      (filters.open === undefined || isOpen(item) === filters.open),
  );
  return idsOf(kept);
}

/**
 * Sort work items by one of their properties. What lacks it comes last either way.
 *
 * @effects read
 * @param work_ids - Ids of the work items
 * @param by - Property to sort by
 * @param descending - Largest or latest first
 * @returns ids of the work items in the order wanted
 */
export function sortWorkItems(
  work_ids: string[],
  by: SortKey,
  descending: boolean = false,
  ctx: WorkContext,
): string[] {
  return idsOf(inSortOrder(workItems(ctx.world, work_ids), by, descending));
}

/**
 * Group work items by one of their properties and count each group.
 *
 * @effects read
 * @param work_ids - Ids of the work items
 * @param by - Property to group by; rev_org is the customer of a ticket
 * @returns the groups with the value that they share, the largest first; the value is "none" for what lacks the property
 */
export function groupWorkItems(
  work_ids: string[],
  by:
    | "type"
    | "stage"
    | "owned_by"
    | "created_by"
    | "applies_to_part"
    | "sprint_id"
    | "priority"
    | "severity"
    | "rev_org"
    | "source_channel",
  ctx: WorkContext,
): { value: string; count: number; work_ids: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const item of workItems(ctx.world, work_ids)) {
    const value = item[by] ?? "none";
    groups.set(value, [...(groups.get(value) ?? []), item.id]);
  }
  return [...groups]
    .map(([value, ids]) => ({ value, count: ids.length, work_ids: ids }))
    .toSorted((left, right) => right.count - left.count);
}

/**
 * Count the objects of a list: work items, parts, customers, sprints or users.
 *
 * @effects read
 * @param objects - Ids of the objects
 * @returns how many different ids there are
 */
export function countObjects(objects: string[]): number {
  return new Set(objects).size;
}

/**
 * Take the first few objects of a list, such as the three most urgent ones of a list in order of priority.
 *
 * @effects read
 * @param objects - Ids of the objects
 * @param count - How many to take: a whole number, 1 or more
 * @returns the first ids of the list; all of them where there are fewer
 */
export function takeFirstObjects(objects: string[], count: number): string[] {
  return objects.slice(0, requireCount("count", count));
}

/**
 * Combine two lists of objects into one without repetition.
 *
 * @effects read
 * @param first - Ids of objects
 * @param second - Ids of objects
 * @param how - What to keep: in_any of the lists, in_both, or only_in_first
 * @returns ids in the order of the first list, then of the second
 */
export function combineObjects(
  first: string[],
  second: string[],
  how: "in_any" | "in_both" | "only_in_first",
): string[] {
  if (how === "in_any") return [...new Set([...first, ...second])];
  const wanted = how === "in_both";
  return [...new Set(first)].filter((id) => second.includes(id) === wanted);
}

/**
 * Show one work item with everything that is known about it.
 *
 * @effects read
 * @flow private foreign
 * @param work_id - Id of the work item, such as "TASK-12"
 * @returns the work item; parts, users, customers, sprints and linked items by their ids
 */
export function getWorkItem(work_id: string, ctx: WorkContext): WorkItem {
  return workItem(ctx.world, work_id);
}

/**
 * Show several work items with everything that is known about them.
 *
 * @effects read
 * @flow private foreign
 * @param work_ids - Ids of the work items
 * @returns the work items in the order of the ids
 */
export function getWorkItems(work_ids: string[], ctx: WorkContext): WorkItem[] {
  return workItems(ctx.world, work_ids);
}

/**
 * Look up the titles of work items.
 *
 * @effects read
 * @flow private foreign
 * @param work_ids - Ids of the work items
 * @returns the titles in the order of the ids
 */
export function getWorkItemTitles(work_ids: string[], ctx: WorkContext): string[] {
  return workItems(ctx.world, work_ids).map(({ title }) => title);
}
