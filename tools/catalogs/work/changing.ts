import { requireDay } from "./clock.js";
import {
  idsOf,
  partOf,
  requireHours,
  requireText,
  userOf,
  workItem,
  workItems,
  workItemsOfType,
} from "./rows.js";
import { isOpen, moveToStage, STAGES } from "./stages.js";
import type { Priority, Severity, WorkContext, WorkItem } from "./state.js";

/** About three months of work, the most that anybody plans for one item. */
const MOST_ESTIMATED_HOURS = 500;

/**
 * Change the title, the text or the part of a work item; what is left out stays.
 *
 * @effects write
 * @param work_id - Id of the work item
 * @param title - New title
 * @param body - New text
 * @param applies_to_part - Id of the part that it is about from now on
 * @returns id of the work item
 */
export function updateWorkItem(
  work_id: string,
  title: string | undefined,
  body: string | undefined,
  applies_to_part: string | undefined,
  ctx: WorkContext,
): string {
  const item = workItem(ctx.world, work_id);
  if (title !== undefined) item.title = requireText("title", title);
  if (body !== undefined) item.body = body;
  if (applies_to_part !== undefined) item.applies_to_part = partOf(ctx.world, applies_to_part).id;
  return item.id;
}

/**
 * Give work items to a user, who works on them from now on.
 *
 * @effects write
 * @param work_ids - Ids of the work items
 * @param user_id - Id of the user, such as "DEVU-2"
 * @returns ids of the work items
 */
export function assignWorkItems(work_ids: string[], user_id: string, ctx: WorkContext): string[] {
  const { id } = userOf(ctx.world, user_id);
  return changed(workItems(ctx.world, work_ids), (item) => {
    item.owned_by = id;
  });
}

/**
 * Take work items away from whoever works on them, so that nobody does.
 *
 * @effects write
 * @param work_ids - Ids of the work items
 * @returns ids of the work items
 */
export function unassignWorkItems(work_ids: string[], ctx: WorkContext): string[] {
  return changed(workItems(ctx.world, work_ids), (item) => {
    delete item.owned_by;
  });
}

/**
 * Move work items to another stage. A last stage closes them, any other opens them again.
 *
 * @effects write
 * @param work_ids - Ids of the work items
 * @param stage - New stage: triage, backlog, prioritized, in_development, in_review, completed or wont_fix
 *   of issues; queued, work_in_progress, awaiting_customer_response, in_development, resolved or canceled
 *   of tickets; backlog, in_progress, in_review, completed or wont_fix of tasks
 * @returns ids of the work items
 */
export function setStage(work_ids: string[], stage: string, ctx: WorkContext): string[] {
  return changed(workItems(ctx.world, work_ids), (item) => moveToStage(item, stage));
}

/**
 * Close work items as done: issues and tasks as completed, tickets as resolved. What is closed already stays as it is.
 *
 * @effects write
 * @param work_ids - Ids of the work items
 * @returns ids of the work items
 */
export function closeWorkItems(work_ids: string[], ctx: WorkContext): string[] {
  return changed(workItems(ctx.world, work_ids), (item) => {
    if (isOpen(item)) moveToStage(item, STAGES[item.type].last[0]);
  });
}

/**
 * Open closed work items again, in the first stage. What is open stays as it is.
 *
 * @effects write
 * @param work_ids - Ids of the work items
 * @returns ids of the work items
 */
export function reopenWorkItems(work_ids: string[], ctx: WorkContext): string[] {
  return changed(workItems(ctx.world, work_ids), (item) => {
    if (!isOpen(item)) moveToStage(item, STAGES[item.type].open[0]);
  });
}

/**
 * Change how urgent issues are.
 *
 * @effects write
 * @param work_ids - Ids of issues; tickets have a severity instead, and tasks neither
 * @param priority - New priority; p0 is the most urgent
 * @returns ids of the issues
 */
export function setPriority(work_ids: string[], priority: Priority, ctx: WorkContext): string[] {
  const issues = workItemsOfType(ctx.world, { ids: work_ids, type: "issue", what: "priority" });
  return changed(issues, (item) => {
    item.priority = priority;
  });
}

/**
 * Change how badly the customers of tickets are hit.
 *
 * @effects write
 * @param work_ids - Ids of tickets; issues have a priority instead, and tasks neither
 * @param severity - New severity
 * @returns ids of the tickets
 */
export function setSeverity(work_ids: string[], severity: Severity, ctx: WorkContext): string[] {
  const tickets = workItemsOfType(ctx.world, { ids: work_ids, type: "ticket", what: "severity" });
  return changed(tickets, (item) => {
    item.severity = severity;
  });
}

/**
 * Set the day by which work items have to be done.
 *
 * @effects write
 * @param work_ids - Ids of the work items
 * @param due_on - The day, as YYYY-MM-DD
 * @returns ids of the work items
 */
export function setDueDate(work_ids: string[], due_on: string, ctx: WorkContext): string[] {
  const day = requireDay("due_on", due_on);
  return changed(workItems(ctx.world, work_ids), (item) => {
    item.due_on = day;
  });
}

/**
 * Set how many hours of work an item needs in all.
 *
 * @effects write
 * @param work_id - Id of the work item
 * @param hours - Hours, above 0 and at most 500
 * @returns id of the work item
 */
export function setEstimate(work_id: string, hours: number, ctx: WorkContext): string {
  const item = workItem(ctx.world, work_id);
  item.estimate_hours = requireHours(hours, MOST_ESTIMATED_HOURS);
  return item.id;
}

function changed(items: WorkItem[], change: (item: WorkItem) => void): string[] {
  for (const item of items) change(item);
  return idsOf(items);
}
