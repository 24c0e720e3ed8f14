import { isSameName, slipsBetween } from "../../common/nearNames.js";

/** One wrong letter is allowed per this many. */
const LETTERS_PER_SLIP = 6;

/**
 * The name that was certainly meant: it differs only in case and separators, or by a typo. Names that differ in
 * a number (`TASK-12`, `TASK-13`) are never confused, and of equally near names none is chosen. Stricter than
 * suggestions in errors, which somebody reads.
 */
export function meantName(wanted: string, available: readonly string[]): string | undefined {
  return sameName(wanted, available) ?? only(slipsOf(wanted, available));
}

/** The only name that differs just in case and separators: `worksList` for `works_list`. */
export function sameName(wanted: string, available: readonly string[]): string | undefined {
  return only(sameNames(wanted, available));
}

/** All names that differ only in case and separators. */
export function sameNames(wanted: string, available: readonly string[]): string[] {
  return available.filter((name) => isSameName(name, wanted));
}

/** The nearest names, if a typo explains the difference. */
export function slipsOf(wanted: string, available: readonly string[]): string[] {
  const most = Math.floor(wanted.length / LETTERS_PER_SLIP);
  const near = available
    .map((name) => ({ name, slips: slipsBetween(wanted, name) }))
    .filter(({ slips }) => slips <= most);
  const least = Math.min(...near.map(({ slips }) => slips));
  return near.filter(({ slips }) => slips === least).map(({ name }) => name);
}

/** The name, if there is exactly one. */
export function only(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}
