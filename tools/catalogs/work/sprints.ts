import { InvalidSetting } from "../../../common/errors.js";
import { requireDay } from "./clock.js";
import { idsOf, nextId, requireText, sprintOf, userOf, usersOf, workItems } from "./rows.js";
import {
  capacityOf,
  firstSprint,
  hoursSpent,
  requireRunning,
  sprintsIn,
  workIn,
} from "./sprintWork.js";
import { isOpen } from "./stages.js";
import type { Sprint, WorkContext } from "./state.js";

/**
 * Show how far a sprint has come: its work items, and the hours estimated and spent.
 *
 * @effects read
 * @param sprint_id - Id of the sprint, such as "SPRINT-4"
 * @returns the numbers; done_percent is the share of closed work items, 0 where there are none
 */
export function getSprintProgress(
  sprint_id: string,
  ctx: WorkContext,
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
 * Show how many hours a user has in a sprint, how many of them are planned for open work items, and how many are free.
 *
 * @effects read
 * @param user_id - Id of the user, such as "DEVU-2"
 * @param sprint_id - Id of the sprint, such as "SPRINT-4"
 * @returns the hours; free_hours is below 0 for who has too much to do
 */
export function getUserCapacity(
  user_id: string,
  sprint_id: string,
  ctx: WorkContext,
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
  return { user_id: user.id, sprint_id: sprint.id, ...capacityOf(world, user, sprint) };
}

/**
 * Find the user who has the most free hours in a sprint.
 *
 * @effects read
 * @param sprint_id - Id of the sprint, such as "SPRINT-4"
 * @param team - Only users of this team; its case does not matter
 * @returns id of the user; of several, the one with the lowest id
 */
export function findUserWithMostFreeHours(
  sprint_id: string,
  team: string | undefined,
  ctx: WorkContext,
): string {
  const { world } = ctx;
  const sprint = sprintOf(world, sprint_id);
  const [freest] = usersOf(world, team)
    .map((user) => ({ id: user.id, free: capacityOf(world, user, sprint).free_hours }))
    .toSorted((left, right) => right.free - left.free);
  return freest?.id ?? "";
}

/**
 * Get the id of the current sprint: the one that today is in.
 *
 * @effects read
 * @returns id of the current sprint
 */
export function getSprintId(ctx: WorkContext): string {
  return firstSprint(ctx.world, "current");
}

/**
 * Get the id of the next sprint: the first one that begins after today.
 *
 * @effects read
 * @returns id of the next sprint
 */
export function getNextSprintId(ctx: WorkContext): string {
  return firstSprint(ctx.world, "future");
}

/**
 * Plan work items for a sprint; whatever sprint they were planned for before, they are in this one now.
 *
 * @effects write
 * @param work_ids - Ids of the work items
 * @param sprint_id - Id of the sprint, such as "SPRINT-4"; it must not be over
 * @returns ids of the work items that were added
 */
export function addWorkItemsToSprint(
  work_ids: string[],
  sprint_id: string,
  ctx: WorkContext,
): string[] {
  const sprint = requireRunning(sprintOf(ctx.world, sprint_id));
  const items = workItems(ctx.world, work_ids);
  for (const item of items) item.sprint_id = sprint.id;
  return idsOf(items);
}

/**
 * Take work items out of whatever sprint they are planned for.
 *
 * @effects write
 * @param work_ids - Ids of the work items
 * @returns ids of the work items
 */
export function removeWorkItemsFromSprint(work_ids: string[], ctx: WorkContext): string[] {
  const items = workItems(ctx.world, work_ids);
  for (const item of items) delete item.sprint_id;
  return idsOf(items);
}

/**
 * List the sprints, with their days.
 *
 * @effects read
 * @param state - Only those that are over, the current one, or those to come
 * @returns the sprints in the order of their days
 */
export function listSprints(
  state: "past" | "current" | "future" | undefined,
  ctx: WorkContext,
): Sprint[] {
  return sprintsIn(ctx.world, state);
}

/**
 * Show one sprint with its first and last day.
 *
 * @effects read
 * @param sprint_id - Id of the sprint, such as "SPRINT-4"
 * @returns the sprint
 */
export function getSprint(sprint_id: string, ctx: WorkContext): Sprint {
  return sprintOf(ctx.world, sprint_id);
}

/**
 * List the work items that are planned for a sprint.
 *
 * @effects read
 * @param sprint_id - Id of the sprint
 * @returns ids of the work items, open and closed, in the order in which they were made
 */
export function listSprintWorkItems(sprint_id: string, ctx: WorkContext): string[] {
  return idsOf(workIn(ctx.world, sprintOf(ctx.world, sprint_id)));
}

/**
 * Create a sprint. Its days must not be those of another one.
 *
 * @effects write
 * @param name - Name of the sprint
 * @param starts_on - First day, as YYYY-MM-DD
 * @param ends_on - Last day, as YYYY-MM-DD
 * @returns id of the new sprint
 */
export function createSprint(
  name: string,
  starts_on: string,
  ends_on: string,
  ctx: WorkContext,
): string {
  const { sprints } = ctx.world.tables;
  const sprint = {
    id: nextId(sprints, "SPRINT"),
    name: requireText("name", name),
    starts_on: requireDay("starts_on", starts_on),
    ends_on: requireDay("ends_on", ends_on),
  };
  requireFreeDays(sprint, Object.values(sprints));
  sprints[sprint.id] = sprint;
  return sprint.id;
}

/**
 * Move all open work items of a sprint to another one.
 *
 * @effects write
 * @param from_sprint_id - Id of the sprint that they are planned for
 * @param to_sprint_id - Id of the sprint that they are to be planned for; it must not be over
 * @returns ids of the work items that were moved
 */
export function moveUnfinishedWorkItems(
  from_sprint_id: string,
  to_sprint_id: string,
  ctx: WorkContext,
): string[] {
  const from = sprintOf(ctx.world, from_sprint_id);
  const to = requireRunning(sprintOf(ctx.world, to_sprint_id));
  const items = workIn(ctx.world, from).filter(isOpen);
  for (const item of items) item.sprint_id = to.id;
  return idsOf(items);
}

function requireFreeDays(wanted: Sprint, sprints: readonly Sprint[]): void {
  if (wanted.ends_on < wanted.starts_on) {
    throw new InvalidSetting({
      setting: "ends_on",
      problem: `${wanted.ends_on} is before ${wanted.starts_on}`,
      hint: "A sprint ends on its first day or later",
    });
  }
  const other = sprints.find(
    ({ starts_on, ends_on }) => starts_on <= wanted.ends_on && wanted.starts_on <= ends_on,
  );
  if (other === undefined) return;
  throw new InvalidSetting({
    setting: "starts_on",
    problem: `${other.id} takes days of these: ${other.starts_on} to ${other.ends_on}`,
    hint: "Choose days on which there is no sprint yet",
  });
}
