import { daysBetween, TODAY } from "./clock.js";
import { isOpen } from "./stages.js";
import type { WorkItem } from "./state.js";

/** A property that work items can be sorted by. */
export type SortKey =
  | "created_on"
  | "due_on"
  | "closed_on"
  | "estimate_hours"
  | "title"
  | "priority"
  | "severity";

/** Items sorted by a property, equal ones in their given order; items without it come last. */
export function inSortOrder(options: {
  items: readonly WorkItem[];
  by: SortKey;
  descending: boolean;
}): WorkItem[] {
  const { items, by, descending } = options;
  const having = items.filter((item) => item[by] !== undefined);
  const lacking = items.filter((item) => item[by] === undefined);
  const sign = descending ? -1 : 1;
  const sorted = having.toSorted(
    (left, right) => sign * compare(sortValue(left, by), sortValue(right, by)),
  );
  return [...sorted, ...lacking];
}

/**
 * Items by urgency: open before closed; p0, blockers and overdue tasks before p1, high severity and tasks due within a week,
 * and so on; tickets whose customer waits before others; then the earlier due date, no date last; then the older item. Equal
 * ones stay in their given order.
 */
export function byUrgency(items: readonly WorkItem[]): WorkItem[] {
  const ranked = items.map((item) => ({
    item,
    rank: [
      isOpen(item) ? 0 : 1,
      urgencyOf(item),
      item.needs_response ? 0 : 1,
      item.due_on ?? NEVER,
      item.created_on,
    ],
  }));
  return ranked
    .toSorted((left, right) => compareRanks(left.rank, right.rank))
    .map(({ item }) => item);
}

/** 0 is the most urgent, 3 the least. */
function urgencyOf({ priority, severity, due_on }: WorkItem): number {
  if (priority !== undefined) return PRIORITIES.indexOf(priority);
  if (severity !== undefined) return SEVERITIES.indexOf(severity);
  const days = due_on === undefined ? Number.POSITIVE_INFINITY : daysBetween(TODAY, due_on);
  if (days < 0) return 0;
  if (days <= WEEK) return 1;
  return days <= 2 * WEEK ? 2 : 3;
}

const PRIORITIES = ["p0", "p1", "p2", "p3"];
const SEVERITIES = ["blocker", "high", "medium", "low"];
const WEEK = 7;

/** Later than every day, as texts are compared. */
const NEVER = "9999-12-31";

/** The most severe has the smallest value, like p0 among priorities. */
function sortValue(item: WorkItem, by: SortKey): string | number {
  if (by === "severity") return SEVERITIES.indexOf(item.severity ?? "");
  return item[by] ?? NEVER;
}

function compareRanks(
  left: readonly (string | number)[],
  right: readonly (string | number)[],
): number {
  const different = left.map((value, place) => compare(value, right[place] ?? value));
  return different.find((sign) => sign !== 0) ?? 0;
}

function compare(left: string | number, right: string | number): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
