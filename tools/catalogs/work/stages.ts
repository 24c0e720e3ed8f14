import { InvalidSetting, UnknownName } from "../../../common/errors.js";
import { TODAY, daysBetween } from "./clock.js";
import type { WorkItem, WorkType } from "./state.js";

interface Stages {
  open: readonly [string, ...string[]];
  /** An item in one of these is closed; the first means that the work was done. */
  last: readonly [string, ...string[]];
}

/** The stages of each type of work item; a new item is in the first one. */
export const STAGES: Readonly<Record<WorkType, Stages>> = {
  issue: {
    open: ["triage", "backlog", "prioritized", "in_development", "in_review"],
    last: ["completed", "wont_fix"],
  },
  ticket: {
    open: ["queued", "work_in_progress", "awaiting_customer_response", "in_development"],
    last: ["resolved", "canceled"],
  },
  task: { open: ["backlog", "in_progress", "in_review"], last: ["completed", "wont_fix"] },
};

/** The prefixes of work items' ids. */
export const ID_PREFIX: Readonly<Record<WorkType, string>> = {
  issue: "ISS",
  ticket: "TKT",
  task: "TASK",
};

/** Whether an item still needs work. */
export function isOpen({ closed_on }: Pick<WorkItem, "closed_on">): boolean {
  return closed_on === undefined;
}

/**
 * Moves an item to a stage: a last stage closes it, any other opens it again. The customer of a closed ticket no longer waits
 * for an answer.
 *
 * @throws InvalidSetting with the stages of the item's type
 */
export function moveToStage(item: WorkItem, stage: string): void {
  const { open, last } = STAGES[item.type];
  if (!open.includes(stage) && !last.includes(stage)) {
    throw new InvalidSetting({
      setting: "stage",
      problem: `${item.id} is a ${item.type} and cannot be in "${stage}"`,
      hint: `Use one of ${[...open, ...last].join(", ")}`,
    });
  }
  item.stage = stage;
  if (open.includes(stage)) {
    delete item.closed_on;
    return;
  }
  item.closed_on ??= TODAY;
  if (item.type === "ticket") item.needs_response = false;
}

/** The stages of a filter. @throws UnknownName for a stage that no type of work item has */
export function knownStages(wanted: string[] | undefined): string[] | undefined {
  const available = Object.values(STAGES).flatMap(({ open, last }) => [...open, ...last]);
  const unknown = wanted?.find((stage) => !available.includes(stage));
  if (unknown === undefined) return wanted;
  throw new UnknownName({ kind: "stage", wanted: unknown, available: [...new Set(available)] });
}

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
export function inSortOrder(
  items: readonly WorkItem[],
  by: SortKey,
  descending: boolean,
): WorkItem[] {
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
  const ranked = items.map((item) => {
    const { needs_response, due_on = NEVER, created_on } = item;
    const first = [isOpen(item) ? 0 : 1, urgencyOf(item), needs_response ? 0 : 1];
    return { item, rank: [...first, due_on, created_on].join(" ") };
  });
  return ranked.toSorted((left, right) => compare(left.rank, right.rank)).map(({ item }) => item);
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

function compare(left: string | number, right: string | number): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
