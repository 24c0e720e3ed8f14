import type { ToolContext } from "../../tool.js";
import { exportText } from "./exportText.js";
import { byUrgency } from "./order.js";
import { idsOf, workItems } from "./rows.js";
import type { WorkWorld } from "./state.js";
import { summaryOf } from "./summary.js";

/**
 * Summarize objects in a short text: work items with their type, stage and owner, and parts, customers,
 * sprints and users in a line each.
 *
 * @name summarize_objects
 * @effects read
 * @flow private foreign
 * @returns the summary, one line for each object after a line that counts them
 */
export function summarizeObjects(
  {
    objects,
  }: {
    /** Ids of the objects, such as ["ISS-3", "TKT-8"] */
    objects: string[];
  },
  ctx: ToolContext<WorkWorld>,
): string {
  return summaryOf(ctx.world, objects);
}

/**
 * Put work items into the order in which to work on them. Open ones come before closed ones; then p0,
 * blockers and overdue tasks, then p1, high severity and tasks due within a week, then p2, medium
 * severity and tasks due within two weeks, then the rest; among equals first tickets whose customer
 * waits for an answer, then the earlier due date, then the older item.
 *
 * @name prioritize_objects
 * @effects read
 * @returns ids of the work items, the most urgent first
 */
export function prioritizeObjects(
  {
    objects,
  }: {
    /** Ids of the work items */
    objects: string[];
  },
  ctx: ToolContext<WorkWorld>,
): string[] {
  return idsOf(byUrgency(workItems(ctx.world, objects)));
}

/**
 * Export work items as text for use elsewhere: their ids, types, titles, stages, owners, priorities or
 * severities, and due dates.
 *
 * @name export_work_items
 * @effects read
 * @flow private foreign
 * @returns the text
 */
export function exportWorkItems(
  {
    work_ids,
    format,
  }: {
    /** Ids of the work items */
    work_ids: string[];
    /** Form of the text; markdown gives a table */
    format: "csv" | "json" | "markdown";
  },
  ctx: ToolContext<WorkWorld>,
): string {
  return exportText({ items: workItems(ctx.world, work_ids), format });
}
