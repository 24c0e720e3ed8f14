import { ASKING_VERB, withoutAsking } from "./phrases.js";
import type { Parameter } from "./parameters.js";
import type { Mention } from "./quantities.js";
import { conceptOf, conceptsOf, wordsOf } from "./text.js";
import { type Results, valueFor } from "./values.js";

/** The allowed value that a text names, if it names one. */
export function readChoice(parameter: Parameter, text: string): unknown {
  const said = wordsOf(text);
  const wantsTarget = /\b(?:to|target|destination)\b/i.test(parameter.name.replaceAll("_", " "));
  const named = (parameter.choices ?? [])
    .map((choice) => {
      const places = wordingsOf(choice, parameter).map((words) => {
        const all = placesOf(words, said);
        return (wantsTarget ? all.at(-1) : all[0]) ?? -1;
      });
      return { choice, at: Math.max(...places) };
    })
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at);
  return (wantsTarget ? named.at(-1) : named[0])?.choice;
}

/** A choice as written and, if the description says "S = Small", as named there. */
function wordingsOf(choice: unknown, { text }: Parameter): string[][] {
  const labels = [...text.matchAll(/(\S+) = ([^,;)]+)/g)];
  const label = labels.find(([, written = ""]) => written.replace(/^\W+/, "") === String(choice));
  return [wordsOf(String(choice)), wordsOf(label?.[2] ?? "")];
}

/** Where the words of a choice occur in a text, one after the other. */
function placesOf(choice: string[], said: string[]): number[] {
  if (choice.length === 0) return [];
  const wanted = choice.map((word) => conceptOf(word));
  return said
    .map((_, at) => at)
    .filter((at) =>
      wanted.every((concept, ahead) => conceptOf(said[at + ahead] ?? "") === concept),
    );
}

/** Whether a switch is wanted on or off; undefined if the text does not name it. */
export function readBoolean(parameter: Parameter, text: string): boolean | undefined {
  const said = wordsOf(text);
  const at = said.findIndex((word) => parameter.nameConcepts.has(conceptOf(word)));
  if (at < 0) return undefined;
  return !said
    .slice(Math.max(0, at - 3), at)
    .some((word) => /^(?:not|no|without|never|off)$/.test(word));
}

/** The latest result that fits a parameter, if a text points back ("send it to him"). */
export function readPronoun(options: {
  parameter: Parameter;
  step: string;
  mentions: readonly Mention[];
  results: Results;
}): unknown {
  const { parameter, step, mentions, results } = options;
  const pointsBack = /\b(?:it|them|him|her|that|this|those|these|results?|the same)\b/i.test(step);
  if (!pointsBack || mentions.some(({ kind }) => kind === "reference")) return undefined;
  const latestFirst = [...results.keys()].toSorted((one, other) => other - one);
  return latestFirst
    .map((value) => valueFor({ parameter, mention: { ...NO_MENTION, value }, results }))
    .find((value) => value !== undefined);
}

/**
 * A free text in the step's own words ("search for cheap laptops"); undefined for other types, and if the words only
 * repeat the parameter's name.
 */
export function readPhrase(parameter: Parameter, step: string): string | undefined {
  if (parameter.type !== "string" || parameter.choices) return undefined;
  return objectOf(step, parameter);
}

const NO_MENTION: Mention = {
  kind: "reference",
  value: 0,
  written: "",
  before: [],
  after: [],
  group: 0,
  start: 0,
  end: 0,
};

/** What a free text is about: the words after "for" and the like, or the step's object. */
function objectOf(step: string, parameter: Parameter): string | undefined {
  const asked = withoutAsking(step);
  const behind =
    /\b(?:for|about|of|named|called|titled|saying|that says|me to)\s+(?:the\s+|an?\s+)?(.+)$/i.exec(
      asked,
    )?.[1];
  const object = asked.replace(ASKING_VERB, "").replace(/^\d+\s+/, "");
  const chosen = behind ?? object.split(/\s(?:to|from|in|on|at|with|into)\s/)[0] ?? "";
  const says = conceptsOf(chosen).filter((concept) => !parameter.nameConcepts.has(concept));
  return says.length > 0 ? chosen.trim() : undefined;
}
