import { distance } from "fastest-levenshtein";

/** One letter in this many may be another one. */
const LETTERS_PER_SLIP = 6;

/**
 * The one name that was certainly meant: the same but for case and separators, or but for a slip of
 * spelling. Names that differ in a number (`TASK-12`, `TASK-13`) are never taken for each other, nor is one
 * of several that are equally near. It is stricter than a suggestion in an error, which somebody reads.
 */
export function meantName(wanted: string, available: readonly string[]): string | undefined {
  return sameName(wanted, available) ?? nearestName(wanted, available);
}

/** The one name that is the same but for case and separators: `worksList` for `works_list`. */
export function sameName(wanted: string, available: readonly string[]): string | undefined {
  return only(available.filter((name) => lettersOf(name) === lettersOf(wanted)));
}

function nearestName(wanted: string, available: readonly string[]): string | undefined {
  const most = Math.floor(wanted.length / LETTERS_PER_SLIP);
  const near = available
    .filter((name) => digitsOf(name) === digitsOf(wanted))
    .map((name) => ({ name, letters: distance(lettersOf(wanted), lettersOf(name)) }))
    .filter(({ letters }) => letters <= most);
  const least = Math.min(...near.map(({ letters }) => letters));
  return only(near.filter(({ letters }) => letters === least).map(({ name }) => name));
}

function only(names: string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.:/-]+/g, "");
}

function digitsOf(name: string): string {
  return name.replaceAll(/\D+/g, " ").trim();
}
