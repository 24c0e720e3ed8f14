import { InvalidSetting, UnknownName } from "../../../common/errors.js";
import { daysBetween, TODAY } from "./clock.js";
import { allWorkItems } from "./rows.js";
import { isOpen } from "./stages.js";
import type { Sprint, User, WorkItem, WorkWorld } from "./state.js";

/** Whether a sprint is over, running or still to come today. */
export function sprintState({ starts_on, ends_on }: Sprint): "past" | "current" | "future" {
  if (ends_on < TODAY) return "past";
  return starts_on > TODAY ? "future" : "current";
}

/** The sprints in the order of their days: all, or those in a state. */
export function sprintsIn({ tables }: WorkWorld, state?: ReturnType<typeof sprintState>): Sprint[] {
  return Object.values(tables.sprints)
    .filter((sprint) => state === undefined || sprintState(sprint) === state)
    .toSorted((left, right) => (left.starts_on < right.starts_on ? -1 : 1));
}

/** The id of the first sprint in a state. @throws UnknownName if there is none */
export function firstSprint(world: WorkWorld, state: "current" | "future"): string {
  const [first] = sprintsIn(world, state);
  if (first) return first.id;
  const wanted = state === "future" ? "next" : state;
  const available = Object.keys(world.tables.sprints);
  throw new UnknownName({ kind: "sprint", wanted, available });
}

/** @throws InvalidSetting for a sprint that is over */
export function requireRunning(sprint: Sprint): Sprint {
  if (sprintState(sprint) !== "past") return sprint;
  throw new InvalidSetting({
    setting: "sprint_id",
    problem: `${sprint.id} was over on ${sprint.ends_on}`,
    hint: "Choose the current sprint or one to come",
  });
}

/** The items planned for a sprint. */
export function workIn(world: WorkWorld, { id }: Sprint): WorkItem[] {
  return allWorkItems(world).filter((item) => item.sprint_id === id);
}

const DAYS_OF_A_WEEK = 7;

/** Hours logged on some items. */
export function hoursSpent({ tables }: WorkWorld, items: readonly WorkItem[]): number {
  const ids = new Set(items.map(({ id }) => id));
  const logs = Object.values(tables.time_logs).filter(({ work_id }) => ids.has(work_id));
  return logs.reduce((sum, { hours }) => sum + hours, 0);
}

/** A user's hours in a sprint: in total, planned for open work, and left. */
export function capacityOf(
  world: WorkWorld,
  user: User,
  sprint: Sprint,
): { capacity_hours: number; planned_hours: number; free_hours: number } {
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
