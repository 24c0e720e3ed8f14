import { distance } from "fastest-levenshtein";

/** Longer names are not compared letter by letter. */
const LONGEST = 100;

/** Most letters in which near names may differ. */
const MOST_SLIPS = 2;

/**
 * The name that was probably meant, for an error message: it differs only in case and separators, or by a typo. A
 * far-fetched guess would mislead, because models do what they are told. Names with other numbers are never guessed
 * (`ISS-9` for `ISS-99`), nor are other words (`sum` for `lcm`, `include` for `exclude`).
 */
export function nearestName(wanted: string, available: readonly string[]): string | undefined {
  let nearest: { name: string; slips: number } | undefined;
  for (const name of available) {
    const slips = slipsBetween(wanted, name);
    if (slips <= MOST_SLIPS && slips < (nearest?.slips ?? Infinity)) nearest = { name, slips };
  }
  return nearest?.name;
}

/** Whether two names differ only in case and separators: `worksList` and `works_list`. */
export function isSameName(one: string, other: string): boolean {
  return nameKey(one) === nameKey(other);
}

/** What a name has in common with those that differ from it only in case and separators. */
export function nameKey(name: string): string {
  return `${lettersOf(name)} ${numbersIn(name)}`;
}

/** What a name has in common with those that differ from it only in how words are joined: `area_of_circle` and `areaCircle`. */
export function plainKey(name: string): string {
  return nameKey(
    wordsOf(name)
      .filter((word) => !JOINING.has(word))
      .join("_"),
  );
}

const JOINING = new Set(["a", "an", "of", "the"]);

/**
 * How many letters must be changed, removed, inserted or swapped with the next to turn one name into the other,
 * ignoring case and separators. Infinite if they are different words or contain different numbers, which no
 * typo explains.
 */
export function slipsBetween(one: string, other: string): number {
  if (one.length > LONGEST || other.length > LONGEST) return Infinity;
  if (numbersIn(one) !== numbersIn(other)) return Infinity;
  const [words, others] = [wordsOf(one), wordsOf(other)];
  if (words.length !== others.length) return slipsOfWord(lettersOf(one), lettersOf(other));
  return words.reduce((slips, word, at) => slips + slipsOfWord(word, others[at] ?? ""), 0);
}

/**
 * Whether a text says more than names and texts that are known: "The length of the rectangle", of `length` of
 * `area_rectangle`, takes a line and says nothing.
 */
export function saysMore(text: string, known: readonly string[]): boolean {
  const words = new Set([...EMPTY, ...known.flatMap(wordsOf)]);
  return wordsOf(text).some((word) => !words.has(word));
}

/** Words that say nothing by themselves. */
const EMPTY = ["a", "an", "the", "of", "to", "in", "for", "is"];

/** The words of a name in lower case: `createdBy` and `created_by` have two. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([\p{Ll}\d])(?=\p{Lu})/gu, "$1 ")
    .toLowerCase()
    .split(SEPARATORS)
    .filter((word) => word !== "");
}

/** The words of a tool's own name, without the group or source before it: `git.commit_all` → commit, all. */
export function ownWords(name: string): string[] {
  return wordsOf(name.split(/[./]|__/).at(-1) ?? name);
}

const SEPARATORS = /[\s_.:/-]+/;

function lettersOf(name: string): string {
  return name.toLowerCase().split(SEPARATORS).join("");
}

/** The numbers in a name, in order; a sign counts only at the start. */
function numbersIn(name: string): string {
  return (name.match(/(?<!\w)-\d+|\d+/g) ?? []).join(" ");
}

function slipsOfWord(one: string, other: string): number {
  if (one === other) return 0;
  const slips = Math.abs(one.length - other.length) > MOST_SLIPS ? Infinity : edits(one, other);
  return slips <= slipsAllowed(one, other) ? slips : Infinity;
}

/**
 * Wrong letters allowed: one makes another word of a short word (`max`, `min`), and two do so with most words
 * (`include`, `exclude`).
 */
function slipsAllowed(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  if (length < 3) return 0;
  if (length === 3) return one.length === other.length ? 0 : 1;
  return length < 9 ? 1 : MOST_SLIPS;
}

/** Number of inserted, removed, changed or swapped letters. */
function edits(one: string, other: string): number {
  return isSwapped(one, other) ? 1 : distance(one, other);
}

function isSwapped(one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const swapped = `${one.slice(0, at)}${one[at + 1] ?? ""}${one[at] ?? ""}${one.slice(at + 2)}`;
  return swapped === other;
}

/** What all texts begin with. */
export function sharedStart(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  let [shared, most] = [0, first.length];
  // By halves, and compared as wholes, which takes less than `startsWith`: prompts have thousands of letters.
  while (shared < most) {
    const middle = Math.ceil((shared + most) / 2);
    const start = first.slice(0, middle);
    if (others.every((other) => other.slice(0, middle) === start)) shared = middle;
    else most = middle - 1;
  }
  return first.slice(0, shared);
}

/** Tells which names a pattern means, in which * stands for anything; case does not count. */
export function patternTest(pattern: string): (name: string) => boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const form = new RegExp(`^${parts.join(".*")}$`, "i");
  return (name) => form.test(name);
}
