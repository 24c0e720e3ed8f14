import { requireExtra } from "../../common/extras.js";
import { askedThread } from "../../tools/threads/askedThread.js";

/** A part of a request: something to do, or something to know. */
export interface Clause {
  kind: "command" | "background";
  /** A command without its subject: from its verb or question word on. */
  text: string;
}

/** Verbs that ask for a value; in any form they make a command, whoever is to do it. */
const ASK =
  /\b(?:calculat(?:e|es|ed|ing)|comput(?:e|es|ed|ing)|find(?:s|ing)?|determin(?:e|es|ed|ing)|evaluat(?:e|es|ed|ing)|(?:wants?|needs?|likes?|wishes) to know|work(?:s|ing)? out|figur(?:e|es|ing) out)\s+(?:out\s+)?/i;

/** "to find out how many", "to estimate": why something is done, not a command. */
const PURPOSE =
  /,?\s*\b(?:(?:in order|so as) to|to (?:estimate|analy[sz]e|assess|decide|understand)|to (?:find out|determine|see|know|check)(?!\s+(?:if|whether)\b))\b.*$/i;

/** Words before the verb that make it a command. */
const OBLIGED =
  /\b(?:wants?|needs?|would like|has|have|plans?|decides?|is asked|must|should)\s+(?:to\s+)?$/i;

const QUESTION = /\b(?:what|which|how|when|where|who|whose|is|are|does|do|can|could)\b.*\?$/i;

/** Words before a command that do not belong to it. */
const SEQUENCE_WORDS =
  /^(?:,?\s*(?:please|then|and|also|finally|next|now|first|second|third|lastly|afterwards?|after that|additionally|subsequently|can you|could you|would you|i (?:want|need) (?:you )?to|i'd like (?:you )?to|let's|help me)\b[,:]?\s*)+/i;

/** "the architect decides to …", "she finds …": a new subject with something to do. */
const NEW_SUBJECT =
  /^(?:(?:the\s+[\p{L}-]+|he|she|they|we|it|i)\s+)?(?:(?:wants?|needs?|plans?|decides?)\s+to\b|(?:calculates?|finds?|computes?|determines?)\b)/iu;

