import { numbersIn } from "./given.js";
import type { Mention } from "./quantities.js";
import { conceptOf, isStopWord, wordsOf } from "./text.js";

/** Stands for all currencies. */
const MONEY = "money";

/** The unit of "14 of them": whatever the facts before were about. */
const THEM = "them";

/** What a question about an amount asks. */
interface Asked {
  /** Concepts of the answer's unit: the noun after "how many", or the units of a kind of measure. */
  units: ReadonlySet<string>;
  relation: "total" | "rest" | "plain";
  /** It asks for a count of things: there are no half boxes. */
  isCount: boolean;
}

const LENGTH_UNITS = [
  "kilometer",
  "kilometre",
  "km",
  "meter",
  "metre",
  "m",
  "mile",
  "foot",
  "yard",
];
const TIME_UNITS = ["second", "minute", "hour", "day", "week", "month", "year"];

const MEASURE_UNITS = new Set(
  [MONEY, ...LENGTH_UNITS, ...TIME_UNITS].map((unit) => conceptOf(unit)),
);

/** Added to a step whose result counts things. */
const WHOLE = ", as a whole number";

/** Whether a result answers its step: a count of things must be a whole number. */
export function isCountable({ step, result }: { step: string; result: unknown }): boolean {
  return !countsThings(step) || Number.isInteger(result);
}

/** Whether the result of a step is a number of things. */
export function countsThings(step: string): boolean {
  return step.endsWith(WHOLE);
}

