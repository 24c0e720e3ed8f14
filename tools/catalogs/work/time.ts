import type { ToolContext } from "../../tool.js";
import { requireDay, TODAY } from "./clock.js";
import { hoursSpent } from "./hours.js";
import { CURRENT_USER, nextId, requireHours, userOf, workItem, workItems } from "./rows.js";
import type { TimeLog, WorkWorld } from "./state.js";

const HOURS_OF_A_DAY = 24;

/**
 * Log time that the current user has spent on a work item.
 *
 * @name log_time
 * @effects write
 * @returns id of the log
 */
export function logTime(
  {
    work_id,
    hours,
    day = TODAY,
  }: {
    /** Id of the work item */
    work_id: string;
    /** Hours, above 0 and at most 24 */
    hours: number;
    /** The day, as YYYY-MM-DD; today when left out */
    day?: string;
  },
  ctx: ToolContext<WorkWorld>,
): string {
  const { time_logs } = ctx.world.tables;
  const id = nextId(time_logs, "LOG");
  time_logs[id] = {
    id,
    work_id: workItem(ctx.world, work_id).id,
    user_id: userOf(ctx.world, CURRENT_USER).id,
    hours: requireHours({ hours, most: HOURS_OF_A_DAY }),
    day: requireDay({ what: "day", text: day }),
  };
  return id;
}

/**
 * List time logs, by who has logged them and when.
 *
 * @name list_time_logs
 * @effects read
 * @flow private
 * @returns the logs, in the order in which they were made
 */
export function listTimeLogs(
  {
    user_id,
    from,
    to,
  }: {
    /** Id of a user: only that user's logs */
    user_id?: string;
    /** First day, inclusive, as YYYY-MM-DD */
    from?: string;
    /** Last day, inclusive, as YYYY-MM-DD */
    to?: string;
  },
  ctx: ToolContext<WorkWorld>,
): TimeLog[] {
  const user = user_id && userOf(ctx.world, user_id).id;
  const first = from && requireDay({ what: "from", text: from });
  const last = to && requireDay({ what: "to", text: to });
  return Object.values(ctx.world.tables.time_logs).filter(
    (log) =>
      (!user || log.user_id === user) && (!first || log.day >= first) && (!last || log.day <= last),
  );
}

/**
 * Add up the time that everybody has spent on some work items.
 *
 * @name get_logged_hours
 * @effects read
 * @returns hours in all
 */
export function getLoggedHours(
  {
    work_ids,
  }: {
    /** Ids of the work items */
    work_ids: string[];
  },
  ctx: ToolContext<WorkWorld>,
): number {
  return hoursSpent(ctx.world, workItems(ctx.world, work_ids));
}

/**
 * Add up the time that some work items are estimated to need in all.
 *
 * @name get_estimated_hours
 * @effects read
 * @returns hours in all
 */
export function getEstimatedHours(
  {
    work_ids,
  }: {
    /** Ids of the work items */
    work_ids: string[];
  },
  ctx: ToolContext<WorkWorld>,
): number {
  const items = workItems(ctx.world, work_ids);
  return items.reduce((sum, { estimate_hours }) => sum + estimate_hours, 0);
}
