import { clipped } from "../common/bounds.js";
import { objectsIn } from "./leaves.js";
import { isPlainObject } from "./references.js";

/** A longer list or object is cut in an answer; the calls keep it whole. */
const LONGEST_DATA = 2000;

/** More of a number that is not whole says nothing to a reader; the calls keep it in full. */
const SIGNIFICANT = 6;

/** Data within data is told only so deep. */
const DEEPEST = 3;

/** How values are to be told at a place of a text. */
export interface Telling {
  /** An amount of money has two digits behind the point. */
  isMoney?: boolean;
  /** Names of what the ids stand for. */
  names?: ReadonlyMap<string, string>;
}

/**
 * A value as a person reads it: numbers at a sensible precision, yes and no, lists as lists, objects with
 * their fields in words.
 */
export function valueText(value: unknown, telling: Telling = {}): string {
  const text = told(value, telling, 0);
  return typeof value === "string" ? text : clipped(text, LONGEST_DATA);
}

/** Names by the ids that stand beside them in an object of some data. */
export function namesOfIds(data: unknown): Map<string, string> {
  const names = new Map<string, string>();
  for (const object of objectsIn(data)) {
    const { id } = object;
    const name = nameOf(object);
    if (typeof id === "string" && id !== name && name) names.set(id, name);
  }
  return names;
}

function told(value: unknown, telling: Telling, depth: number): string {
  if (typeof value === "string") return withName(value, telling);
  if (typeof value === "number") return numberText(value, telling);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return listText(value, telling, depth);
  if (isPlainObject(value)) return objectText(value, telling, depth);
  return "nothing";
}

function withName(text: string, { names }: Telling): string {
  const name = names?.get(text);
  return name === undefined ? text : `${name} (${text})`;
}

/** Digits that only come of calculating with fractions are left out: 0.1 + 0.2 is 0.3. */
function numberText(value: number, { isMoney = false }: Telling): string {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  if (isMoney && Math.abs(value) >= 0.01) return value.toFixed(2);
  const whole = Math.trunc(Math.abs(value));
  const digits = whole === 0 ? SIGNIFICANT : Math.max(SIGNIFICANT, String(whole).length + 2);
  return String(Number(value.toPrecision(Math.min(digits, 17))));
}

function listText(list: readonly unknown[], telling: Telling, depth: number): string {
  if (list.length === 0) return "none";
  if (depth >= DEEPEST) return `${list.length} items`;
  const items = list.map((item) => told(item, telling, depth + 1));
  // What has commas of its own is set apart by more than a comma.
  if (items.some((item) => item.includes(", "))) return items.join("; ");
  const last = items.pop() ?? "";
  return items.length === 0 ? last : `${items.join(", ")} and ${last}`;
}

/** What it is called, then what else is known of it. */
function objectText(object: Record<string, unknown>, telling: Telling, depth: number): string {
  const { id } = object;
  const name = nameOf(object);
  const isNamed = name !== undefined && typeof id === "string";
  const lead = isNamed ? [id === name ? id : `${name} (${id})`] : [];
  const rest = Object.entries(object).filter(
    ([field, value]) => !isEmpty(value) && !(isNamed && (field === "id" || value === name)),
  );
  if (rest.length === 0) return lead[0] ?? "nothing";
  if (depth >= DEEPEST) return lead[0] ?? `${rest.length} fields`;
  const fields = rest.map(
    ([field, value]) => `${wordsOf(field)} ${inBrackets(value, told(value, telling, depth + 1))}`,
  );
  return isNamed ? `${lead[0]}: ${fields.join(", ")}` : fields.join(", ");
}

function inBrackets(value: unknown, text: string): string {
  const isCompound = Array.isArray(value) || isPlainObject(value);
  return isCompound && /[,;]| and /.test(text) ? `(${text})` : text;
}

const NAMING = ["title", "name", "display_name", "displayName", "full_name", "fullName"];

/** What an object is called, by the fields that names stand in. */
export function nameOf(object: Record<string, unknown>): string | undefined {
  return NAMING.map((field) => object[field]).find(
    (name): name is string => typeof name === "string" && name.trim() !== "",
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

/** `logged_hours` → "logged hours". */
function wordsOf(field: string): string {
  return field
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, (_, before: string, after: string) => `${before} ${after}`)
    .replaceAll(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
}
