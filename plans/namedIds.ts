import { objectsIn } from "./leaves.js";
import { isPlainObject } from "./references.js";
import { nameOf } from "./valueText.js";

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
