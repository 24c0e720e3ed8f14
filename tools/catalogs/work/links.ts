import { InvalidSetting } from "../../../common/errors.js";
import { allWorkItems, idsOf, workItem } from "./rows.js";
import { isOpen } from "./stages.js";
import type { Relation, WorkContext, WorkItem, WorkWorld } from "./state.js";

/**
 * Link a work item to another one. Nothing may block itself or be part of itself, not even by way of others.
 *
 * @effects write
 * @param from_id - Id of the work item that the link starts from
 * @param relation - What the first is to the second: it blocks it, duplicates it, relates_to it, or is parent_of it
 * @param to_id - Id of the other work item
 * @returns ids of both, the one that the link starts from first
 */
export function linkWorkItems(
  from_id: string,
  relation: Relation,
  to_id: string,
  ctx: WorkContext,
): string[] {
  const from = workItem(ctx.world, from_id);
  const to = workItem(ctx.world, to_id);
  const isOrdered = relation === "blocks" || relation === "parent_of";
  const closesCircle = isOrdered && reaches({ world: ctx.world, from: to, to: from, relation });
  if (from === to || closesCircle) {
    throw new InvalidSetting({
      setting: "link",
      problem: `${from.id} ${relation} ${to.id} would lead from an item back to itself`,
      hint: "Unlink the items in between first, or link others",
    });
  }
  const isThere = from.links.some((link) => link.relation === relation && link.to === to.id);
  if (!isThere) from.links.push({ relation, to: to.id });
  return [from.id, to.id];
}

/**
 * Take away all links between two work items, whichever of them they start from.
 *
 * @effects write
 * @param first_id - Id of one work item
 * @param second_id - Id of the other work item
 * @returns ids of both
 */
export function unlinkWorkItems(first_id: string, second_id: string, ctx: WorkContext): string[] {
  const first = workItem(ctx.world, first_id);
  const second = workItem(ctx.world, second_id);
  first.links = first.links.filter(({ to }) => to !== second.id);
  second.links = second.links.filter(({ to }) => to !== first.id);
  return [first.id, second.id];
}

/**
 * List the work items that are linked with a given one, in either direction.
 *
 * @effects read
 * @param work_id - Id of the work item
 * @param relation - Only by links of this kind
 * @returns ids of the linked work items
 */
export function getLinkedWorkItems(
  work_id: string,
  relation: Relation | undefined,
  ctx: WorkContext,
): string[] {
  const { world } = ctx;
  const item = workItem(world, work_id);
  const linked = [...linkedFrom(world, item, relation), ...linkedTo(world, item, relation)];
  return [...new Set(idsOf(linked))];
}

/**
 * List the open work items that have to be done before a given one can be: those that block it, and
 * those that block them.
 *
 * @effects read
 * @param work_id - Id of the work item
 * @returns ids of the blocking work items, the nearest first
 */
export function getBlockingWorkItems(work_id: string, ctx: WorkContext): string[] {
  const { world } = ctx;
  const found = new Set([workItem(world, work_id)]);
  // A loop over a set also visits what is added meanwhile.
  for (const item of found) {
    for (const blocker of linkedTo(world, item, "blocks")) {
      if (isOpen(blocker)) found.add(blocker);
    }
  }
  return idsOf([...found].slice(1));
}

/**
 * List the work items that a given one is the parent of.
 *
 * @effects read
 * @param work_id - Id of the work item
 * @returns ids of the children, not of their own children
 */
export function getChildWorkItems(work_id: string, ctx: WorkContext): string[] {
  const { world } = ctx;
  return idsOf(linkedFrom(world, workItem(world, work_id), "parent_of"));
}

/** The items to which an item's own links lead; links of every kind if no relation is given. */
function linkedFrom(world: WorkWorld, item: WorkItem, relation?: Relation): WorkItem[] {
  const links = item.links.filter((link) => relation === undefined || link.relation === relation);
  return links.map(({ to }) => workItem(world, to));
}

/** The items whose links lead to an item; links of every kind if no relation is given. */
function linkedTo(world: WorkWorld, item: WorkItem, relation?: Relation): WorkItem[] {
  return allWorkItems(world).filter(({ links }) =>
    links.some(
      (link) => link.to === item.id && (relation === undefined || link.relation === relation),
    ),
  );
}

/** Whether links of one kind lead from an item to another, directly or through others. */
function reaches(options: {
  world: WorkWorld;
  from: WorkItem;
  to: WorkItem;
  relation: Relation;
}): boolean {
  const { world, from, to, relation } = options;
  const found = new Set([from]);
  // A loop over a set also visits what is added meanwhile.
  for (const item of found) {
    for (const next of linkedFrom(world, item, relation)) found.add(next);
  }
  return found.has(to);
}
