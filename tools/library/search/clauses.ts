/** Most parts of a request to search for, however long it is. */
const MOST_CLAUSES = 8;

/** In characters. A longer request contains a document, whose parts are not tasks. */
const LONGEST_SPLIT = 10_000;

/** A part of fewer words rarely says what to do, so it joins its neighbour. */
const FEWEST_WORDS = 3;

/** English rules serve all languages: they add only a few words to Unicode's. */
const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });
const WORDS = new Intl.Segmenter("en", { granularity: "word" });

/** Runs of blanks are collapsed so that the expressions below need not try each blank. */
const BLANKS = /[^\S\n]+/gu;

/** A line keeps its line end, so that joined lines stay separate. */
const LINE_END = /(?<=\n)/u;

/** A bullet, number or letter before a list item. */
const ITEM_MARK = /^\s*(?:[-*•–]|\(?(?:\d{1,3}|\p{L})[.)])\s+/u;

/**
 * Words after "and" with which a task can begin: an order, a question, somebody who wants something, or its object.
 * Without the last line, fewer requests with several tasks found all their tools.
 */
const BEGINNINGS = `
  add analyze assess assign book build buy calculate cancel change check close compare compose compute convert
  copy count create decrypt delete describe determine display divide draft draw drop edit email encrypt escalate
  estimate evaluate execute explain export extract fetch fill find forward generate get give grab highlight
  identify include initiate invite jot let list locate look lookup make mark move multiply notify obtain open
  optimize order organize outline pay place plan play plot post prepare print provide publish purchase read
  recommend record remind remove rename reply report request reserve resolve retrieve return run save schedule
  search secure select send set share show solve sort start stop submit subtract suggest sum summarize switch
  tag take tell text throw track transfer translate turn update upload use validate verify view visualize write
  can could do does did is are was were will would should may must
  how what when where which who whom whose why whether if
  i i'm i've i'd i'll i’m i’ve i’d i’ll we we're we’re we'd we’d he she they it it's it’s you
  also please then finally lastly afterwards ensure keep need want wants let's let’s
  the a an my any all their her his our its some`
  .trim()
  .split(/\s+/u)
  .join("|");

/**
 * Separators of clauses: punctuation and the two English words that chain tasks, "and" only where a task begins
 * after it. A space must follow, which spares numbers such as 1,000, except in Chinese and Japanese.
 */
const BETWEEN = new RegExp(
  String.raw`[,;:](?=\s)|[，、；：]|\s[-–—](?=\s)|\bthen\b|\band\b(?=\s+(?:${BEGINNINGS})(?![\p{L}\p{N}]))`,
  "giu",
);

/** Separators and blanks around a clause. A dash without a blank after it is a minus. */
const LEADING = /^(?:[\s,;:，、；：]|[-–—]\s|(?:and|then)\b)+/iu;
const TRAILING = /(?<![\s,;:，、；：])(?:[\s,;:，、；：]|\b(?:and|then))+$/iu;

/**
 * Quoted text is an argument's value, not a task, whatever it says. An opening mark ends the search for the
 * previous one's end, so the expression does not scan the whole text for each.
 */
export const QUOTED =
  /"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|「[^「」]*」|`[^`]*`|(?<![\p{L}\p{N}])['‘][^'‘’]*['’](?![\p{L}\p{N}])/gu;

/**
 * The parts of a request that may need tools of their own: its lines, sentences and clauses, in order, at most
 * eight; none if there is only one, or the request contains a long document. Parts too short to be tasks, such
 * as names in a list, stay with their neighbour. Splits at punctuation of any language but only at English
 * words, so other languages may yield fewer parts.
 */
export function clausesOf(request: string): string[] {
  if (request.length > LONGEST_SPLIT) return [];
  const sentences = request.replaceAll(BLANKS, " ").split(LINE_END).flatMap(sentencesOf);
  const clauses = sentences.flatMap((sentence) => withoutShort(splitSentence(sentence)));
  const different = new Set(atMost(withoutShort(clauses), MOST_CLAUSES).map(bare));
  return different.size > 1 ? [...different] : [];
}

function sentencesOf(line: string): string[] {
  const item = line.replace(ITEM_MARK, "");
  return Array.from(SENTENCES.segment(item), ({ segment }) => segment);
}

/** Cuts before each separator, so that joined clauses read as before. */
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

/** Joins each short part to the one before it, and the first to the one after it. */
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
  const words = Array.from(WORDS.segment(bare(clause))).filter(
    ({ isWordLike, segment }) => isWordLike && segment.toLowerCase() !== "and",
  );
  return words.length < FEWEST_WORDS;
}

/** Joins neighbours, shortest pair first, until there are few enough. */
function atMost(clauses: readonly string[], most: number): string[] {
  const parts = [...clauses];
  while (parts.length > most) {
    const lengths = parts.slice(1).map((part, at) => part.length + (parts[at]?.length ?? 0));
    const at = lengths.indexOf(Math.min(...lengths));
    parts.splice(at, 2, parts.slice(at, at + 2).join(""));
  }
  return parts;
}

/** A clause without its separators. */
function bare(clause: string): string {
  return clause.replace(LEADING, "").replace(TRAILING, "");
}
