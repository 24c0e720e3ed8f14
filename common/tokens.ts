/** Rough number of characters per token in English text and JSON. */
export const CHARACTERS_PER_TOKEN = 4;

/** Estimates the tokens of a text, or of texts that are read one by one. */
export function estimateTokens(texts: string | readonly string[]): number {
  return [texts]
    .flat()
    .reduce((sum, text) => sum + Math.ceil(text.length / CHARACTERS_PER_TOKEN), 0);
}
