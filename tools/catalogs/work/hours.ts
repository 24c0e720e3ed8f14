import { daysBetween } from "./clock.js";
import { allWorkItems } from "./rows.js";
import { isOpen } from "./stages.js";
import type { Sprint, User, WorkItem, WorkWorld } from "./state.js";

const DAYS_OF_A_WEEK = 7;

/** Hours logged on some items. */
export function hoursSpent({ tables }: WorkWorld, items: readonly WorkItem[]): number {
  const ids = new Set(items.map(({ id }) => id));
  const logs = Object.values(tables.time_logs).filter(({ work_id }) => ids.has(work_id));
  return logs.reduce((sum, { hours }) => sum + hours, 0);
}

/** A user's hours in a sprint: in total, planned for open work, and left. */
export function capacityOf(options: { world: WorkWorld; user: User; sprint: Sprint }): {
  capacity_hours: number;
  planned_hours: number;
  free_hours: number;
} {
  const { world, user, sprint } = options;
  const weeks = (daysBetween(sprint.starts_on, sprint.ends_on) + 1) / DAYS_OF_A_WEEK;
  const capacity_hours = toTenth(user.hours_per_week * weeks);
  const own = allWorkItems(world).filter(
    (item) => isOpen(item) && item.owned_by === user.id && item.sprint_id === sprint.id,
  );
  const planned_hours = toTenth(own.reduce((sum, item) => sum + hoursLeft(world, item), 0));
  return { capacity_hours, planned_hours, free_hours: toTenth(capacity_hours - planned_hours) };
}

/** If more was spent on an item than estimated, nothing is known to be left. */
function hoursLeft(world: WorkWorld, item: WorkItem): number {
  return Math.max(0, item.estimate_hours - hoursSpent(world, [item]));
}

function toTenth(hours: number): number {
  return Math.round(hours * 10) / 10;
}