/** Questions that name no unit themselves, and the units of their answers. */
const KINDS: readonly [RegExp, readonly string[]][] = [
  [/^how far\b/i, LENGTH_UNITS],
  [/^how long (?:does|do|did|will|would)\b.*\btakes?$/i, TIME_UNITS],
  [/^how much money\b/i, [MONEY]],
  [/^how much\b.*\b(?:pay|paid|cost|earn|owe|spend|charge|make)s?\b/i, [MONEY]],
  [/^(?:find|what(?: is| are|'s)) the (?:total |whole )?(?:price|cost|pay|costs)\b/i, [MONEY]],
];

/** Words of a question that relate its amounts in ways that units do not show. */
const OTHER_RELATION =
  /\b(?:more|less|fewer|than|extra|change|back|save|profit|average|mean|percent\w*|difference|half|twice|still|another|ratio|area|volume|interest)\b/i;

/**
 * The only calculation that the units of the facts allow: an amount multiplied or divided by a rate, or the sum or
 * difference of two like amounts. Undefined unless it uses every amount in these units: one left over might be meant.
 */
export function calculationFor(options: {
  question: string;
  facts: readonly string[];
}): string | undefined {
  const { question, facts } = options;
  const asked = readAsked(question);
  if (!asked) return undefined;
  const amounts = amountsIn([...facts, question]);
  // How a percentage changes an amount does not follow from units.
  if (amounts.some(({ unit }) => unit.has("percent"))) return undefined;
  const found = asked.relation === "plain" ? byRate(asked, amounts) : ofOneUnit(asked, amounts);
  if (!found || isAnythingLeft({ ...found, asked, amounts })) return undefined;
  return found.step;
}

function readAsked(question: string): Asked | undefined {
  const text = question.replace(/[.?!\s]+$/, "");
  if (OTHER_RELATION.test(text)) return undefined;
  const units = unitsAsked(text);
  if (!units) return undefined;
  const isCount = ![...units].some((unit) => MEASURE_UNITS.has(unit));
  if (/\b(?:left|remain\w*)\b/i.test(text)) return { units, isCount, relation: "rest" };
  const isTotal = /\b(?:in total|altogether|in all|total number)\b/i.test(text);
  return { units, isCount, relation: isTotal ? "total" : "plain" };
}

function unitsAsked(text: string): ReadonlySet<string> | undefined {
  const counted = /^(?:how many|(?:find|what is) the (?:total )?number of)\s+(.+)$/i.exec(
    text,
  )?.[1];
  if (counted) {
    const words = wordsOf(counted);
    const stop = words.findIndex((word) => isStopWord(word));
    // The noun is the last word before the verb or auxiliary: "how many small boxes does …".
    const noun = (stop < 0 ? words : words.slice(0, stop)).at(-1);
    return noun ? new Set([conceptOf(noun)]) : undefined;
  }
  const units = KINDS.find(([pattern]) => pattern.test(text))?.[1];
  return units && new Set(units.map((unit) => conceptOf(unit)));
}

interface Found {
  step: string;
  used: readonly Amount[];
}

/** "3 dollars each" and "14 pens": dollars by multiplying; "6 eggs a box" and "90 eggs": boxes by dividing. */
function byRate({ units, isCount }: Asked, amounts: readonly Amount[]): Found | undefined {
  const found = amounts.flatMap((rate) => {
    const { each } = rate;
    if (!each) return [];
    return amounts
      .filter((amount) => amount !== rate)
      .flatMap((amount): Found[] => {
        const used = [rate, amount];
        if (meet(rate.unit, units) && (meet(amount.unit, each) || amount.unit.has(THEM)))
          return [{ step: `multiply ${rate.written} by ${amount.written}`, used }];
        if (meet(each, units) && meet(amount.unit, rate.unit))
          return [
            { step: `divide ${amount.written} by ${rate.written}${isCount ? WHOLE : ""}`, used },
          ];
        return [];
      });
  });
  return found.length === 1 ? found[0] : undefined;
}

function ofOneUnit({ units, relation }: Asked, amounts: readonly Amount[]): Found | undefined {
  const used = amounts.filter(({ unit }) => meet(unit, units));
  const [first, second, ...others] = used;
  if (!first || !second || others.length > 0) return undefined;
  const [one, other] = [first.written, second.written];
  if (relation === "total") return { step: `add ${one} and ${other}`, used };
  return { step: `find the difference between ${one} and ${other}`, used };
}

function isAnythingLeft(options: {
  used: readonly Amount[];
  asked: Asked;
  amounts: readonly Amount[];
}): boolean {
  const { used, asked, amounts } = options;
  const concerned = new Set([...asked.units, ...used.flatMap(({ unit }) => [...unit])]);
  return amounts.some((amount) => !used.includes(amount) && meet(amount.unit, concerned));
}

function meet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((concept) => other.has(concept));
}

/** A number of something in a fact: "14 pens", "3 dollars each", "90 kilometers per hour". */
export interface Amount {
  written: string;
  value: number;
  /** What it counts or is measured in; several concepts if the noun has others before it. */
  unit: ReadonlySet<string>;
  /** For a rate, what it is per: the pen of "3 dollars each". */
  each?: ReadonlySet<string>;
}

/** Words between a number and the noun that it counts. */
const LONGEST_UNIT = 3;

/** The amounts in facts, in their order. */
export function amountsIn(facts: readonly string[]): Amount[] {
  return facts.flatMap((fact) => {
    const numbers = numbersIn([fact]);
    return numbers.map((number, at) =>
      amountOf({ number, end: numbers[at + 1]?.start ?? fact.length, fact }),
    );
  });
}

function amountOf(options: { number: Mention; end: number; fact: string }): Amount {
  const { number, end, fact } = options;
  const behind = fact.slice(number.end, end);
  const run = /^[\s-]*(?:[\p{L}-]+(?:\s+|$))*/u.exec(behind)?.[0] ?? "";
  const words = run.toLowerCase().split(/\s+/).filter(Boolean);
  const stop = words.findIndex((word) => isStopWord(word) || word === "every");
  const nouns = (stop < 0 ? words : words.slice(0, stop)).slice(0, LONGEST_UNIT);
  const each = rateOf({ behind, before: fact.slice(0, number.start), nouns });
  return {
    written: number.written,
    value: Number(number.value),
    unit: unitOf({ number, behind, nouns }),
    ...(each ? { each } : {}),
  };
}

function unitOf(options: {
  number: Mention;
  behind: string;
  nouns: string[];
}): ReadonlySet<string> {
  const { number, behind, nouns } = options;
  if (number.unit) return new Set([number.unit]);
  return /^\s*of (?:them|these|those)\b/i.test(behind) ? new Set([THEM]) : conceptsIn(nouns);
}

/**
 * What a rate is per: "per hour", "a day"; "pens at 3 dollars each"; and "a box holds 6 eggs", because an indefinite
 * subject stands for every one of its kind.
 */
function rateOf(options: {
  behind: string;
  before: string;
  nouns: string[];
}): ReadonlySet<string> | undefined {
  const { behind, before, nouns } = options;
  const unit = nouns.join("\\s+");
  const per = new RegExp(
    `^[\\s-]*${unit}\\s*(?:per|an?|every|each|for\\s+(?:each|every|an?))\\s+(\\p{L}+)`,
    "iu",
  ).exec(behind)?.[1];
  if (per) return conceptsIn([per]);
  if (/^[\s-]*(?:\p{L}+\s+)?(?:each|apiece)\b/iu.test(behind)) {
    const plural = wordsOf(before).findLast((word) => /[^su]s$/.test(word));
    return plural ? conceptsIn([plural]) : undefined;
  }
  const subject =
    /^(?:an?|each|every|one)\s+((?:\p{L}+\s+){1,3})\p{L}+\s+(?:about\s+|only\s+)?$/iu.exec(
      before,
    )?.[1];
  return subject ? conceptsIn(wordsOf(subject)) : undefined;
}

function conceptsIn(words: readonly string[]): ReadonlySet<string> {
  return new Set(
    words.filter((word) => !isStopWord(word)).map((word) => conceptOf(word.toLowerCase())),
  );
}
