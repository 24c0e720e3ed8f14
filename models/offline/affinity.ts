import type { Mention } from "./quantities.js";
import type { Parameter } from "./parameters.js";
import { conceptOf, isStopWord, wordsOf } from "./text.js";
import { type Results, valueFor } from "./values.js";

const DATE =
  /^\d{4}-\d\d|^\d+\/\d+\/\d+|^(?:today|tomorrow|tonight|yesterday|next |this )|(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december)/i;

interface Look {
  value: (mention: Mention) => boolean;
  parameter: RegExp;
  /**
   * Score if the parameter does not ask for such a value.
   *
   * @default -0.3
   */
  otherwise?: number;
}

/** What a value looks like, and the words in a parameter that ask for such a value. */
const LOOKS: readonly Look[] = [
  {
    value: ({ unit }) => unit === "percent",
    parameter: /rate|percent|%|fraction|decimal|share|probability/i,
    otherwise: -1.5,
  },
  {
    value: ({ unit }) => unit === "money",
    parameter:
      /principal|amount|money|price|cost|pay|balance|salary|invest|loan|fee|budget|capital/i,
  },
  {
    value: ({ written }) => /\S@\S+\.\w/.test(written),
    parameter: /e-?mail|recipient|address|attendee|sender/i,
  },
  {
    value: ({ written }) => DATE.test(written),
    parameter: /date|day|when|start|end|deadline/i,
    otherwise: -0.6,
  },
  {
    value: ({ written }) => /^\d+:\d\d|^\d+\s?[ap]m/i.test(written),
    parameter: /time|hour|start|when/i,
  },
  { value: ({ after }) => after[0] === "square", parameter: /area|square|surface/i },
  { value: ({ after }) => after[0] === "cubic", parameter: /volume|cubic|capacity/i },
  {
    value: ({ written }) => /\d(?:st|nd|rd|th)$/i.test(written),
    parameter: /^(?:n|k|i)\b|position|index|rank|nth/i,
  },
  { value: ({ written }) => /^https?:/.test(written), parameter: /url|link|address|page/i },
];

/** Parameters that a preposition before a value suggests. */
const PREPOSITIONS: Record<string, RegExp> = {
  to: /\b(?:to|recipient|destination|target|receiver)\b/i,
  from: /\b(?:from|source|origin|sender|start)\b/i,
  in: /\b(?:city|location|place|country|folder|unit|town)\b/i,
  at: /\b(?:time|location|place|hour)\b/i,
  on: /\b(?:date|day)\b/i,
  by: /\b(?:author|deadline|by)\b/i,
  with: /\b(?:attendees?|participants?|guests?|with)\b/i,
  about: /\b(?:subject|topic|about)\b/i,
  named: /\b(?:name|title)\b/i,
  called: /\b(?:name|title)\b/i,
  titled: /\b(?:name|title)\b/i,
  saying: /\b(?:body|message|text|content)\b/i,
};

/** A value that a parameter may take, and how clearly it is meant for that parameter. */
export interface Pair {
  parameter: Parameter;
  mention: Mention;
  value: unknown;
  score: number;
}

/** Below this, the words around a value say that it is for something else. */
const AFFINITY_FLOOR = -0.25;

/** The values that fit a parameter: those of another type, and those whose words contradict it, are left out. */
export function pairsFor(options: {
  parameter: Parameter;
  mentions: readonly Mention[];
  results: Results;
}): Pair[] {
  const { parameter, mentions, results } = options;
  return mentions.flatMap((mention) => {
    const value = valueFor({ parameter, mention, results });
    if (value === undefined) return [];
    const score = affinity({ parameter, mention });
    return score > AFFINITY_FLOOR ? [{ parameter, mention, value, score }] : [];
  });
}

/** Words count less the farther they are from the value. */
const FADING = 0.8;

/**
 * How clearly the words around a value name a parameter: 0 if nothing suggests it, 1 if its name is next to the value,
 * below 0 if something contradicts it.
 */
export function affinity({
  parameter,
  mention,
}: {
  parameter: Parameter;
  mention: Mention;
}): number {
  const before = namedBy(mention.before, parameter);
  const after = 0.8 * namedBy(mention.after, parameter);
  return (
    Math.max(before, after) +
    0.3 * Math.min(before, after) +
    looks({ parameter, mention }) +
    typing({ parameter, mention })
  );
}

function namedBy(words: string[], parameter: Parameter): number {
  let sum = 0;
  let weight = 1;
  const seen = new Set<string>();
  for (const word of words) {
    const cue = PREPOSITIONS[word];
    if (cue) sum += weight * prepositionFits({ word, cue, parameter });
    if (isStopWord(word)) continue;
    const concept = conceptOf(word);
    if (!seen.has(concept)) {
      if (parameter.nameConcepts.has(concept)) sum += weight;
      else if (parameter.textConcepts.has(concept)) sum += 0.5 * weight;
    }
    seen.add(concept);
    weight *= FADING;
  }
  return Math.min(sum, 1.5);
}

/** "From" suggests `origin` and "city to fly from"; it suggests "city to fly to, from now on" less. */
function prepositionFits(options: { word: string; cue: RegExp; parameter: Parameter }): number {
  const { word, cue, parameter } = options;
  if (cue.test(parameter.name.replaceAll("_", " "))) return 0.6;
  if (!cue.test(parameter.text)) return 0;
  return wordsOf(parameter.text).findLast((one) => one in PREPOSITIONS) === word ? 0.6 : 0.2;
}

function looks({ parameter, mention }: { parameter: Parameter; mention: Mention }): number {
  const look = LOOKS.find(({ value }) => value(mention));
  if (!look) return 0;
  return look.parameter.test(parameter.text) ? 0.8 : (look.otherwise ?? -0.3);
}

function typing({ parameter, mention }: { parameter: Parameter; mention: Mention }): number {
  if (parameter.type === "integer" && !Number.isInteger(mention.value)) return -0.5;
  if (parameter.type === "string" && mention.kind === "number") return -0.2;
  if (parameter.type === "string" && mention.kind === "reference") return -0.1;
  return 0;
}
