import { LONGEST_SEARCHED, beginning } from "../../../common/bounds.js";
import type { ToolDefinition } from "../../tool.js";
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
}

/** The part of a phrase that is read and embedded. */
export function searchedText(phrase: string): string {
  return beginning(phrase, LONGEST_SEARCHED);
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

/**
 * Words that requests and tools use for the same thing, one group a line: first verbs, then nouns. Written for tools in
 * general; which groups help was measured on public sets (docs/retrieval.md).
 */
const RELATED = relatedWords(`
  create add make new insert register schedule book compose write post open start set generate build
  delete remove cancel drop clear erase unsubscribe discard
  update change edit modify rename reschedule adjust set replace alter postpone
  get fetch show retrieve read give tell view display provide lookup obtain see
  search find lookup locate discover query look
  list all every
  send email mail forward message text notify share
  count number total
  plot chart graph draw visualize diagram
  calculate compute determine evaluate solve work
  convert translate transform turn change
  compare difference versus
  check verify validate test confirm whether
  buy purchase order shop
  recommend suggest recommendation suggestion advice
  sum add plus total altogether combined
  subtract minus difference left remaining fewer
  multiply times product
  divide split share per ratio quotient
  play listen stream
  weather forecast temperature climate
  picture image photo
  film movie
  song track music
  flight fly airline plane
  hotel accommodation stay lodging
  price cost rate quote
  currency exchange money
  job career vacancy
  restaurant food dining eat
  recipe cook meal
  news headline article
  translate language
  stock share ticker
  forget delete remove
  remember save store note memory add
  know search read
  press click push tap
  type fill enter
  choose select pick option
  zip compress gzip archive
  page site website web url
  person user contact account
  me self myself user
  bug issue ticket defect
  pr pull
  propose create suggest
  folder directory
  rename move
  stage add
  paragraph block text
  start run launch boot trigger execute
  stop cancel end abort halt terminate suspend
  restart reset reboot rerun
  close finish complete resolve update
  restore revert undo rollback
  resize scale grow shrink extend
  attach connect link plug
  detach disconnect unlink unplug
  copy duplicate clone fork
  answer reply respond comment
  machine instance server vm
  meeting event appointment
  repo repository
  company organization
  failure error fail break
  permission access policy role
  free busy available
  document file`);

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
  const unquoted = request.replaceAll(QUOTED, (quoted) => {
    say(quoted, WEIGHTS.value);
    return " ";
  });
  const plain = unquoted.replaceAll(IDS, (id) => {
    say(id, WEIGHTS.value);
    return " ";
  });
  say(plain, 1);
  const terms = new Map(own);
  const imply = (words: Iterable<string>, weight: number) => {
    for (const word of words)
      if (!own.has(word)) terms.set(word, Math.max(terms.get(word) ?? 0, weight));
  };
  for (const term of own.keys()) imply(RELATED.get(term) ?? [], WEIGHTS.related);
  for (const [pattern, words] of SYMBOLS) {
    if (pattern.test(unquoted)) imply(termsOf(words), WEIGHTS.symbol);
  }
  return { terms, own: new Set(own.keys()) };
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
  const { words } = toolWords(tool);
  const shared = [...request.terms.keys()].filter((term) => words.has(term));
  return {
    said: shared.filter((term) => request.own.has(term)),
    related: shared.filter((term) => !request.own.has(term)),
  };
}

function relatedWords(groups: string): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>();
  for (const group of groups.trim().split("\n")) {
    const words = termsOf(group);
    for (const word of words) {
      const others = related.get(word) ?? new Set();
      for (const other of words) if (other !== word) others.add(other);
      related.set(word, others);
    }
  }
  return related;
}