/** The start of a question after another; "which", "who" and "where" might only continue a description. */
const QUESTION_FIRST =
  /^(?:what(?:'s|\s+is|\s+are)|how\s+(?:much|many|long|far|big|old|do|does|is|are))\b/i;

const ASK_FIRST = new RegExp(`^${ASK.source}`, "i");

/** Commands that the tagger takes for nouns. */
const NOUN_COMMANDS = /^(?:email|mail|message|phone|water|round|solve|respond|text)$/i;

const CONNECTOR = /(?:\s*;\s*|\s*,\s*(?:and\s+)?(?:then\s+)?|\s+and\s+(?:then\s+)?|\s+then\s+)/gi;

/** The end of a sentence after a unit, such as "14 cm.", which the tagger takes for an abbreviation. */
const AFTER_UNIT = /(?<=\d\s?\p{Ll}{1,3}\.)\s+(?=\p{Lu})/u;

const askReader = askedThread<(request: string) => Clause[]>(
  new URL("./sentencesThread.js", import.meta.url),
);

/**
 * Splits a request into commands and background, in order; in a thread of its own, because the tagger is slow to load
 * and slow on long sentences.
 */
export function readClauses(request: string): Promise<Clause[]> {
  requireExtra("rules");
  return askReader(request);
}

/** Like {@link readClauses}, with a loaded tagger. */
export function clausesOf(request: string, tag: Tagger): Clause[] {
  const sentences = tag(request)
    .out("array")
    .flatMap((sentence) => sentence.split(AFTER_UNIT));
  const startsWithVerb = (text: string): boolean => isImperative(text, tag);
  const clauses = sentences.flatMap((sentence) => splitSentence(sentence, startsWithVerb));
  const hasCommand = clauses.some(({ kind }) => kind === "command");
  return hasCommand ? clauses : [{ kind: "command", text: request.trim() }];
}

/** Removes the numbers of list items ("2. Add …"), which are not values. */
export function withoutItemNumbers(request: string): string {
  return request.replaceAll(/^[^\S\n]*\d+[.)]\s+/gm, "");
}

/** The part of the tagger that is used here. */
export type Tagger = (text: string) => {
  json(): { terms?: { tags?: Iterable<string> }[] }[];
  out(format: "array"): string[];
};

type VerbTest = (text: string) => boolean;

/** Characters the tagger needs for the first word; with more, long sentences would be tagged again at each comma. */
const ENOUGH_TO_TAG = 60;

/** Begins with a word, possibly after quotes and brackets. */
const BEGINS_WITH_WORD = /^[^\p{L}\p{N}]{0,3}\p{L}/u;

function isImperative(text: string, tag: Tagger): boolean {
  const first = /^[\p{L}-]+/u.exec(text)?.[0] ?? "";
  if (NOUN_COMMANDS.test(first)) return true;
  if (!BEGINS_WITH_WORD.test(text)) return false;
  const tags = new Set(tag(text.slice(0, ENOUGH_TO_TAG)).json()[0]?.terms?.[0]?.tags ?? []);
  return tags.has("Infinitive") || tags.has("Imperative");
}

function splitSentence(sentence: string, startsWithVerb: VerbTest): Clause[] {
  const pieces = cutAtCommands(sentence.trim(), startsWithVerb);
  return pieces.flatMap((piece, at) => {
    const previous = pieces[at - 1] ?? "";
    return readPiece({ piece, previous, startsWithVerb });
  });
}

/** Cuts a sentence at each connector before a command. */
function cutAtCommands(sentence: string, startsWithVerb: VerbTest): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const match of sentence.matchAll(CONNECTOR)) {
    const behind = sentence.slice(match.index + match[0].length).replace(SEQUENCE_WORDS, "");
    if (insideQuotes(sentence, match.index)) continue;
    const begins =
      NEW_SUBJECT.test(behind) ||
      startsWithVerb(behind) ||
      ASK_FIRST.test(behind) ||
      QUESTION_FIRST.test(behind);
    if (!begins) continue;
    pieces.push(sentence.slice(start, match.index));
    start = match.index + match[0].length;
  }
  return [...pieces, sentence.slice(start)].map((piece) => piece.trim()).filter(Boolean);
}

function insideQuotes(sentence: string, at: number): boolean {
  const before = sentence.slice(0, at);
  return (before.match(/["“”]/g) ?? []).length % 2 === 1;
}

function readPiece(options: {
  piece: string;
  previous: string;
  startsWithVerb: VerbTest;
}): Clause[] {
  const text = options.piece.replace(SEQUENCE_WORDS, "");
  if (options.startsWithVerb(text) || QUESTION_FIRST.test(text)) return [command(text)];
  if (QUESTION.test(text))
    return [
      command(text.slice(/\b(?:what|which|how|when|where|who|whose)\b/i.exec(text)?.index ?? 0)),
    ];
  const ask = ASK.exec(text);
  if (!ask) return [{ kind: "background", text }];
  const before = text.slice(0, ask.index);
  if (/\bto\s+$/i.test(before) && !OBLIGED.test(before)) return [{ kind: "background", text }];
  const asked = command(text.slice(ask.index));
  return before.trim().length > 0 ? [{ kind: "background", text: before }, asked] : [asked];
}

function command(text: string): Clause {
  const bare = text.replace(/\s*[.?!]+$/, "");
  const lead = ASK_FIRST.exec(bare)?.[0] ?? "";
  const short = lead + bare.slice(lead.length).replace(PURPOSE, "");
  return { kind: "command", text: short.split(/\s+/).length > 2 ? short : bare };
}
