import type { PlanValue } from "./plan.js";
import { isPlainObject, isReference, isText } from "./references.js";

/**
 * Data in which objects may be written as lists of their fields, `{ "object_fields": [{ "field_name",
 * "field_value" }] }`, converted to plain objects: enforced reply formats do not support objects with open
 * fields.
 */
export function plainObjects(value: PlanValue): PlanValue {
  if (Array.isArray(value)) return value.map(plainObjects);
  if (!isPlainObject(value) || isReference(value) || isText(value)) return value;
  const entries = fieldsIn(value) ?? Object.entries(value);
  return Object.fromEntries(entries.map(([name, inner]) => [name, plainObjects(inner)]));
}

function fieldsIn(value: Record<string, PlanValue>): [string, PlanValue][] | undefined {
  const { object_fields: fields, ...others } = value;
  if (!Array.isArray(fields) || Object.keys(others).length > 0) return undefined;
  const entries = fields.flatMap((field): [string, PlanValue][] => {
    if (!isPlainObject(field)) return [];
    const { field_name: name, field_value: inner } = field as Record<string, PlanValue>;
    return typeof name === "string" && inner !== undefined ? [[name, inner]] : [];
  });
  return entries.length === fields.length ? entries : undefined;
}
