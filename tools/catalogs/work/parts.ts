import { InvalidSetting } from "../../../common/errors.js";
import { idsOf, nextId, partOf, requireText, userOf, usersOf } from "./rows.js";
import type { Part, PartType, User, WorkContext } from "./state.js";

/** The prefixes of parts' ids. */
const PART_PREFIX: Readonly<Record<PartType, string>> = {
  product: "PROD",
  capability: "CAPL",
  feature: "FEAT",
  enhancement: "ENH",
};

/** What a part of each type belongs to. */
const PARENT_TYPE: Readonly<Record<PartType, PartType | undefined>> = {
  product: undefined,
  capability: "product",
  feature: "capability",
  enhancement: "feature",
};

/**
 * Show what is known about a part of the product: its name, type, parent and owner.
 *
 * @effects read
 * @param part_id - Id of the part, such as "FEAT-3"
 * @returns the part
 */
export function getPart(part_id: string, ctx: WorkContext): Part {
  return partOf(ctx.world, part_id);
}

/**
 * List the parts: products, capabilities, features and enhancements.
 *
 * @effects read
 * @param type - Only parts of this type
 * @param owned_by - Id of a user: only parts that this user answers for
 * @returns the parts, in the order in which they were made
 */
export function listParts(
  type: PartType | undefined,
  owned_by: string | undefined,
  ctx: WorkContext,
): Part[] {
  const owner = owned_by === undefined ? undefined : userOf(ctx.world, owned_by).id;
  return Object.values(ctx.world.tables.parts).filter(
    (part) =>
      (type === undefined || part.type === type) &&
      (owner === undefined || part.owned_by === owner),
  );
}

/**
 * List a part and everything below it: the capabilities of a product, their features and so on.
 *
 * @effects read
 * @param part_id - Id of the part, such as "PROD-1"
 * @returns ids of the part itself and of all parts below it, as works_list takes them
 */
export function getPartWithSubParts(part_id: string, ctx: WorkContext): string[] {
  const { tables } = ctx.world;
  const found = new Set([partOf(ctx.world, part_id)]);
  // A loop over a set also visits what is added meanwhile.
  for (const { id } of found) {
    for (const part of Object.values(tables.parts)) if (part.parent_id === id) found.add(part);
  }
  return idsOf([...found]);
}

/**
 * Find out who answers for a part.
 *
 * @effects read
 * @param part_id - Id of the part, such as "FEAT-3"
 * @returns id of the user
 */
export function getPartOwner(part_id: string, ctx: WorkContext): string {
  return partOf(ctx.world, part_id).owned_by;
}

/**
 * Create a part: a capability of a product, a feature of a capability, an enhancement of a feature, or a new product.
 *
 * @effects write
 * @param name - Name of the part
 * @param type - What it is
 * @param parent_id - Id of the part that it belongs to; left out for a product
 * @param owned_by - Id of the user who is to answer for it
 * @returns id of the new part
 */
export function createPart(
  name: string,
  type: PartType,
  parent_id: string | undefined,
  owned_by: string,
  ctx: WorkContext,
): string {
  const { parts } = ctx.world.tables;
  const parent = parent_id === undefined ? undefined : partOf(ctx.world, parent_id);
  requireParent(type, parent);
  const id = nextId(parts, PART_PREFIX[type]);
  parts[id] = {
    id,
    name: requireText("name", name),
    type,
    ...(parent ? { parent_id: parent.id } : {}),
    owned_by: userOf(ctx.world, owned_by).id,
  };
  return id;
}

/**
 * Make a user answer for a part.
 *
 * @effects write
 * @param part_id - Id of the part, such as "FEAT-3"
 * @param user_id - Id of the user, such as "DEVU-2"
 * @returns id of the part
 */
export function setPartOwner(part_id: string, user_id: string, ctx: WorkContext): string {
  const part = partOf(ctx.world, part_id);
  part.owned_by = userOf(ctx.world, user_id).id;
  return part.id;
}

function requireParent(type: PartType, parent: Part | undefined): void {
  const wanted = PARENT_TYPE[type];
  if (parent?.type === wanted) return;
  throw new InvalidSetting({
    setting: "parent_id",
    problem: parent
      ? `a ${type} cannot belong to ${parent.id}, a ${parent.type}`
      : `a ${type} belongs to a ${wanted}, and none was given`,
    hint: wanted ? `Give the id of a ${wanted}` : "Leave it out for a product",
  });
}

/**
 * Show what is known about a user: name, email address, team and hours per week.
 *
 * @effects read
 * @param user_id - Id of the user, such as "DEVU-2"
 * @returns the user
 */
export function getUser(user_id: string, ctx: WorkContext): User {
  return userOf(ctx.world, user_id);
}

/**
 * List the users: all colleagues, or those of a team.
 *
 * @effects read
 * @param team - Only users of this team; its case does not matter
 * @returns ids of the users
 */
export function listUsers(team: string | undefined, ctx: WorkContext): string[] {
  return idsOf(usersOf(ctx.world, team));
}
