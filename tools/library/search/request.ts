import { LONGEST_SEARCHED } from "../../../common/bounds.js";
import { beginning } from "../../../common/text.js";
import type { ToolDefinition } from "../../tool.js";
import { deedsAsked, isQuestion, relatedTo } from "../words/relatedWords.js";
import { termsOf, toolWords } from "../words/words.js";

/**
 * What tools are ranked by: `meaning`, the distance of vectors, as in the published methods · `words`, those that
 * a tool shares with the request · `both`, their weighted sum.
 */
export type Ranking = (typeof RANKINGS)[number];

export const RANKINGS = ["meaning", "words", "both"] as const;

/** The words of a request or a phrase. */
export interface ReadRequest {
  /** Its words and related words with their weights; a word that it says plainly weighs 1. */
  terms: ReadonlyMap<string, number>;
  /** The words that it contains itself. */
  own: ReadonlySet<string>;
  /** What it asks to be done, a bit for each kind of verb; 0 if that is not known. */
  deeds: number;
  /** It has the path of a file or a folder. */
  hasPath: boolean;
}

/** The part of a phrase that is read. */
export function searchedText(phrase: string): string {
  return beginning(phrase, LONGEST_SEARCHED);
}

/**
 * What is embedded of a phrase. A path is what it leads to, because its words are a value's: with them, a folder
 * "notes" finds what keeps notes.
 *
 * @example
 * embeddedText("What is in ~/notes/may.txt?"); // "What is in file?"
 */
export function embeddedText(phrase: string): string {
  return searchedText(phrase).replaceAll(
    PATH,
    (path, before: string | undefined) => before ?? kindOfPath(path),
  );
}

/**
 * A path that begins at a root, a home, the current folder or a drive, and the word for what it leads to if that stands before it. A
 * single name behind a slash may be a command, and what follows a method an address.
 */
const PATH =
  /(\b(?:file|folder|directory|path|repo|repository) )?(?<![\p{L}\p{N}/\\.:]|\b(?:GET|POST|PUT|PATCH|DELETE) )(?:(?:~|\.{1,2}|\b[A-Za-z]:)[/\\]|\/(?=[^\s/]+\/))[\p{L}\p{N}_.@/\\-]*[\p{L}\p{N}/\\]/gu;

function kindOfPath(path: string): string {
  return /\.[\p{L}\p{N}]{1,8}$/u.test(path) ? "file" : "folder";
}

/** Weights of words that the request does not contain, or contains for another reason than to name its task. */
const WEIGHTS = {
  /** A symbol spelled as a word. */
  symbol: 0.5,
  /** A word related to one of the request. */
  related: 0.25,
  /** Quotations, ids, addresses and numbers: values for a tool, not its task. */
  value: 0.3,
};

/**
 * Quoted text is an argument's value, not a task, whatever it says. An opening mark ends the search for the
 * previous one's end, so the expression does not scan the whole text for each.
 */
const QUOTED =
  /"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|「[^「」]*」|`[^`]*`|(?<![\p{L}\p{N}])['‘][^'‘’]*['’](?![\p{L}\p{N}])/gu;

/** Addresses, and anything that contains a digit. */
const IDS = /\b(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+|[\p{L}\p{N}_-]*\p{N}[\p{L}\p{N}_-]*/gu;

/** Symbols and units, with the words that descriptions use for them. */
const SYMBOLS: readonly (readonly [RegExp, string])[] = [
  [/[*×]/u, "multiply"],
  [/\d\s?\/\s?\d|÷/u, "divide"],
  [/\+/u, "add"],
  [/\d\s?[−–-]\s?\d/u, "subtract"],
  [/√/u, "square root"],
  [/\^/u, "power"],
  [/%/u, "percent percentage"],
  [/°\s?F\b/u, "fahrenheit"],
  [/°\s?C\b/u, "celsius"],
  [/[$€£¥]\s?\d/u, "currency price"],
];

/** What is said in several words that each mean something else, with the words for it. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bwho am i\b/giu, "get authenticated user"],
  [/\bhow many\b/giu, "count"],
  [/\blook (?:up|for)\b/giu, "find"],
  [/\byou (?:know|remember) (?:about|of)\b/giu, "search memory"],
  [/\b(?:keep|bear) in mind\b/giu, "remember"],
  [/\bset up\b/giu, "create"],
  [/\b(?:get rid of|throw away)\b/giu, "delete"],
  [/\b(?:turn|switch) on\b/giu, "start"],
  [/\b(?:turn off|switch off|shut down)\b/giu, "stop"],
];

/**
 * Reads a request for a search by words: symbols and units become words, values weigh little, and related words are
 * added with less weight.
 *
 * @example
 * readRequest("Cancel the meeting").terms.get("delete"); // 0.25
 */
export function readRequest(request: string): ReadRequest {
  const own = new Map<string, number>();
  const say = (text: string, weight: number) => {
    for (const term of termsOf(text)) own.set(term, Math.max(own.get(term) ?? 0, weight));
  };
  const sayValue = (value: string) => {
    say(value, WEIGHTS.value);
    return " ";
  };
  const plainly = PHRASES.reduce((text, [phrase, word]) => text.replaceAll(phrase, word), request);
  let [hasPath, hasFile] = [false, false];
  const unquoted = plainly
    .replaceAll(QUOTED, sayValue)
    .replaceAll(PATH, (path, before = kindOfPath(path)) => {
      hasPath = true;
      hasFile ||= kindOfPath(path) === "file";
      sayValue(path);
      return ` ${before} `;
    });
  say(unquoted.replaceAll(IDS, sayValue), 1);
  const terms = new Map(own);
  const imply = (words: Iterable<string>, weight: number) => {
    for (const word of words)
      if (!own.has(word)) terms.set(word, Math.max(terms.get(word) ?? 0, weight));
  };
  for (const [term, weight] of own) imply(relatedTo(term), WEIGHTS.related * weight);
  for (const [pattern, words] of SYMBOLS) {
    if (pattern.test(unquoted)) imply(termsOf(words), WEIGHTS.symbol);
  }
  if (hasPath) imply(["path"], WEIGHTS.symbol);
  // What a file is asked about stands in it.
  if (hasFile && isQuestion(plainly)) imply(["read", "content"], WEIGHTS.symbol);
  return { terms, own: new Set(own.keys()), deeds: deedsAsked(plainly), hasPath };
}

/** Words of a request that a tool has. */
export interface SharedWords {
  /** Words that the request contains. */
  said: string[];
  /** Words related to those of the request. */
  related: string[];
}

/** The words by which a request found a tool. */
export function sharedWords({
  request,
  tool,
}: {
  request: ReadRequest;
  tool: ToolDefinition;
}): SharedWords {
  const words = new Set(Object.values(toolWords(tool)).flat());
  const shared = [...request.terms.keys()].filter((term) => words.has(term));
  return {
    said: shared.filter((term) => request.own.has(term)),
    related: shared.filter((term) => !request.own.has(term)),
  };
}
