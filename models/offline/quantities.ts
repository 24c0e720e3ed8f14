import { WORDS, wordsOf } from "./text.js";

/** A value in a text, with the words around it that say what it is for. */
export interface Mention {
  kind: "number" | "reference" | "text" | "name";
  /**
   * The number or text; for a reference, the number of its step, from 1. A "name" is a capitalised word that may or may
   * not be a value.
   */
  value: number | string;
  /** The value as written. */
  written: string;
  /** What a number counts, if the text says so. */
  unit?: "percent" | "money";
  /** Role words before the value, nearest first. */
  before: string[];
  /** Role words after the value, nearest first. */
  after: string[];
  /** Mentions in one enumeration ("sides 2, 3 and 4") share a group. */
  group: number;
  start: number;
  end: number;
}

const NUMBER_WORDS: Record<string, number> = { ...WORDS.numbers, ...WORDS.timesPerYear };

/** Words that separate roles: what is before them belongs to the value before. */
const BOUNDARY =
  /[,;]|\b(?:and|or|with|having|whose|where|over|at|on|by|to|from|in|into|for|between|during|within|via|is)\b/i;

/** A verb of calculation at the start of a step, which says nothing about its operand. */
const OPERATION = /^\s*(?:add|subtract|multiply|divide|raise)\s/i;

const MONTH =
  "january|february|march|april|may|june|july|august|september|october|november|december";
const WEEKDAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday";

/** Values with a form of their own: addresses, dates, times, codes. */
const LITERAL = new RegExp(
  String.raw`(?<literal>[^\s,;<>"']+@[^\s,;<>"']+\.\w+|https?://[^\s,;<>"']+|\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?\b|\b\d{1,2}:\d{2}(?:\s?[ap]\.?m\b)?|\b\d{1,2}\s?[ap]m\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b|\b(?:${MONTH}) \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?\b|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${MONTH})(?:,? \d{4})?\b|\b(?:today|tomorrow|tonight|yesterday|noon|midnight|(?:next|this) (?:week|month|year|weekend)|(?:next |this )?(?:${WEEKDAY}))\b|\b[A-Z]{1,5}[-_]?\d[A-Z0-9]*(?:[-_][A-Z0-9]+)*\b)`,
  "u",
);

const TOKEN = new RegExp(
  [
    /(?<reference>\b(?:the )?results? of step (?<step>\d+)\b)/u,
    /(?<quoted>"[^"]+"|“[^”]+”|`[^`]+`|(?<![\p{L}\p{N}])'[^']+'(?![\p{L}\p{N}]))/u,
    LITERAL,
    /(?<number>[$€£]?(?<![\p{L}\p{N}.])[-−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)*(?:e[+-]?\d+)?|\.\d+)(?:st|nd|rd|th)?\s?[%$€£]?)/u,
    new RegExp(
      `(?<word>(?<!\\b(?:this|that|these|those|the|each|which|no|any)\\s)\\b(?:${Object.keys(NUMBER_WORDS).join("|")})\\b(?!\\s+of\\b))`,
    ),
  ]
    .map((part) => part.source)
    .join("|"),
  "giu",
);

/** Finds the values in a text and the words that say what each is for. */
export function readMentions(text: string): Mention[] {
  const found: Mention[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const value = readValue(match);
    if (!value) continue;
    const start = match.index;
    const end = start + match[0].trimEnd().length;
    found.push({
      ...value,
      written: text.slice(start, end),
      before: [],
      after: [],
      group: 0,
      start,
      end,
    });
  }
  return withNames(text, giveRoles(text, inOperandOrder(text, found)));
}

/** Reads a number as people write it: "1,000", "$5000", "5%", "10th", "500.000" (three zeros are a group). */
export function readNumber(written: string): number {
  const bare = written
    .trim()
    .replaceAll(/[$€£%,\s]|(?:st|nd|rd|th)$/gi, "")
    .replace("−", "-");
  if (/^-?\d{1,3}(?:\.000)+$/.test(bare)) return Number(bare.replaceAll(".", ""));
  return Number(bare);
}

type ReadValue = Pick<Mention, "kind" | "value" | "unit">;

function readValue(match: RegExpExecArray): ReadValue | undefined {
  const { reference, step, quoted, literal, number, word } = match.groups ?? {};
  if (reference) return { kind: "reference", value: Number(step) };
  if (quoted) return { kind: "text", value: quoted.slice(1, -1) };
  if (literal) return { kind: isCode(literal) ? "name" : "text", value: literal };
  if (word) {
    const lower = word.toLowerCase();
    return { kind: "number", value: NUMBER_WORDS[lower] ?? 0 };
  }
  const value = readNumber(number ?? "");
  if (Number.isNaN(value)) return undefined;
  const unit = unitOf({
    number: number ?? "",
    following: match.input.slice(match.index + match[0].length),
  });
  return { kind: "number", value, ...(unit ? { unit } : {}) };
}

