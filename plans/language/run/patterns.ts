import { createContext, Script } from "node:vm";
import type { MethodCall } from "./functions.js";
import { Fault } from "./signals.js";
import { thrown, wordsOf } from "./textMethods.js";
import {
  joined,
  List,
  list,
  object,
  type Origins,
  text,
  TextPattern,
  truth,
  UNDEFINED,
  type Value,
} from "./values.js";
import { fitsList, step, type Visit } from "./visit.js";

/** A part of a text that a regular expression matches. */
export interface Match {
  index: number;
  parts: (string | undefined)[];
  named: Record<string, string | undefined> | undefined;
}

/** A regular expression, as `new RegExp` makes it. */
export function patternOf(source: string, flags: string, origins?: Origins): TextPattern {
  const made = thrown(() => new RegExp(source, flags));
  return new TextPattern(made, origins);
}

export function patternMethod(name: string, of: TextPattern, call: MethodCall): Value {
  if (name === "toString") return text(String(of.pattern), of.origins);
  const [given = UNDEFINED] = call.known();
  const words = wordsOf(given);
  const origins = joined([of.origins, given.origins]);
  const { global, sticky } = of.pattern;
  const goesOn = global || sticky;
  const [match] = matchesIn(of, words, { from: goesOn ? of.lastIndex : 0, most: 1 }, call.visit);
  if (goesOn) of.lastIndex = match ? match.index + (match.parts[0]?.length ?? 0) : 0;
  if (name === "test") return truth(match !== undefined, origins);
  return match ? matchValue(match, origins) : { kind: "nothing", value: null, origins };
}

/** A match as `exec` gives it: a list with further fields. */
export function matchValue({ index, parts, named }: Match, origins: Origins): Value {
  const value = (part: string | undefined): Value =>
    part === undefined ? { ...UNDEFINED, origins } : text(part, origins);
  const made = new List(parts.map(value), origins);
  made.fields = new Map<string, Value>([
    ["index", { kind: "number", value: index, origins }],
    [
      "groups",
      named
        ? object(
            Object.entries(named).map(([name, part]) => [name, value(part)]),
            origins,
          )
        : UNDEFINED,
    ],
  ]);
  return made;
}

/** A list of texts, with the origins of what was matched. */
export function texts(parts: readonly (string | undefined)[], origins: Origins): List {
  return list(
    parts.map((part) => (part === undefined ? UNDEFINED : text(part, origins))),
    origins,
  );
}

/** The first matches of a pattern in a text, in order; all if `most` is left out. */
export function matchesIn(
  { pattern }: TextPattern,
  words: string,
  { from = 0, most = Number.POSITIVE_INFINITY }: { from?: number; most?: number },
  visit: Visit,
): Match[] {
  const limit = Math.min(most, visit.limits.items + 1);
  step(visit, words.length);
  const flags = `${pattern.flags.replace("g", "")}${pattern.sticky ? "" : "g"}`;
  const own = new RegExp(pattern.source, flags);
  const found = isQuick(own, words)
    ? search(own, words, from, limit)
    : searchWithin({ pattern: own, words, from, limit }, visit);
  fitsList(found.length, visit);
  return found;
}

/** Most comparisons that matching may take to be done at once. */
const QUICK = 200_000;

/** Whether a pattern cannot take long: what it repeats decides how often each character may be looked at. */
function isQuick({ source }: RegExp, words: string): boolean {
  const plain = source.replaceAll(/\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/g, "x");
  if (/\)[*+{]|\\[1-9k]/.test(plain)) return false;
  const repeated = plain.match(/[*+]|\{\d+,/g) ?? [];
  return (words.length + 1) ** (repeated.length + 1) < QUICK;
}

function search(pattern: RegExp, words: string, from: number, limit: number): Match[] {
  const found: Match[] = [];
  pattern.lastIndex = from;
  while (found.length < limit) {
    const match = pattern.exec(words);
    if (!match) break;
    found.push({
      index: match.index,
      parts: [...match],
      named: match.groups && { ...match.groups },
    });
    if (match[0] === "") pattern.lastIndex += 1;
  }
  return found;
}

const script = new Script(
  `(() => { const found = []; const { pattern, words, from, limit } = given; pattern.lastIndex = from;
  while (found.length < limit) {
    const match = pattern.exec(words);
    if (!match) break;
    found.push({ index: match.index, parts: [...match], named: match.groups && { ...match.groups } });
    if (match[0] === "") pattern.lastIndex += 1;
  }
  return found; })()`,
);

interface Search {
  pattern: RegExp;
  words: string;
  from: number;
  limit: number;
}

/** Only a script can be ended in the middle of a match. All of one pass share the time. */
function searchWithin(given: Search, visit: Visit): Match[] {
  const left = Math.floor(visit.limits.matching - visit.matched);
  if (left < 1) throw tooLong(given, visit);
  const begun = performance.now();
  try {
    const found = script.runInContext(createContext({ given }), { timeout: left }) as Match[];
    return found.map(({ index, parts, named }) => ({ index, parts: [...parts], named }));
  } catch (error) {
    if (Object(error).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw tooLong(given, visit);
  } finally {
    visit.matched += performance.now() - begun;
  }
}

function tooLong({ pattern }: Search, { limits }: Visit): Fault {
  return new Fault(
    `Matching ${String(pattern).slice(0, 60)} takes more than ${limits.matching} ms. Write a simpler pattern, or methods of texts.`,
  );
}
