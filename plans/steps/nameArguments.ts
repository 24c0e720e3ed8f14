import { isSameName, slipsBetween } from "../../common/nearNames.js";
import { otherFields } from "../../common/schemas/otherArguments.js";
import type { PlanValue } from "./plan.js";
import { fieldsOf, type Typed } from "./schemaTypes.js";

/**
 * Renames unknown arguments, or fields of one, to the only free parameter they can mean, by name and type. None
 * is dropped, because a search without its `owner` would find everybody's items; only null is, which models
 * write for omitted arguments.
 *
 * @param object the type whose fields the parameters are
 * @param fits whether a value can be of a type
 * @param others what happens to names that stay unknown
 * @returns `unknown`: names whose values stay, for the model to fix
 */
export function nameArguments(
  args: Record<string, PlanValue>,
  object: Typed,
  fits: (value: PlanValue, wanted: Typed) => boolean,
  others = otherFields(object.schema),
): { args: Record<string, PlanValue>; repairs: string[]; unknown: string[] } {
  const types = fieldsOf(object) ?? new Map<string, Typed>();
  const free = new Map([...types].filter(([name]) => !Object.hasOwn(args, name)));
  const repairs: string[] = [];
  const unknown: string[] = [];
  const entries = Object.entries(args).flatMap(([name, value]): [string, PlanValue][] => {
    if (types.has(name)) return [[name, value]];
    const fitting = [...free].filter(([, type]) => fits(value, type)).map(([one]) => one);
    const meant = others === "taken" ? sameName(name, fitting) : meantName(name, fitting);
    if (meant !== undefined) {
      free.delete(meant);
      repairs.push(`unknown argument ${name} was taken for ${meant}`);
      return [[meant, value]];
    }
    if (others !== "refused") return [[name, value]];
    if (value === null) repairs.push(`${name}: null was dropped`);
    else unknown.push(name);
    return value === null ? [] : [[name, value]];
  });
  return { args: Object.fromEntries(entries), repairs, unknown };
}

/** One wrong letter is allowed per this many. */
const LETTERS_PER_SLIP = 6;

/**
 * The name that was certainly meant: it differs only in case and separators, or by a typo. Names that differ in
 * a number (`TASK-12`, `TASK-13`) are never confused, and of equally near names none is chosen. Stricter than
 * suggestions in errors, which somebody reads.
 */
export function meantName(wanted: string, available: readonly string[]): string | undefined {
  const same = sameName(wanted, available);
  if (same !== undefined) return same;
  const most = Math.floor(wanted.length / LETTERS_PER_SLIP);
  const near = available
    .map((name) => ({ name, slips: slipsBetween(wanted, name) }))
    .filter(({ slips }) => slips <= most);
  const least = Math.min(...near.map(({ slips }) => slips));
  return only(near.filter(({ slips }) => slips === least).map(({ name }) => name));
}

/** The only name that differs just in case and separators: `worksList` for `works_list`. */
export function sameName(wanted: string, available: readonly string[]): string | undefined {
  return only(available.filter((name) => isSameName(name, wanted)));
}

export function only(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}
