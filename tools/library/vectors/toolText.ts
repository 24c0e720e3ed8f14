import type { ToolDefinition } from "../../tool.js";

/** Raised by one whenever `toolText` changes, so that indexes of the old texts are not used. */
export const TEXT_FORM = 2;

/**
 * The text by which a tool is found: its category, its provider and its name spelled as words, then its description.
 *
 * Names of parameters added nothing beyond chance (docs/retrieval.md); category and provider help, if a
 * library has them.
 */
export function toolText({
  name,
  description,
  provider = "",
  category = "",
}: Pick<ToolDefinition, "name" | "description" | "provider" | "category">): string {
  return `${[category, provider, name].map(wordsOf).filter(Boolean).join(" ")} ${description}`;
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
