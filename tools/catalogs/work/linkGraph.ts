import { allWorkItems, workItem } from "./rows.js";
import type { Relation, WorkItem, WorkWorld } from "./state.js";

/** The items that an item's own links lead to; by links of every kind without a relation. */
export function linkedFrom(options: {
  world: WorkWorld;
  item: WorkItem;
  relation?: Relation;
}): WorkItem[] {
  const { world, item, relation } = options;
  const links = item.links.filter((link) => relation === undefined || link.relation === relation);
  return links.map(({ to }) => workItem(world, to));
}

/** The items whose links lead to an item; by links of every kind without a relation. */
export function linkedTo(options: {
  world: WorkWorld;
  item: WorkItem;
  relation?: Relation;
}): WorkItem[] {
  const { world, item, relation } = options;
  return allWorkItems(world).filter(({ links }) =>
    links.some(
      (link) => link.to === item.id && (relation === undefined || link.relation === relation),
    ),
  );
}

/** Whether links of one kind lead from an item to another one, by way of any others. */
export function reaches(options: {
  world: WorkWorld;
  from: WorkItem;
  to: WorkItem;
  relation: Relation;
}): boolean {
  const { world, from, to, relation } = options;
  const found = new Set([from]);
  // A set that grows while it is gone through gives the new ones, too.
  for (const item of found) {
    for (const next of linkedFrom({ world, item, relation })) found.add(next);
  }
  return found.has(to);
}
