import { type Amount, MONEY, THEM, amountsIn } from "./amounts.js";
import { conceptOf, isStopWord, wordsOf } from "./text.js";

/** What a question about an amount wants to know. */
interface Asked {
  /** Concepts of the unit of the answer; the nouns of "how many … " or the units of a kind of measure. */
  units: ReadonlySet<string>;
  relation: "total" | "rest" | "plain";
  /** Whether it asks for a count of things: there are no half boxes. */
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

/** What is added to a step whose result counts things. */
const WHOLE = ", as a whole number";

/** Whether a result answers its step: a division need not come out even, but a count of things has to. */
export function isCountable({ step, result }: { step: string; result: unknown }): boolean {
  return !countsThings(step) || Number.isInteger(result);
}

/** Whether the result of a step is a number of things, of which there are no halves. */
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

/** Words of a question that relate its amounts in ways which units do not tell. */
const OTHER_RELATION =
  /\b(?:more|less|fewer|than|extra|change|back|save|profit|average|mean|percent\w*|difference|half|twice|still|another|ratio|area|volume|interest)\b/i;

/**
 * The one calculation that the units of the facts allow: an amount times what each one brings (or
 * divided by it), a sum of like amounts, or what is left of one. Nothing, unless all amounts in the
 * units concerned are used: an amount that is left over may be meant, too.
 */
export function calculationFor(options: {
  question: string;
  facts: readonly string[];
}): string | undefined {
  const { question, facts } = options;
  const asked = readAsked(question);
  if (!asked) return undefined;
  const amounts = amountsIn([...facts, question]);
  // A percentage changes an amount in a way that its unit does not tell.
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
