/** Says that a request is not read, and why. */
export class Refusal extends Error {
  constructor(readonly reason: string) {
    const self =
      "I am the built-in planner, not a language model: I read sums, one call with plain arguments, and such steps joined by “then”.";
    const instead = "For anything else, choose a language model.";
    super([self, reason, instead].join(" "));
  }
}

/** A value in a text: what a call's arguments are taken from. */
export interface Literal {
  /** `name`: capitalised words; `result`: the result of an earlier step, with its number as the value. */
  kind: "number" | "text" | "name" | "result";
  value: number | string;
  written: string;
  /** "5 %": a number of hundredths. */
  isPercent: boolean;
  /** "The first 10": it says how many. */
  isCount: boolean;
  /** It continues an enumeration: "3, 4 and 5". */
  isListed: boolean;
  /** The words around it, as {@link stem} gives them. */
  near: string[];
}

/** A clause taken to pieces. */
export interface ReadText {
  literals: Literal[];
  /** The words that mean something, as {@link stem} gives them. */
  words: string[];
  /** All words besides quoted ones, likewise. */
  said: string[];
  phrase: string;
}

/** Words that say nothing about which tool is meant: those of grammar, and verbs that only ask. */
const PLAIN_WORDS =
  `a all an and answer are as at be been by calculate can compute could describe determine did do does evaluate
  fetch find following for from get give given had has have having how i in into is it its let list look many me much
  my no number numeric of on our output over per period please read result return say see show so such take tell that
  the their there this to us using value want was we were what when where whether which who whose will with work would
  you your another`.split(/\s+/);

