import { UnknownName } from "../../../common/errors.js";
import { byUrgency, isOpen } from "./stages.js";
import { idsOf, TABLE_NAMES, workItems } from "./rows.js";
import type { WorkContext, WorkItem, WorkWorld } from "./state.js";

/**
 * Summarize objects in a short text: work items with their type, stage and owner, and parts, customers,
 * sprints and users in a line each.
 *
 * @effects read
 * @flow private foreign
 * @param objects - Ids of the objects, such as ["ISS-3", "TKT-8"]
 * @returns the summary, one line for each object after a line that counts them
 */
export function summarizeObjects(objects: string[], ctx: WorkContext): string {
  const { world } = ctx;
  const known = [...new Set(objects.map((id) => id.trim().toUpperCase()))];
  if (known.length === 0) return "No objects.";
  const lines = known.map((id) => lineOf(world, id));
  const items = known.flatMap((id) => world.tables.work_items[id] ?? []);
  const open = items.filter(isOpen).length;
  const count = `${known.length} ${known.length === 1 ? "object" : "objects"}`;
  const head = items.length > 0 ? `${count}, ${open} of them open work.` : `${count}.`;
  return [head, ...lines].join("\n");
}

/**
 * Put work items into the order in which to work on them. Open ones come before closed ones; then p0,
 * blockers and overdue tasks, then p1, high severity and tasks due within a week, then p2, medium
 * severity and tasks due within two weeks, then the rest; among equals first tickets whose customer
 * waits for an answer, then the earlier due date, then the older item.
 *
 * @effects read
 * @param objects - Ids of the work items
 * @returns ids of the work items, the most urgent first
 */
export function prioritizeObjects(objects: string[], ctx: WorkContext): string[] {
  return idsOf(byUrgency(workItems(ctx.world, objects)));
}

/**
 * Export work items as text for use elsewhere: their ids, types, titles, stages, owners, priorities or
 * severities, and due dates.
 *
 * @effects read
 * @flow private foreign
 * @param work_ids - Ids of the work items
 * @param format - Form of the text; markdown gives a table
 * @returns the text
 */
export function exportWorkItems(
  work_ids: string[],
  format: "csv" | "json" | "markdown",
  ctx: WorkContext,
): string {
  return FORMATS[format](workItems(ctx.world, work_ids).map(cellsOf));
}

const COLUMNS = ["id", "type", "title", "stage", "owned_by", "urgency", "due_on"];

/** CSV with a header (RFC 4180), JSON objects, or a Markdown table. */
const FORMATS: Readonly<
  Record<"csv" | "json" | "markdown", (rows: readonly (readonly string[])[]) => string>
> = {
  csv: (rows) => [COLUMNS, ...rows].map((cells) => cells.map(csvCell).join(",")).join("\n"),
  json(rows) {
    const named = rows.map((cells) => COLUMNS.map((name, place) => [name, cells[place]]));
    return JSON.stringify(named.map((pairs) => Object.fromEntries(pairs)));
  },
  markdown(rows) {
    const rule = COLUMNS.map(() => "---");
    const lines = [COLUMNS, rule, ...rows].map((cells) => cells.map(markdownCell).join(" | "));
    return lines.map((line) => `| ${line} |`).join("\n");
  },
};

/** A missing property becomes an empty cell. */
function cellsOf({ id, type, title, stage, owned_by, priority, severity, due_on }: WorkItem) {
  return [id, type, title, stage, owned_by ?? "", priority ?? severity ?? "", due_on ?? ""];
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function markdownCell(text: string): string {
  return text.replaceAll("|", String.raw`\|`).replaceAll(/\s+/g, " ");
}

/** @throws UnknownName for an unknown id */
function lineOf(world: WorkWorld, id: string): string {
  const { work_items, parts, customers, sprints, users } = world.tables;
  const item = work_items[id];
  if (item) return itemLine(world, item);
  const part = parts[id];
  if (part) return `${id}: ${part.name}, a ${part.type}.`;
  const customer = customers[id];
  if (customer) return `${id}: ${customer.name}, a customer of tier ${customer.tier}.`;
  const sprint = sprints[id];
  if (sprint) return `${id}: ${sprint.name}, from ${sprint.starts_on} to ${sprint.ends_on}.`;
  const user = users[id];
  if (user) return `${id}: ${user.name} of team ${user.team}.`;
  const available = TABLE_NAMES.flatMap((table) => Object.keys(world.tables[table]).slice(0, 2));
  throw new UnknownName({ kind: "object", wanted: id, available });
}

function itemLine({ tables }: WorkWorld, item: WorkItem): string {
  const { id, type, title, stage, owned_by, priority, severity, rev_org, due_on } = item;
  const owner = owned_by && tables.users[owned_by]?.name;
  const facts = [
    [priority ?? severity, type].filter(Boolean).join(" "),
    stage,
    owner ?? "nobody works on it",
    rev_org && `for ${tables.customers[rev_org]?.name ?? rev_org}`,
    due_on && `due ${due_on}`,
  ];
  return `${id}: ${title} (${facts.filter(Boolean).join(", ")}).`;
}
