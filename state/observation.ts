/** Characters of a result kept as experience and shown to a judge, as published (BTP). */
export const OBSERVATION_LENGTH = 1024;

/** The first part of a result. */
export function cutObservation(text: string): string {
  if (text.length <= OBSERVATION_LENGTH) return text;
  // Never split a surrogate pair.
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(OBSERVATION_LENGTH - 1));
  return text.slice(0, isSplit ? OBSERVATION_LENGTH - 1 : OBSERVATION_LENGTH);
}

/** The first part of a result on one line, with white space collapsed. */
export function observationLine(text: string): string {
  return cutObservation(text.replaceAll(/\s+/g, " ").trim());
}
