/** Raised by one whenever `toolText` changes, so that indexes made of the old texts are not used. */
export const TEXT_FORM = 1;

/**
 * The text by which a tool is found: its name spelled as words, then its description.
 *
 * Of the forms that `eval/experiments/toolText.ts` compares, this one did best on average with the local
 * sentence encoder; parameter names added nothing beyond chance.
 */
export function toolText({ name, description }: { name: string; description: string }): string {
  return `${wordsOf(name)} ${description}`;
}

/** Spells an identifier as lower-case words: `getUserToken_v2` becomes `get user token v2`. */
export function wordsOf(identifier: string): string {
  return identifier
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
