/** Starts an attribute: "a radius of 5", "side length 6", "a height equal to …". */
const ATTRIBUTE_START =
  /^(?:an?\s+|the\s+|its\s+)?(?:(?!with\b|and\b|of\b)[\p{L}-]+\s+){1,4}?(?:(?:of|is|=|equals?|as)\s+)?(?:(?:equal to|the same as|that is)\b|[-$€£]?\.?\d)/iu;

const OWN_ATTRIBUTES = /\b(?:with|having|whose|where|measuring|that has)\b/i;

/** Splits "A, B and C" where a part names a thing or a value, not where it continues to describe one. */
export function splitOperands(text: string): string[] {
  return cutOperands(text.replace(/^both\s+(.+\sand\s.+?)(?:\s+combined)?$/i, "$1"));
}

function cutOperands(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const match of text.matchAll(/\s*,\s*(?:and\s+)?|\s+(?:and|&)\s+/gi)) {
    const left = text.slice(start, match.index);
    const right = text.slice(match.index + match[0].length);
    if (!beginsOperand({ left, right })) continue;
    parts.push(left);
    start = match.index + match[0].length;
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter(Boolean);
}

function beginsOperand({ left, right }: { left: string; right: string }): boolean {
  const startsNumber = /^[-$€£]?\.?\d/.test(right);
  if (startsNumber) return /^(?:the result of step )?[-$€£]?\.?\d[\d.,%]*$/.test(left.trim());
  if (!OWN_ATTRIBUTES.test(left)) return true;
  return !ATTRIBUTE_START.test(right) || OWN_ATTRIBUTES.test(right.split(/,|\band\b/)[0] ?? "");
}

/** A description split into what is described and how: "a circle" + "radius 5". */
export interface Described {
  core: string;
  /** The word that introduces the attributes ("with", "where"); empty if there is none. */
  link: string;
  attributes: string;
}

/** Splits "a circle with radius 5" at the word that introduces its attributes. */
export function splitDescription(text: string): Described {
  const match = /\s*,?\s*\b(with|having|whose|where|measuring|that has|given)\b\s+/i.exec(text);
  if (!match) return { core: text.trim(), link: "", attributes: "" };
  return {
    core: text.slice(0, match.index).trim(),
    link: (match[1] ?? "with").toLowerCase(),
    attributes: text.slice(match.index + match[0].length).trim(),
  };
}

/** Splits attributes into single ones: "length 8 and width 5", "n is the area of a square with side 2". */
export function splitAttributes(attributes: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const match of attributes.matchAll(
    /\s*,\s*(?:and\s+)?(?:with\s+)?|\s+and\s+(?:with\s+)?/gi,
  )) {
    const left = attributes.slice(start, match.index);
    const right = attributes.slice(match.index + match[0].length);
    if (OWN_ATTRIBUTES.test(left) || !ATTRIBUTE_START.test(right)) continue;
    parts.push(left);
    start = match.index + match[0].length;
  }
  return [...parts, attributes.slice(start)].map((part) => part.trim());
}
