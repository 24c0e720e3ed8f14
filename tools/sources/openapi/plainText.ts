import { clipped } from "../../../common/bounds.js";
import { oneLine } from "../../../common/errors.js";

/** Only tags that format text: anything else in angle brackets may be a placeholder, or an instruction to the model. */
const TAGS =
  /<\/?(?:a|b|i|p|br|ul|ol|li|em|strong|code|pre|div|span|table|thead|tbody|tr|td|th|h[1-6]|details|img)(?:\s[^<>]{0,300})?\/?>/gi;

/**
 * A text of a document in one line for a model, without the addresses of links and the markup of Markdown and HTML,
 * which cost tokens and say nothing.
 *
 * @param most the maximum of characters
 */
export function plainText(text: string, most: number): string {
  const plain = text
    .replaceAll(/!?\[([^\][]{0,300})\]\([^()\s]{0,1000}\)/g, "$1")
    .replaceAll(TAGS, " ")
    .replaceAll(/^[ \t]*>[ \t]?(?:\[![A-Z]+\])?/gm, "")
    .replaceAll(/(\*\*|__)(?=\S)/g, "")
    .replaceAll(/(?<=\S)(\*\*|__)/g, "");
  return clipped(oneLine(plain), most);
}
