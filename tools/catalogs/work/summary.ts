import { UnknownName } from "../../../common/errors.js";
import { TABLE_NAMES } from "./rows.js";
import { isOpen } from "./stages.js";
import type { WorkItem, WorkWorld } from "./state.js";

/**
 * A line that counts the objects and one line for each of them, in their order.
 *
 * @throws UnknownName for the first id that nothing has
 */
export function summaryOf(world: WorkWorld, ids: readonly string[]): string {
  const known = [...new Set(ids.map((id) => id.trim().toUpperCase()))];
  if (known.length === 0) return "No objects.";
  const lines = known.map((id) => lineOf(world, id));
  const items = known.flatMap((id) => world.tables.work_items[id] ?? []);
  const open = items.filter(isOpen).length;
  const count = `${known.length} ${known.length === 1 ? "object" : "objects"}`;
  const head = items.length > 0 ? `${count}, ${open} of them open work.` : `${count}.`;
  return [head, ...lines].join("\n");
}

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
