import { requireDay, TODAY } from "./clock.js";
import { CURRENT_USER, nextId, requireHours, userOf, workItem, workItems } from "./rows.js";
import { hoursSpent } from "./sprintWork.js";
import type { TimeLog, WorkContext } from "./state.js";

const HOURS_OF_A_DAY = 24;

/**
 * Log time that the current user has spent on a work item.
 *
 * @effects write
 * @param work_id - Id of the work item
 * @param hours - Hours, above 0 and at most 24
 * @param day - The day, as YYYY-MM-DD; today when left out
 * @returns id of the log
 */
export function logTime(
  work_id: string,
  hours: number,
  day: string = TODAY,
  ctx: WorkContext,
): string {
  const { time_logs } = ctx.world.tables;
  const id = nextId(time_logs, "LOG");
  time_logs[id] = {
    id,
    work_id: workItem(ctx.world, work_id).id,
    user_id: userOf(ctx.world, CURRENT_USER).id,
    hours: requireHours(hours, HOURS_OF_A_DAY),
    day: requireDay("day", day),
  };
  return id;
}

/**
 * List time logs, by who has logged them and when.
 *
 * @effects read
 * @flow private
 * @param user_id - Id of a user: only that user's logs
 * @param from - First day, inclusive, as YYYY-MM-DD
 * @param to - Last day, inclusive, as YYYY-MM-DD
 * @returns the logs, in the order in which they were made
 */
export function listTimeLogs(
  user_id: string | undefined,
  from: string | undefined,
  to: string | undefined,
  ctx: WorkContext,
): TimeLog[] {
  const user = user_id && userOf(ctx.world, user_id).id;
  const first = from && requireDay("from", from);
  const last = to && requireDay("to", to);
  return Object.values(ctx.world.tables.time_logs).filter(
    (log) =>
      (!user || log.user_id === user) && (!first || log.day >= first) && (!last || log.day <= last),
  );
}

/**
 * Add up the time that everybody has spent on some work items.
 *
 * @effects read
 * @param work_ids - Ids of the work items
 * @returns hours in all
 */
export function getLoggedHours(work_ids: string[], ctx: WorkContext): number {
  return hoursSpent(ctx.world, workItems(ctx.world, work_ids));
}

/**
 * Add up the time that some work items are estimated to need in all.
 *
 * @effects read
 * @param work_ids - Ids of the work items
 * @returns hours in all
 */
export function getEstimatedHours(work_ids: string[], ctx: WorkContext): number {
  const items = workItems(ctx.world, work_ids);
  return items.reduce((sum, { estimate_hours }) => sum + estimate_hours, 0);
}
