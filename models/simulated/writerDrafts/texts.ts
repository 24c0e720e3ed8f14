import { fenced, type WriterScript } from "./script.js";

const SLUG = String.raw`/**
 * Turns a title into a slug for a web address.
 * @param title The title.
 * @returns the slug: letters a to z and digits in lower case, all else as single hyphens
 * @example slug_of_title("Hello, World!") => "hello-world"
 * @example slug_of_title("Café au lait") => "cafe-au-lait"
 * @example slug_of_title("?!") => throws
 */
export function slug_of_title(title: string): string {
  const plain = title.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  if (slug === "") throw new Error("nothing is left of the title " + JSON.stringify(title));
  return slug;
}`;

const FREQUENT_WORDS = String.raw`/**
 * Most frequent words of a text.
 * @param text The text; words are runs of the letters a to z in either case.
 * @param most The most words to list; a whole number from 0 up.
 * @returns the words with their counts, the most frequent first, ties in alphabetical order
 * @example most_frequent_words("a b a", 1) => [{ word: "a", count: 2 }]
 * @example most_frequent_words("", 3) => []
 */
export function most_frequent_words(text: string, most: number): { word: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, most);
}`;

const RUN_LENGTHS = String.raw`/**
 * Compresses a text by run lengths.
 * @param text Any text; an emoji counts as one character.
 * @returns each run of one character as its length and the character
 * @example run_lengths("aaabcc") => "3a1b2c"
 * @example run_lengths("") => ""
 */
export function run_lengths(text: string): string {
  const runs: { character: string; length: number }[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    if (last?.character === character) last.length += 1;
    else runs.push({ character, length: 1 });
  }
  return runs.map(({ character, length }) => length + character).join("");
}`;

const LETTER_SHIFT = String.raw`/**
 * Shifts the letters of a text in the alphabet.
 * @param text The text; what is no letter from a to z stays.
 * @param shift By how many letters; a whole number.
 * @returns the shifted text
 * @example shift_letters("abc", 3) => "def"
 * @example shift_letters("Xyz!", 29) => "Abc!"
 * @example shift_letters("abc", 0.5) => throws
 */
export function shift_letters(text: string, shift: number): string {
  if (!Number.isInteger(shift)) throw new Error("the shift has to be a whole number");
  return text.replace(/[a-z]/gi, (letter) => {
    const first = letter >= "a" ? 97 : 65;
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + shift) % 26));
  });
}`;

const DURATION = String.raw`/**
 * Reads a duration such as 1d 2h 30m 15s.
 * @param text The duration: whole numbers with the units d, h, m, s in this order, each at most once.
 * @returns the duration in seconds
 * @example seconds_of_duration("2h 30m") => 9000
 * @example seconds_of_duration("1d1s") => 86401
 * @example seconds_of_duration("soon") => throws
 */
export function seconds_of_duration(text: string): number {
  const parts = /^\s*(?:(\d+)d\s*)?(?:(\d+)h\s*)?(?:(\d+)m\s*)?(?:(\d+)s\s*)?$/.exec(text);
  if (parts === null || text.trim() === "") throw new Error("no duration: " + JSON.stringify(text));
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}`;

const CARD_NUMBER = String.raw`/**
 * Checks a card number with the Luhn algorithm.
 * @param number The number as a text; blanks and hyphens do not count.
 * @returns whether its last digit fits the others
 * @example is_card_number("79927398713") => true
 * @example is_card_number("7992-7398-710") => false
 */
export function is_card_number(number: string): boolean {
  const digits = number.replace(/[ -]/g, "");
  if (!/^\d{2,}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const worth = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (worth > 9 ? worth - 9 : worth);
  }, 0);
  return sum % 10 === 0;
}`;

/** What the writer replies to requests for tools that work on texts. */
export const TEXTS: readonly WriterScript[] = [
  {
    about: "slug for a web address",
    wish: { kind: "create", task: "Turns a title into a slug for a web address." },
    // Without fences, and with words around the code.
    drafts: [
      { reply: `Sure! This should do:\n\n${SLUG}\n\nTell me if you want other separators.` },
    ],
  },
  {
    about: "most frequent words",
    wish: { kind: "create", task: "Lists the most frequent words of a text with their counts." },
    drafts: [
      { reply: fenced(without(FREQUENT_WORDS, / \* @param most .*\n/)), fault: "docs" },
      { reply: fenced(FREQUENT_WORDS) },
    ],
  },
  {
    about: "by run lengths",
    wish: { kind: "create", task: "Compresses a text by run lengths." },
    drafts: [
      { reply: fenced(RUN_LENGTHS.replace('"3a1b2c"', '"3ab2c"')), fault: "failed example" },
      { reply: fenced(RUN_LENGTHS) },
    ],
  },
  {
    about: "Caesar cipher",
    wish: { kind: "create", task: "Shifts the letters of a text in the alphabet." },
    drafts: [{ reply: fenced(LETTER_SHIFT) }],
    flaw: "it takes the remainder of a negative number, so that a shift to the left leaves the alphabet",
  },
  {
    about: "duration such as 1d 2h",
    wish: { kind: "create", task: "Reads a duration such as 1d 2h 30m 15s in seconds." },
    drafts: [
      {
        reply:
          "I would match each unit with a regular expression, multiply the numbers by the length of their unit in seconds, and add them up. Shall I go on?",
        fault: "no code",
      },
      { reply: fenced(DURATION) },
    ],
  },
  {
    about: "Luhn algorithm",
    wish: { kind: "create", task: "Checks a card number with the Luhn algorithm." },
    drafts: [
      // Cut short: neither the function nor the block comes to its end.
      { reply: `\`\`\`typescript\n${CARD_NUMBER.slice(0, -60)}`, fault: "syntax" },
      { reply: fenced(CARD_NUMBER) },
    ],
  },
];

function without(code: string, line: RegExp): string {
  return code.replace(line, "");
}
