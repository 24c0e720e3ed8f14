import { numbersIn } from "./given.js";
import type { Mention } from "./quantities.js";
import { conceptOf, isStopWord, wordsOf } from "./text.js";

/** A number of something in a fact: "14 pens", "3 dollars each", "90 kilometers per hour". */
export interface Amount {
  written: string;
  value: number;
  /** What it counts or is measured in; more than one concept where a noun has others before it. */
  unit: ReadonlySet<string>;
  /** For a rate, what one of goes with it: the pen of "3 dollars each"; absent otherwise. */
  each?: ReadonlySet<string>;
}

/** What all currencies are compared as. */
export const MONEY = "money";

/** The unit of "14 of them": whatever the facts before spoke of. */
export const THEM = "them";

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
 * What a number is told for one of: "per hour", "a day"; "pens at 3 dollars each"; and, since an
 * indefinite subject stands for every one of its kind, "a box holds 6 eggs".
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