/** Words of conditions, exceptions and repetitions: they ask for more than one call. */
const CONDITION =
  /\b(?:any|but|cannot|each|either|every|except|if|instead|never|nor|not|or|otherwise|twice|unless|until|while|without|\w+n['’]t)\b/i;

const UNITS =
  "mm|cm|km|m|(?:milli|centi|kilo)?met(?:re|er)|inch|inches|foot|feet|yard|mile|kg|g|(?:kilo)?gram|pound|ounce|ton|litre|liter|l|second|minute|hour|day|week|month|year|s|h|degree|unit|euro|dollar|EUR|USD";

/** Numbers written as words, from 0. */
export const NUMBER_WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

const TOKEN = new RegExp(
  [
    String.raw`(?<result>\b[Tt]he results? of step \d+\b)`,
    String.raw`["“\x60](?<quoted>[^"”\x60]+)["”\x60]|(?<!\p{L})['‘](?<single>[^'’]+)['’](?!\p{L})`,
    String.raw`(?<address>https?://\S*[\p{L}\d/])`,
    String.raw`(?<number>(?:\bfirst )?(?<![\p{L}\d).])(?<value>[-−]?[$€£]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|${NUMBER_WORDS.join("|")})(?<unit>\s?%| percent\b|st|nd|rd|th|\s?(?:${UNITS})s?)?(?![\p{L}\d_/:@-]|\.\d))`,
    String.raw`(?<=\S\s+)(?<name>\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*)(?![\d_@])`,
    String.raw`(?<word>[\p{L}\d_](?:[\p{L}\d_.:/@'’-]*[\p{L}\d_])?)`,
    String.raw`(?<sign>[^\s,.;:?!()[\]#])`,
  ].join("|"),
  "gu",
);

/** A word without its inflection; crude, but the same for every text that is compared. */
export function stem(word: string): string {
  const lower = word.toLowerCase().replace(/['’]s$/, "");
  const singular = lower.replace(/(?<=\p{L}{2})ies$/u, "y").replace(/(?<=[^aiosu])s$/, "");
  const bare = singular.replace(/(?<=\p{L}{3})(?:ing|ed)$/u, "");
  return bare.length > 3 ? bare.replace(/e$/, "") : bare;
}

const IGNORED = new Set([...PLAIN_WORDS, ...NUMBER_WORDS].map(stem));

/** The words of a name or a text that mean something, as {@link stem} gives them. */
export function wordsIn(text: string): string[] {
  return stemsIn(text).filter((word) => !IGNORED.has(word));
}

/** All words of a name or a text, as {@link stem} gives them. */
export function stemsIn(text: string): string[] {
  const spaced = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  return [...spaced.matchAll(/\p{L}+(?:['’]\p{L}+)?/gu)].map(([word]) => stem(word));
}

/** Takes a clause to pieces: its values, and its words. @throws Refusal if it has conditions or unknown signs */
export function readText(text: string): ReadText {
  const tokens = [...text.matchAll(TOKEN)];
  const literals = tokens.flatMap((token) => literalOf(token) ?? []);
  const isValue = (token: RegExpExecArray) => literals.some(({ start }) => start === token.index);
  const words = tokens.filter((token) => !isValue(token)).map(([word]) => word);
  const said = tokens
    .filter(({ groups }) => groups?.["quoted"] === undefined)
    .map(([word]) => word);
  const odd = tokens.find(({ groups }) => groups?.["sign"]);
  if (odd) throw new Refusal(`I do not know what “${odd[0]}” means in “${text}”.`);
  const [condition] = CONDITION.exec(words.join(" ")) ?? [];
  if (condition) throw new Refusal(`I do not understand conditions and the like (“${condition}”).`);
  const telling = words.filter((word) => wordsIn(word).length > 0);
  return {
    literals: literals.map((literal, at) => ({ ...literal, ...placed(text, literals, at) })),
    words: [...new Set(telling.flatMap(wordsIn))],
    said: stemsIn(said.join(" ")),
    phrase: telling.join(" "),
  };
}

interface Found extends Omit<Literal, "isListed" | "near"> {
  start: number;
  end: number;
}

function literalOf({ 0: written, index, groups = {} }: RegExpExecArray): Found | undefined {
  const { result, quoted, single, address, value, unit = "", name, word = "" } = groups;
  const end = index + written.length;
  const found = {
    written,
    start: index,
    end,
    isPercent: /(?:%| percent)$/.test(unit),
    isCount: false,
  };
  if (result) return { ...found, kind: "result", value: Number(/\d+/.exec(result)?.[0]) };
  if (value !== undefined) {
    const spelt = NUMBER_WORDS.indexOf(value);
    const number = spelt < 0 ? Number(value.replaceAll(/[$€£,]/g, "").replace("−", "-")) : spelt;
    return { ...found, kind: "number", value: number, isCount: written.startsWith("first") };
  }
  if (name && wordsIn(name).length > 0) return { ...found, kind: "name", value: name };
  const given = quoted ?? single ?? address ?? (/[\d_@/]|\.\p{L}/u.test(word) ? word : undefined);
  return given === undefined ? undefined : { ...found, kind: "text", value: given };
}

/** Most words before a value that can name its parameter. */
const NEAR = 4;

function placed(text: string, literals: Found[], at: number): Pick<Literal, "isListed" | "near"> {
  const { start, end, written } = literals[at] ?? { start: 0, end: 0, written: "" };
  // A name may be a word about a value: "31 degrees Celsius".
  const values = literals.filter(({ kind }) => kind !== "name");
  const before = text.slice(values.findLast((one) => one.end <= start)?.end ?? 0, start);
  const after = stemsIn(text.slice(end, values.find((one) => one.start >= end)?.start));
  const stop = after.findIndex((word) => IGNORED.has(word));
  const between = text.slice(literals[at - 1]?.end ?? text.length, start);
  return {
    isListed: /^[\s()]*(?:,|,? and|by)[\s()]*$/i.test(between),
    near: [
      ...stemsIn(before).slice(-NEAR),
      ...stemsIn(written),
      ...after.slice(0, stop < 0 ? undefined : stop),
    ],
  };
}
