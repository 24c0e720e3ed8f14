/** What Postgres refuses in texts: the character NUL and, in JSON, half a surrogate pair. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** A text that Postgres accepts. JSON text needs no change: there such characters are escaped. */
export function storableText(text: string): string {
  return text.replaceAll(UNSTORABLE, "\uFFFD");
}