/** "ev1", "AB-12": an identifier, which may not be a value. */
function isCode(literal: string): boolean {
  return /^\p{L}+[-_]?\d[\p{L}\d_-]*$/u.test(literal);
}

function unitOf({ number, following }: { number: string; following: string }): Mention["unit"] {
  if (number.includes("%") || /^\s*(?:%|percent\b)/i.test(following)) return "percent";
  if (
    /[$€£]/.test(number) ||
    /^\s*(?:dollars?|euros?|pounds sterling|usd|eur|cents?)\b/i.test(following)
  ) {
    return "money";
  }
  return undefined;
}

/** Adds capitalised words within a sentence, which may be values, without changing the roles of others. */
function withNames(text: string, mentions: Mention[]): Mention[] {
  const names: Mention[] = [];
  for (const match of text.matchAll(
    /(?<=[\p{L}\p{N},'’]\s)\p{Lu}[\p{L}\p{N}'-]*(?:\s\p{Lu}[\p{L}\p{N}'-]*)*/gu,
  )) {
    const written = match[0].replace(/['’]s$/, "");
    const start = match.index;
    const end = start + written.length;
    if (mentions.some((one) => one.start < end && start < one.end)) continue;
    names.push({
      kind: "name",
      value: written,
      written,
      before: [],
      after: [],
      group: 0,
      start,
      end,
    });
  }
  if (names.length === 0) return mentions;
  const copies = giveRoles(text, [...mentions.map((one) => ({ ...one })), ...names]);
  return [...mentions, ...copies.slice(mentions.length)];
}

/** "Subtract B from A", "B less than A": puts the first operand of the operation first. */
function inOperandOrder(text: string, mentions: Mention[]): Mention[] {
  const [first, second, ...rest] = mentions;
  if (!first || !second || rest.length > 0) return mentions;
  const before = text.slice(0, first.start);
  const between = text.slice(first.end, second.start);
  const takenFrom =
    /\b(?:subtract|take|deduct|remove)\b/i.test(before) && /\bfrom\b/i.test(between);
  const lessThan = /\b(?:less|fewer) than\b/i.test(between);
  return takenFrom || lessThan ? [second, first] : mentions;
}

function giveRoles(text: string, mentions: Mention[]): Mention[] {
  const placed = mentions.toSorted((one, other) => one.start - other.start);
  for (const [at, mention] of placed.entries()) {
    const previous = placed[at - 1];
    const next = placed[at + 1];
    const lead = splitRoles(text.slice(previous?.end ?? 0, mention.start), previous !== undefined);
    const tail = splitRoles(text.slice(mention.end, next?.start ?? text.length), true);
    mention.before = wordsOf(lead.own.replace(OPERATION, "")).toReversed();
    mention.after = wordsOf(next ? tail.previous : firstPart(tail)).slice(0, 5);
    mention.group = at;
    if (previous && wordsOf(lead.own).every(isConnector) && wordsOf(lead.previous).length <= 2) {
      mention.before = previous.before;
      mention.group = previous.group;
    }
  }
  return mentions;
}

interface RoleSplit {
  /** What belongs to the value before. */
  previous: string;
  /** What belongs to the value after. */
  own: string;
}

/** Splits the words between two values at the first boundary, or the words before a value at the last. */
function splitRoles(between: string, afterValue: boolean): RoleSplit {
  const measured = /^\s*\p{L}*\s+in\s+\p{L}+(?=\s*,|\s+and\b)/iu.exec(between)?.[0].length ?? 0;
  const boundaries = [...between.matchAll(new RegExp(BOUNDARY, "gi"))].filter(
    ({ index }) => !afterValue || index >= measured,
  );
  const boundary = afterValue ? boundaries[0] : lastBoundary(boundaries, between);
  if (!boundary)
    return afterValue ? { previous: between, own: between } : { previous: "", own: between };
  return { previous: between.slice(0, boundary.index), own: between.slice(boundary.index) };
}

/** "Its radius is 6": the words before the verb say what the value is for. */
function lastBoundary(boundaries: RegExpExecArray[], before: string): RegExpExecArray | undefined {
  const last = boundaries.at(-1);
  const isVerb = last !== undefined && /^is\s*$/i.test(before.slice(last.index));
  return isVerb ? boundaries.at(-2) : last;
}

/** After the last value, the role may follow a preposition: "50 meters in length". */
function firstPart({ previous, own }: RoleSplit): string {
  return wordsOf(previous).length <= 1 && own !== previous ? `${previous} ${own}` : previous;
}

function isConnector(word: string): boolean {
  return /^(?:and|or|by|then)$/.test(word);
}
