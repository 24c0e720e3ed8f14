import { fuseRankings } from "../../tools/library/fusion.js";

/** Parts that a request is searched by at most, however long it is. */
const MOST_CLAUSES = 8;

/** Characters; what is longer holds a document, whose parts are no tasks. */
const LONGEST_SPLIT = 10_000;

/** A part of fewer words hardly says what is to be done: it belongs to its neighbour. */
const FEWEST_WORDS = 3;

/** English rules for all languages: beyond those of Unicode, they know but a few words. */
const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });
const WORDS = new Intl.Segmenter("en", { granularity: "word" });

/** Blanks in a line count as one, which keeps the expressions below from trying each. */
const BLANKS = /[^\S\n]+/gu;

/** The end of a line belongs to it, so that lines put together again are still apart. */
const LINE_END = /(?<=\n)/u;

/** A bullet, or a number or letter, in front of an item of a list. */
const ITEM_MARK = /^\s*(?:[-*•–]|\(?(?:\d{1,3}|\p{L})[.)])\s+/u;

/**
 * What stands between clauses: punctuation, after which numbers such as 1,000 have no space and Chinese
 * and Japanese need none, and the two English words that chain tasks.
 */
const BETWEEN = /[,;:](?=\s)|[，、；：]|\s[-–—](?=\s)|\b(?:and|then)\b/giu;

/** Separators and blanks around a clause. A dash with no blank after it is a minus. */
const LEADING = /^(?:[\s,;:，、；：]|[-–—]\s|(?:and|then)\b)+/iu;
const TRAILING = /(?<![\s,;:，、；：])(?:[\s,;:，、；：]|\b(?:and|then))+$/iu;

/**
 * Quoted text is the value of some argument and no task, whatever it says. A mark that opens ends the search for
 * the end of the one before, which keeps the expression from looking through all of the text for each.
 */
const QUOTED =
  /"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|「[^「」]*」|`[^`]*`|(?<![\p{L}\p{N}])['‘][^'‘’]*['’](?![\p{L}\p{N}])/gu;

/**
 * The parts of a request that may need tools of their own: its lines, sentences and clauses, in their
 * order, at most eight; none for a request that has but one, or that holds a long document. What is too
 * short to be a task, such as the names of a list, stays with its neighbour. Punctuation of any language
 * counts, and two words of English: a request in another language may be cut into fewer parts.
 */
export function clausesOf(request: string): string[] {
  if (request.length > LONGEST_SPLIT) return [];
  const sentences = request.replaceAll(BLANKS, " ").split(LINE_END).flatMap(sentencesOf);
  const clauses = sentences.flatMap((sentence) => withoutShort(splitSentence(sentence)));
  const different = new Set(atMost(withoutShort(clauses), MOST_CLAUSES).map(bare));
  return different.size > 1 ? [...different] : [];
}

/**
 * The constant of the fusion: with so small a one, what is first for one part comes before what is
 * rather near to all of them. Chosen with eval/experiments/priming.ts.
 */
const FIRST_OF_EACH = 1;

/**
 * Joins what was found for a request and its parts, so that each part brings its best tools and the
 * request as a whole counts as one of them: reciprocal rank fusion with a small constant.
 *
 * @param rankings ids of tools, the best first
 */
export function toolsForAll(rankings: readonly (readonly string[])[]): string[] {
  return fuseRankings(rankings, FIRST_OF_EACH);
}

function sentencesOf(line: string): string[] {
  const item = line.replace(ITEM_MARK, "");
  return Array.from(SENTENCES.segment(item), ({ segment }) => segment);
}

/** Cuts before each separator, so that clauses put together again read as before. */
function splitSentence(sentence: string): string[] {
  const quotes = Array.from(sentence.matchAll(QUOTED), ({ index, 0: quote }) => ({
    from: index,
    to: index + quote.length,
  }));
  const isQuoted = (at: number) => quotes.some(({ from, to }) => at > from && at < to);
  const cuts = Array.from(sentence.matchAll(BETWEEN), ({ index }) => index);
  const bounds = [0, ...cuts.filter((at) => !isQuoted(at)), sentence.length];
  return bounds.slice(1).map((end, at) => sentence.slice(bounds[at], end));
}

/** Joins each part of few words to the one before it, and the first to the one after it. */
function withoutShort(clauses: readonly string[]): string[] {
  const joined: string[] = [];
  for (const clause of clauses) {
    const before = joined.at(-1);
    if (before !== undefined && (isShort(clause) || isShort(before))) {
      joined.splice(-1, 1, before + clause);
    } else joined.push(clause);
  }
  return joined;
}

function isShort(clause: string): boolean {
  const words = Array.from(WORDS.segment(bare(clause))).filter(({ isWordLike }) => isWordLike);
  return words.length < FEWEST_WORDS;
}

/** Joins neighbours, the two that are shortest together first, until there are few enough. */
function atMost(clauses: readonly string[], most: number): string[] {
  const parts = [...clauses];
  while (parts.length > most) {
    const lengths = parts.slice(1).map((part, at) => part.length + (parts[at]?.length ?? 0));
    const at = lengths.indexOf(Math.min(...lengths));
    parts.splice(at, 2, parts.slice(at, at + 2).join(""));
  }
  return parts;
}

/** A clause without what stood between it and its neighbours. */
function bare(clause: string): string {
  return clause.replace(LEADING, "").replace(TRAILING, "");
}
