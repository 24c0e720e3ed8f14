import { isSameName, slipsBetween } from "../common/nearNames.js";

/** One letter in this many may be another one. */
const LETTERS_PER_SLIP = 6;

/**
 * The one name that was certainly meant: the same but for case and separators, or but for a slip of
 * spelling. Names that differ in a number (`TASK-12`, `TASK-13`) are never taken for each other, nor is one
 * of several that are equally near. It is stricter than a suggestion in an error, which somebody reads.
 */
export function meantName(wanted: string, available: readonly string[]): string | undefined {
  return sameName(wanted, available) ?? only(slipsOf(wanted, available));
}

/** The one name that is the same but for case and separators: `worksList` for `works_list`. */
export function sameName(wanted: string, available: readonly string[]): string | undefined {
  return only(sameNames(wanted, available));
}

/** All names that are the same but for case and separators. */
export function sameNames(wanted: string, available: readonly string[]): string[] {
  return available.filter((name) => isSameName(name, wanted));
}

/** All names that are nearest, where a slip of spelling explains it. */
export function slipsOf(wanted: string, available: readonly string[]): string[] {
  const most = Math.floor(wanted.length / LETTERS_PER_SLIP);
  const near = available
    .map((name) => ({ name, slips: slipsBetween(wanted, name) }))
    .filter(({ slips }) => slips <= most);
  const least = Math.min(...near.map(({ slips }) => slips));
  return near.filter(({ slips }) => slips === least).map(({ name }) => name);
}

/** The one of some names where it is the only one. */
export function only(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}
