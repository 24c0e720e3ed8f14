/** What Postgres takes in no text: the character NUL, and half of a pair of characters in JSON. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** A text as Postgres takes it. Texts of JSON need no change: they hold such characters escaped. */
export function storableText(text: string): string {
  return text.replaceAll(UNSTORABLE, "\uFFFD");
}
