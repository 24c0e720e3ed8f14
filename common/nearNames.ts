import { distance } from "fastest-levenshtein";

/** Names that are longer than this are compared letter by letter with nothing. */
const LONGEST = 100;

/** At most this many letters of a name may be other ones for it to be near. */
const MOST_SLIPS = 2;

/**
 * The name that was probably meant, for an error: the same but for case and separators, or but for a slip
 * of spelling. A guess that shares little with what was wanted would only mislead, and models do what they
 * are told: ids and other names with numbers are never guessed at (`ISS-99` is not `ISS-9`), nor is a name
 * taken for another word (`sum` for `lcm`, `include` for `exclude`).
 */
export function nearestName(wanted: string, available: readonly string[]): string | undefined {
  let nearest: { name: string; slips: number } | undefined;
  for (const name of available) {
    const slips = slipsBetween(wanted, name);
    if (slips <= MOST_SLIPS && slips < (nearest?.slips ?? Infinity)) nearest = { name, slips };
  }
  return nearest?.name;
}

/** Whether two names differ in case and separators alone: `worksList` and `works_list`. */
export function isSameName(one: string, other: string): boolean {
  return lettersOf(one) === lettersOf(other) && numbersIn(one) === numbersIn(other);
}

/**
 * How many letters of a name have to be changed, left out, put in or swapped with the next to make another
 * of it, case and separators apart. Infinite where the two are different words or have different numbers
 * in them, which no slip explains.
 */
export function slipsBetween(one: string, other: string): number {
  if (one.length > LONGEST || other.length > LONGEST) return Infinity;
  if (numbersIn(one) !== numbersIn(other)) return Infinity;
  const [words, others] = [wordsOf(one), wordsOf(other)];
  if (words.length !== others.length) return slipsOfWord(lettersOf(one), lettersOf(other));
  return words.reduce((slips, word, at) => slips + slipsOfWord(word, others[at] ?? ""), 0);
}

/** The words of a name in lower case: `createdBy` and `created_by` have two. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([\p{Ll}\d])(?=\p{Lu})/gu, "$1 ")
    .toLowerCase()
    .split(SEPARATORS)
    .filter((word) => word !== "");
}

const SEPARATORS = /[\s_.:/-]+/;

function lettersOf(name: string): string {
  return name.toLowerCase().split(SEPARATORS).join("");
}

/** The numbers of a name in their order; a sign is part of one that nothing stands before. */
function numbersIn(name: string): string {
  return (name.match(/(?<!\w)-\d+|\d+/g) ?? []).join(" ");
}

function slipsOfWord(one: string, other: string): number {
  if (one === other) return 0;
  const slips = Math.abs(one.length - other.length) > MOST_SLIPS ? Infinity : edits(one, other);
  return slips <= slipsAllowed(one, other) ? slips : Infinity;
}

/** Another letter makes another word of a short one (`max`, `min`), and two make one of most (`include`, `exclude`). */
function slipsAllowed(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  if (length < 3) return 0;
  if (length === 3) return one.length === other.length ? 0 : 1;
  return length < 9 ? 1 : MOST_SLIPS;
}

/** Letters put in, left out or changed; two neighbours that have changed places are one slip. */
function edits(one: string, other: string): number {
  return isSwapped(one, other) ? 1 : distance(one, other);
}

function isSwapped(one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const swapped = `${one.slice(0, at)}${one[at + 1] ?? ""}${one[at] ?? ""}${one.slice(at + 2)}`;
  return swapped === other;
}
