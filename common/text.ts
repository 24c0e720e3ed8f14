/** A number as shown in a message: `10,000`. */
export function counted(count: number): string {
  return count.toLocaleString("en");
}

/** A number of things: `1 tool`, `2 tools`. */
export function several(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** "a, b, c and 4 more"; after semicolons, "a; b; and 4 more". */
export function listed(texts: readonly string[], most = 3, joint = ", "): string {
  const more = texts.length - most;
  const shown = texts.slice(0, most).join(joint);
  return more > 0 ? `${shown}${joint === "; " ? ";" : ""} and ${more} more` : shown;
}

/** The beginning of a text, without splitting a surrogate pair. */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most);
}

/** The beginning of a text, marked if it was cut. */
export function clipped(text: string, most: number): string {
  return text.length > most ? `${beginning(text, most)} …` : text;
}

/** A text cut to at most `most` characters, with a note if it was cut. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const shown = beginning(text, most);
  return `${shown}… [cut: the first ${shown.length} of ${text.length} characters are shown]`;
}

/**
 * Reads bytes that begin like these: in UTF-8, or in UTF-16 as Windows writes it, also without the mark at the beginning,
 * which is left out.
 */
export function decoderFor([first, second]: Uint8Array): TextDecoder {
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  return new TextDecoder(isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8");
}

/** The text of a whole file; see {@link decoderFor}. */
export function decoded(bytes: Uint8Array): string {
  return decoderFor(bytes).decode(bytes);
}

/** When a day begins, in UTC; undefined if there is no such day: JavaScript reads 30 February as 2 March. */
export function midnightOf(day: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? time : undefined;
}
