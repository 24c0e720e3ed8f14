/** Words that carry no meaning of their own when two texts are compared. */
const STOP_WORDS = new Set(
  (
    "a an the of to for with in on at by from and or is are was were be been being it its this that these those " +
    "as into than then so such do does did can could will would shall should may might must i me my we our you your " +
    "he she they them his her their there here what which who whom whose when where how please if not no any all " +
    "given using use used its each per one value values get"
  ).split(" "),
);

const IRREGULAR: Record<string, string> = {
  radii: "radius",
  vertices: "vertex",
  indices: "index",
  feet: "foot",
  children: "child",
  people: "person",
  men: "man",
  women: "woman",
  sent: "send",
  bought: "buy",
  found: "find",
};

/** Endings that are taken off, so that "translate", "translation" and "translating" meet. */
const SUFFIXES = [
  { ending: "ation", least: 7 },
  { ending: "ing", least: 6 },
  { ending: "ion", least: 6 },
  { ending: "ate", least: 6 },
  { ending: "ed", least: 5 },
  { ending: "er", least: 6 },
  { ending: "e", least: 4 },
] as const;

/** Groups of English words that mean the same operation or thing; the first word stands for all. */
const SYNONYMS: readonly string[][] = [
  ["add", "sum", "plus", "total", "addition", "addend"],
  ["subtract", "difference", "minus", "subtraction"],
  ["multiply", "product", "times", "multiplication", "multiplicand"],
  ["divide", "quotient", "ratio", "division"],
  ["power", "exponent", "raise", "exponentiation", "raised"],
  ["remainder", "modulus", "modulo", "mod"],
  ["average", "mean"],
  ["maximum", "largest", "greatest", "highest", "biggest", "max"],
  ["minimum", "smallest", "lowest", "least", "min"],
  ["perimeter", "circumference"],
  ["delete", "remove", "cancel", "erase"],
  ["create", "make", "schedule", "new", "plan"],
  ["email", "mail", "e-mail"],
  ["event", "meeting", "appointment"],
  ["list", "show", "display"],
  ["search", "look", "lookup", "find"],
  ["weather", "forecast"],
  ["side", "edge", "leg"],
  ["rectangle", "rectangular"],
  ["circle", "circular"],
  ["sphere", "spherical", "ball"],
  ["cylinder", "cylindrical"],
  ["triangle", "triangular"],
  ["cone", "conical"],
];

const CONCEPTS = new Map(
  SYNONYMS.flatMap((group) => group.map((word) => [stem(word), stem(group[0] ?? word)] as const)),
);

/** Adjectives that say a measure, and its noun: "25 meters long" tells a length. */
const MEASURES: Record<string, string> = {
  long: "length",
  wide: "width",
  broad: "width",
  high: "height",
  tall: "height",
  deep: "depth",
};

/** The noun of a measure's adjective; any other word as it is. */
export function nameOfMeasure(word: string): string {
  return MEASURES[word] ?? word;
}

/** Lower-case words of a text or identifier: "areaOfCircle", "area_circle1" and "Area, circle" alike. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Za-z])(\d)/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/['’]s\b/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 0);
}

/** A word without its inflection; crude, but the same for every text that is compared. */
export function stem(word: string): string {
  const known = IRREGULAR[word];
  if (known) return known;
  if (word.length <= 3) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return stem(word.slice(0, -1));
  const bare = SUFFIXES.find(({ ending, least }) => word.length > least && word.endsWith(ending));
  return bare ? word.slice(0, -bare.ending.length) : word;
}

/** The stem that stands for a word and its synonyms. */
export function conceptOf(word: string): string {
  const stemmed = stem(nameOfMeasure(word));
  return CONCEPTS.get(stemmed) ?? stemmed;
}

/** Concepts of the meaningful words of a text, in order of appearance, without repetitions. */
export function conceptsOf(text: string): string[] {
  const meaningful = wordsOf(text).filter((word) => !isStopWord(word) && !/^\d/.test(word));
  return [...new Set(meaningful.map((word) => conceptOf(word)))];
}

/** Whether a word carries no meaning of its own ("the", "of", "please"). */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
