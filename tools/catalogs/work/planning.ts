import type { ToolContext } from "../../tool.js";
import { capacityOf, hoursSpent } from "./hours.js";
import { sprintOf, userOf } from "./rows.js";
import { workIn } from "./sprintDays.js";
import { isOpen } from "./stages.js";
import type { WorkWorld } from "./state.js";
import { usersOf } from "./teams.js";

/**
 * Show how far a sprint has come: its work items, and the hours estimated and spent.
 *
 * @name get_sprint_progress
 * @effects read
 * @returns the numbers; done_percent is the share of closed work items, 0 where there are none
 */
export function getSprintProgress(
  {
    sprint_id,
  }: {
    /** Id of the sprint, such as "SPRINT-4" */
    sprint_id: string;
  },
  ctx: ToolContext<WorkWorld>,
): {
  sprint_id: string;
  total: number;
  open: number;
  closed: number;
  done_percent: number;
  estimated_hours: number;
  logged_hours: number;
} {
  const { world } = ctx;
  const sprint = sprintOf(world, sprint_id);
  const items = workIn(world, sprint);
  const open = items.filter(isOpen).length;
  const closed = items.length - open;
  return {
    sprint_id: sprint.id,
    total: items.length,
    open,
    closed,
    done_percent: items.length === 0 ? 0 : Math.round((100 * closed) / items.length),
    estimated_hours: items.reduce((sum, { estimate_hours }) => sum + estimate_hours, 0),
    logged_hours: hoursSpent(world, items),
  };
}

/**
 * Show how many hours a user has in a sprint, how many of them are planned for open work items, and how
 * many are free.
 *
 * @name get_user_capacity
 * @effects read
 * @returns the hours; free_hours is below 0 for who has too much to do
 */
export function getUserCapacity(
  {
    user_id,
    sprint_id,
  }: {
    /** Id of the user, such as "DEVU-2" */
    user_id: string;
    /** Id of the sprint, such as "SPRINT-4" */
    sprint_id: string;
  },
  ctx: ToolContext<WorkWorld>,
): {
  user_id: string;
  sprint_id: string;
  capacity_hours: number;
  planned_hours: number;
  free_hours: number;
} {
  const { world } = ctx;
  const user = userOf(world, user_id);
  const sprint = sprintOf(world, sprint_id);
  return { user_id: user.id, sprint_id: sprint.id, ...capacityOf({ world, user, sprint }) };
}

/**
 * Find the user who has the most free hours in a sprint.
 *
 * @name find_user_with_most_free_hours
 * @effects read
 * @returns id of the user; of several, the one with the lowest id
 */
export function findUserWithMostFreeHours(
  {
    sprint_id,
    team,
  }: {
    /** Id of the sprint, such as "SPRINT-4" */
    sprint_id: string;
    /** Only users of this team; its case does not matter */
    team?: string;
  },
  ctx: ToolContext<WorkWorld>,
): string {
  const { world } = ctx;
  const sprint = sprintOf(world, sprint_id);
  const [freest] = usersOf(world, team)
    .map((user) => ({ id: user.id, free: capacityOf({ world, user, sprint }).free_hours }))
    .toSorted((left, right) => right.free - left.free);
  return freest?.id ?? "";
}
