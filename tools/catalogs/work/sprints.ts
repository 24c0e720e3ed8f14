import { InvalidSetting } from "../../../common/errors.js";
import type { ToolContext } from "../../tool.js";
import { requireDay } from "./clock.js";
import { idsOf, nextId, requireText, sprintOf, workItems } from "./rows.js";
import { currentSprint, nextSprint, requireRunning, sprintState, workIn } from "./sprintDays.js";
import { isOpen } from "./stages.js";
import type { Sprint, WorkWorld } from "./state.js";

/**
 * Get the id of the current sprint: the one that today is in.
 *
 * @name get_sprint_id
 * @effects read
 * @returns id of the current sprint
 */
export function getSprintId(ctx: ToolContext<WorkWorld>): string {
  return currentSprint(ctx.world).id;
}

/**
 * Get the id of the next sprint: the first one that begins after today.
 *
 * @name get_next_sprint_id
 * @effects read
 * @returns id of the next sprint
 */
export function getNextSprintId(ctx: ToolContext<WorkWorld>): string {
  return nextSprint(ctx.world).id;
}

/**
 * Plan work items for a sprint; whatever sprint they were planned for before, they are in this one now.
 *
 * @name add_work_items_to_sprint
 * @effects write
 * @returns ids of the work items that were added
 */
export function addWorkItemsToSprint(
  {
    work_ids,
    sprint_id,
  }: {
    /** Ids of the work items */
    work_ids: string[];
    /** Id of the sprint, such as "SPRINT-4"; it must not be over */
    sprint_id: string;
  },
  ctx: ToolContext<WorkWorld>,
): string[] {
  const sprint = requireRunning(sprintOf(ctx.world, sprint_id));
  const items = workItems(ctx.world, work_ids);
  for (const item of items) item.sprint_id = sprint.id;
  return idsOf(items);
}

/**
 * Take work items out of whatever sprint they are planned for.
 *
 * @name remove_work_items_from_sprint
 * @effects write
 * @returns ids of the work items
 */
export function removeWorkItemsFromSprint(
  {
    work_ids,
  }: {
    /** Ids of the work items */
    work_ids: string[];
  },
  ctx: ToolContext<WorkWorld>,
): string[] {
  const items = workItems(ctx.world, work_ids);
  for (const item of items) delete item.sprint_id;
  return idsOf(items);
}

/**
 * List the sprints, with their days.
 *
 * @name list_sprints
 * @effects read
 * @returns the sprints in the order of their days
 */
export function listSprints(
  {
    state,
  }: {
    /** Only those that are over, the current one, or those to come */
    state?: "past" | "current" | "future";
  },
  ctx: ToolContext<WorkWorld>,
): Sprint[] {
  return Object.values(ctx.world.tables.sprints)
    .filter((sprint) => state === undefined || sprintState(sprint) === state)
    .toSorted((left, right) => (left.starts_on < right.starts_on ? -1 : 1));
}

/**
 * Show one sprint with its first and last day.
 *
 * @name get_sprint
 * @effects read
 * @returns the sprint
 */
export function getSprint(
  {
    sprint_id,
  }: {
    /** Id of the sprint, such as "SPRINT-4" */
    sprint_id: string;
  },
  ctx: ToolContext<WorkWorld>,
): Sprint {
  return sprintOf(ctx.world, sprint_id);
}

/**
 * List the work items that are planned for a sprint.
 *
 * @name list_sprint_work_items
 * @effects read
 * @returns ids of the work items, open and closed, in the order in which they were made
 */
export function listSprintWorkItems(
  {
    sprint_id,
  }: {
    /** Id of the sprint */
    sprint_id: string;
  },
  ctx: ToolContext<WorkWorld>,
): string[] {
  return idsOf(workIn(ctx.world, sprintOf(ctx.world, sprint_id)));
}

/**
 * Create a sprint. Its days must not be those of another one.
 *
 * @name create_sprint
 * @effects write
 * @returns id of the new sprint
 */
export function createSprint(
  {
    name,
    starts_on,
    ends_on,
  }: {
    /** Name of the sprint */
    name: string;
    /** First day, as YYYY-MM-DD */
    starts_on: string;
    /** Last day, as YYYY-MM-DD */
    ends_on: string;
  },
  ctx: ToolContext<WorkWorld>,
): string {
  const { sprints } = ctx.world.tables;
  const sprint = {
    id: nextId(sprints, "SPRINT"),
    name: requireText({ what: "name", text: name }),
    starts_on: requireDay({ what: "starts_on", text: starts_on }),
    ends_on: requireDay({ what: "ends_on", text: ends_on }),
  };
  requireFreeDays(sprint, Object.values(sprints));
  sprints[sprint.id] = sprint;
  return sprint.id;
}

/**
 * Move all open work items of a sprint to another one.
 *
 * @name move_unfinished_work_items
 * @effects write
 * @returns ids of the work items that were moved
 */
export function moveUnfinishedWorkItems(
  {
    from_sprint_id,
    to_sprint_id,
  }: {
    /** Id of the sprint that they are planned for */
    from_sprint_id: string;
    /** Id of the sprint that they are to be planned for; it must not be over */
    to_sprint_id: string;
  },
  ctx: ToolContext<WorkWorld>,
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
