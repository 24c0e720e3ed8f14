/** Something that a request asks for, as the request says it. */
export interface Need {
  text: string;
  /** Its words that carry a meaning. */
  words: readonly string[];
}

/** Where a sentence begins to say what is wanted. */
const ASKING = /^.*?\b(?:tell me|need to know|like to know|look up|find out)\b/i;

const BETWEEN_SENTENCES = /(?<=[.?!])\s+/;

const BETWEEN_NEEDS = /,| and | as well as /;

/** A name of a matter: letters, a hyphen and a number. */
const REFERENCE = /\b[A-Z]{2}-\d+\b/;

/**
 * A code such as results tell: capitals, digits and hyphens, some of both. What the request names
 * itself is no news.
 */
const CODE = /\b(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9][A-Z0-9-]{5,}\b/g;

const STOP_WORDS = new Set(
  "a an the of for to in on at by is are it its my our me us so please with under this that".split(
    " ",
  ),
);

/** What a request asks for, in its order. */
export function readNeeds(request: string): Need[] {
  const asking = request.split(BETWEEN_SENTENCES).filter((sentence) => ASKING.test(sentence));
  return asking.flatMap((sentence) =>
    sentence
      .replace(ASKING, "")
      .replace(REFERENCE, "")
      .replace(/[.?!\s]+$/, "")
      .split(BETWEEN_NEEDS)
      .map((clause) => ({ text: clause.trim(), words: meaningfulWords(clause) }))
      .filter(({ words }) => words.length > 0),
  );
}

/** The reference of the matter that a request is about. */
export function readReference(request: string): string | undefined {
  return REFERENCE.exec(request)?.[0];
}

/** Whether a text, of a tool or a result, speaks of a need. */
export function speaksOf(text: string, { words }: Need): boolean {
  const said = new Set(meaningfulWords(text));
  return words.every((word) => said.has(word));
}

/** The code that a text tells and the request did not know; undefined for texts without one. */
export function codeIn(text: string, request: string): string | undefined {
  return text.match(CODE)?.find((code) => !request.includes(code));
}

function meaningfulWords(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word));
}
