import { wordsOf } from "../../common/nearNames.js";
import { clipped } from "../../common/text.js";
import { isPlainObject } from "../steps/references.js";

/** Longer lists and objects are cut in answers; the calls keep them. */
const LONGEST_DATA = 2000;

const DEEPEST = 3;

/** Whether a request names both words and so wants one of them: "Respond with true or false". */
export function wantsTruth(request: string): boolean {
  return /\btrue\b/i.test(request) && /\bfalse\b/i.test(request);
}

/**
 * A value for a person: numbers without noise, yes and no, lists as lists, objects with their fields in words.
 *
 * @param asTruth says true and false instead of yes and no ({@link wantsTruth})
 */
export function valueText(value: unknown, asTruth = false): string {
  const text = told(value, asTruth, 0);
  return typeof value === "string" ? text : clipped(text, LONGEST_DATA);
}

/** Names of arguments whose numbers are ids: `id`, `work_ids`, `ownerId`. */
const ID_ARGUMENT = /(^|_)ids?$|Ids?$/;

/**
 * Names for the ids in arguments, by id, from objects in the data with this id and a name. A number counts as
 * an id only if the argument's name says so.
 *
 * @param data source of ids and names, such as results of calls
 * @example namedIds({ id: 4 }, [[{ id: 4, title: "Book the train" }]]) // { "4": "Book the train" }
 */
export function namedIds(args: Record<string, unknown>, data: unknown): Record<string, string> {
  const ids = new Set(idsIn(args, false));
  const names: Record<string, string> = {};
  for (const object of ids.size > 0 ? objectsIn(data) : []) {
    const { id } = object;
    const name = nameOf(object);
    if (ids.has(id) && name !== undefined && name !== id) names[String(id)] = name;
  }
  return names;
}

function idsIn(value: unknown, isNumberAnId: boolean): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => idsIn(item, isNumberAnId));
  if (isPlainObject(value))
    return Object.entries(value).flatMap(([name, inner]) => idsIn(inner, ID_ARGUMENT.test(name)));
  return typeof value === "string" || (typeof value === "number" && isNumberAnId) ? [value] : [];
}

function told(value: unknown, asTruth: boolean, depth: number): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return numberText(value);
  if (typeof value === "boolean") return asTruth ? String(value) : value ? "yes" : "no";
  if (Array.isArray(value)) return listText(value, asTruth, depth);
  if (isPlainObject(value)) return objectText(value, asTruth, depth);
  return "nothing";
}

/** Significant digits of a number without the noise of binary fractions. */
const WITHOUT_NOISE = 12;

/** Drops floating-point noise, and nothing else: 0.1 + 0.2 is 0.3, and a third keeps all its digits. */
function numberText(value: number): string {
  const short = Number(value.toPrecision(15));
  return String(Number(short.toPrecision(WITHOUT_NOISE)) === short ? short : value);
}

function listText(list: readonly unknown[], asTruth: boolean, depth: number): string {
  if (list.length === 0) return "none";
  if (depth >= DEEPEST) return `${list.length} items`;
  const items = list.map((item) => told(item, asTruth, depth + 1));
  // Items with commas need another separator.
  if (items.some((item) => item.includes(", "))) return items.join("; ");
  const last = items.pop() ?? "";
  return items.length === 0 ? last : `${items.join(", ")} and ${last}`;
}

function objectText(object: Record<string, unknown>, asTruth: boolean, depth: number): string {
  const { id } = object;
  const name = nameOf(object);
  const isNamed = name !== undefined && typeof id === "string";
  const lead = isNamed ? [id === name ? id : `${name} (${id})`] : [];
  const rest = Object.entries(object).filter(
    ([field, value]) => (value ?? "") !== "" && !(isNamed && (field === "id" || value === name)),
  );
  if (rest.length === 0) return lead[0] ?? "nothing";
  if (depth >= DEEPEST) return lead[0] ?? `${rest.length} fields`;
  const fields = rest.map(
    ([field, value]) =>
      `${wordsOf(field).join(" ")} ${inBrackets(value, told(value, asTruth, depth + 1))}`,
  );
  return isNamed ? `${lead[0]}: ${fields.join(", ")}` : fields.join(", ");
}

function inBrackets(value: unknown, text: string): string {
  const isCompound = Array.isArray(value) || isPlainObject(value);
  return isCompound && /[,;]| and /.test(text) ? `(${text})` : text;
}

const NAMING = ["title", "name", "display_name", "displayName", "full_name", "fullName"];

function nameOf(object: Record<string, unknown>): string | undefined {
  return NAMING.map((field) => object[field]).find(
    (name): name is string => typeof name === "string" && name.trim() !== "",
  );
}

/** All values in data that are not lists or objects. */
export function leavesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isPlainObject(value) ? Object.values(value).flatMap(leavesOf) : [value];
}

function* objectsIn(data: unknown): Generator<Record<string, unknown>> {
  const open: unknown[] = [data];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) open.push(...(next as unknown[]));
    if (!isPlainObject(next)) continue;
    yield next;
    open.push(...Object.values(next));
  }
}
