import { InvalidSetting, UnknownName } from "../../../common/errors.js";
import type {
  Customer,
  Part,
  Sprint,
  User,
  WorkItem,
  WorkTables,
  WorkType,
  WorkWorld,
} from "./state.js";

/** The user of the agent. */
export const CURRENT_USER = "DEVU-1";

/** A work item by its id. @throws UnknownName with all ids */
export function workItem(world: WorkWorld, id: string): WorkItem {
  return requireRow(world.tables.work_items, "work item", id);
}

/** Work items in the order of the given ids, each once. @throws UnknownName for the first unknown id */
export function workItems(world: WorkWorld, ids: readonly string[]): WorkItem[] {
  return [...new Set(ids.map((id) => workItem(world, id)))];
}

/** Work items that must all be of one type. @throws UnknownName, InvalidSetting for another type */
export function workItemsOfType(
  world: WorkWorld,
  options: { ids: readonly string[]; type: WorkType; what: string },
): WorkItem[] {
  const { ids, type, what } = options;
  const items = workItems(world, ids);
  const other = items.find((item) => item.type !== type);
  if (other === undefined) return items;
  throw wrongType(other, type, what);
}

/** A ticket by its id. @throws UnknownName, InvalidSetting for a work item of another type */
export function ticketOf(world: WorkWorld, id: string): WorkItem {
  const item = workItem(world, id);
  if (item.type === "ticket") return item;
  throw wrongType(item, "ticket", "customer who waits");
}

/** Every work item, in the order in which they were made. */
export function allWorkItems({ tables }: WorkWorld): WorkItem[] {
  return Object.values(tables.work_items);
}

/** @throws UnknownName with all sprints */
export function sprintOf(world: WorkWorld, id: string): Sprint {
  return requireRow(world.tables.sprints, "sprint", id);
}

/** @throws UnknownName with all parts */
export function partOf(world: WorkWorld, id: string): Part {
  return requireRow(world.tables.parts, "part", id);
}

/** @throws UnknownName with all customers */
export function customerOf(world: WorkWorld, id: string): Customer {
  return requireRow(world.tables.customers, "customer", id);
}

/** @throws UnknownName with all users */
export function userOf(world: WorkWorld, id: string): User {
  return requireRow(world.tables.users, "user", id);
}

/** The id for a new row of a table: one above the highest with the same prefix. */
export function nextId(rows: Record<string, unknown>, prefix: string): string {
  const taken = Object.keys(rows).filter((id) => id.startsWith(`${prefix}-`));
  const numbers = taken.map((id) => Number(id.slice(prefix.length + 1)));
  return `${prefix}-${Math.max(0, ...numbers) + 1}`;
}

export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/**
 * A text without surrounding blanks.
 *
 * @throws InvalidSetting for an empty text
 */
export function requireText(what: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed !== "") return trimmed;
  throw new InvalidSetting({ setting: what, problem: "is empty", hint: "Say what it is" });
}

/**
 * A whole number from 1 on.
 *
 * @param what the argument's name
 * @throws InvalidSetting for any other number
 */
export function requireCount(what: string, count: number): number {
  if (Number.isInteger(count) && count >= 1) return count;
  throw new InvalidSetting({
    setting: what,
    problem: `${count} is not possible`,
    hint: "Give a whole number, 1 or more",
  });
}

/**
 * A number of hours above 0 and at most `most`.
 *
 * @throws InvalidSetting for any other number
 */
export function requireHours(hours: number, most: number): number {
  if (hours > 0 && hours <= most) return hours;
  throw new InvalidSetting({
    setting: "hours",
    problem: `${hours} is not possible`,
    hint: `Give a number above 0 and of at most ${most}`,
  });
}

function wrongType(item: WorkItem, type: WorkType, what: string): InvalidSetting {
  return new InvalidSetting({
    setting: item.id,
    problem: `is of type ${item.type} and has no ${what}`,
    hint: `Give the id of work of type ${type}`,
  });
}

/** The case of an id and blanks around it do not matter. */
function requireRow<Row>(rows: Record<string, Row>, kind: string, id: string): Row {
  const key = id.trim().toUpperCase();
  const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
  if (row !== undefined) return row;
  throw new UnknownName({ kind, wanted: id, available: Object.keys(rows) });
}

/** Names of all tables. */
export const TABLE_NAMES = [
  "customers",
  "parts",
  "users",
  "sprints",
  "work_items",
  "comments",
  "time_logs",
] as const satisfies readonly (keyof WorkTables)[];

/** Whether a value is among the wanted ones; without a filter, every value is. */
export function isAmong<Value>(
  value: Value | undefined,
  wanted: readonly Value[] | undefined,
): boolean {
  return wanted === undefined || (value !== undefined && wanted.includes(value));
}

/**
 * The ids of a filter, as the rows spell them. An unknown id is an error: a filter with it would match nothing, which looks
 * the same as an empty result.
 *
 * @param find returns the row of an id, or throws
 */
export function known(
  ids: readonly string[] | undefined,
  find: (id: string) => { id: string },
): string[] | undefined {
  return ids?.map((id) => find(id).id);
}

/** The users of a team; all users if no team is given. @throws UnknownName with all teams */
export function usersOf({ tables }: WorkWorld, team?: string): User[] {
  const users = Object.values(tables.users);
  if (team === undefined) return users;
  const members = users.filter((user) => user.team === team.trim().toLowerCase());
  if (members.length > 0) return members;
  const available = [...new Set(users.map((user) => user.team))];
  throw new UnknownName({ kind: "team", wanted: team, available });
}
