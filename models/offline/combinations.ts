import { splitDescription, splitOperands } from "./operands.js";
import { type Reading, addStep, earlierValue, resultOf } from "./reading.js";
import { conceptsOf } from "./text.js";

/** Words for a value made of several. */
export const COMBINED = /\b(?:sum|total|difference|product|ratio|quotient|between|both)\b/i;

/** A noun phrase that may describe a value made of others. */
export interface Phrase {
  text: string;
  reading: Reading;
  /** Adds the steps for a value inside the phrase; returns how later steps refer to it. */
  resolve: (text: string) => string;
}

const BOTH =
  /^(?:them|(?:these|those|the|their)\s+(?:two\s+|both\s+)?([\p{L}\s]+s)|both(?:\s+[\p{L}\s]+)?)$/iu;
/** Steps that make one value of two, by the noun a request uses. */
const COMBINATIONS: Record<string, (one: string, other: string) => string> = {
  sum: (one, other) => `add ${one} and ${other}`,
  total: (one, other) => `add ${one} and ${other}`,
  difference: (one, other) => `find the difference between ${one} and ${other}`,
  product: (one, other) => `multiply ${one} by ${other}`,
  ratio: (one, other) => `divide ${one} by ${other}`,
  quotient: (one, other) => `divide ${one} by ${other}`,
};

/** Powers that have a noun of their own. */
const POWERS: Record<string, number> = { squares: 2, cubes: 3 };

/** "Sum of the area and the perimeter of X", "ratio of A to B", "sum of squares of A and B". */
export function combined({ text, reading, resolve }: Phrase): string | undefined {
  const match =
    /^(?:absolute\s+)?(sum|total|difference|product|ratio|quotient)\s+(in\s+[\p{L}\s]+?\s+)?(?:of|between|in)\s+(.+)$/iu.exec(
      text,
    );
  const [, name = "", sharedHead = "", whole = ""] = match ?? [];
  const combine = COMBINATIONS[name.toLowerCase()];
  if (!combine) return undefined;
  const rest = whole
    .replace(/^((?:the\s+)?[\p{L}\s-]+?\sof\s)?both\s+/iu, "$1")
    .replace(/\s+combined$/i, "");
  const power = /^(?:the\s+)?(squares|cubes)\s+of\s+(.+)$/i.exec(rest);
  const operands = operandsOf({
    text: power?.[2] ?? rest,
    separator: name,
    head: sharedHead.replace(/^in\s+/i, ""),
    reading,
  });
  if (operands.length < 2) return undefined;
  const values = operands.map((operand) => resolve(operand));
  const exponent = power ? POWERS[(power[1] ?? "").toLowerCase()] : undefined;
  const raised =
    exponent === undefined
      ? values
      : values.map((value) =>
          addStep({ text: `raise ${value} to the power of ${exponent}`, reading }),
        );
  const [first = "", ...others] = raised;
  return others.reduce(
    (sofar, value) => addStep({ text: combine(sofar, value), names: name, reading }),
    first,
  );
}

/** The operands of a combination as self-contained noun phrases. */
function operandsOf(options: {
  text: string;
  separator: string;
  head: string;
  reading: Reading;
}): string[] {
  const { text, separator, head, reading } = options;
  const both = BOTH.exec(text.trim());
  if (both) return lastTwo(both[1] ?? "", reading);
  const ratio = /^(ratio|quotient)$/i.test(separator)
    ? /^(.+?)\s+(?:to|and|by)\s+((?:the|its|an?|this|that)\s+.+|[\d.]+)$/i.exec(text)
    : undefined;
  const parts = ratio ? [ratio[1] ?? "", ratio[2] ?? ""] : splitOperands(text);
  if (parts.length < 2) return [];
  if (head) return parts.map((part) => `the ${head.trim()} of ${part}`);
  return shareHead(parts) ?? shareOwner(parts, reading);
}

/** "The areas of a circle and a square" → the area of a circle, the area of a square. */
function shareHead([first = "", ...others]: string[]): string[] | undefined {
  const plural =
    /^(?:the\s+)?((?:(?!of\b|with\b)[\p{L}-]+\s+)*(?:(?!of\b|with\b)[\p{L}-]+)(?<!u|s|i)s)\s+of\s+(.+)$/iu.exec(
      first,
    );
  const hasOwnHeads = others.some((other) => / of /i.test(splitDescription(other).core));
  if (!plural || hasOwnHeads || others.length === 0) return undefined;
  const words = (plural[1] ?? "").split(/\s+/);
  const last = words.pop() ?? "";
  const head = [...words, last.replace(/s$/, "")].join(" ");
  return [plural[2] ?? "", ...others].map((thing) => `the ${head} of ${thing}`);
}

/** "The area and the perimeter of X" → the area of X, the perimeter of X. */
export function shareOwner(parts: string[], reading: Reading): string[] {
  const owner = /\s+(?:of|for)\s+(.+)$/i.exec(parts.at(-1) ?? "")?.[1];
  if (!owner) return parts;
  return parts.map((part) => {
    const isBare = !/ (?:of|for|with) |['’]s? |\d|^(?:it|this|that|its)\b/i.test(part);
    return isBare && !earlierValue(part, reading) ? `${part} of ${owner}` : part;
  });
}

function lastTwo(names: string, { results }: Reading): string[] {
  const wanted = conceptsOf(names.replaceAll(/\b(?:two|both|values?|results?|numbers?)\b/gi, ""));
  const named = results.filter(({ concepts }) => wanted.every((one) => concepts.includes(one)));
  return (named.length >= 2 ? named : results).slice(-2).map(({ step }) => resultOf(step));
}

/** "10 meters less than the base of the park", "twice the area": one step from another value. */
export function changed({ text, reading, resolve }: Phrase): string | undefined {
  const less =
    /^([-$€£]?[\d.,]+)(?:\s+\p{L}+)?\s+(less|fewer|smaller|more|greater|longer|larger)\s+than\s+(.+)$/iu.exec(
      text,
    );
  if (less) {
    const value = resolve(less[3] ?? "");
    const isLess = /^(?:less|fewer|smaller)$/i.test(less[2] ?? "");
    const step = isLess ? `subtract ${less[1]} from ${value}` : `add ${value} and ${less[1]}`;
    return addStep({ text: step, reading });
  }
  const times =
    /^(?:(twice|double)|half(?:\s+of)?|(\d+)\s+times)\s+((?:the|its|this|that)\s+.+)$/i.exec(text);
  if (!times) return undefined;
  const value = resolve(times[3] ?? "");
  const factor = times[2] ?? "2";
  const isHalf = /^half/i.test(text);
  return addStep({
    text: isHalf ? `divide ${value} by 2` : `multiply ${value} by ${factor}`,
    reading,
  });
}

/** "Standard deviation of the areas of A, B and C": first each value, then all together. */
export function overSeveral({ text, reading, resolve }: Phrase): string | undefined {
  const match = /^(.+?)\s+(?:of|for|between|among)\s+(.+)$/i.exec(text);
  const [, head = "", rest = ""] = match ?? [];
  const operands = shareOwner(splitOperands(rest), reading);
  if (operands.length < 2 || / with /i.test(head)) return undefined;
  const parts =
    shareHead(operands) ??
    (operands.every((one) => / of |['’]s |^(?:it|this|that)\b/i.test(one)) ? operands : undefined);
  if (!parts) return undefined;
  const values = parts.map((part) => resolve(part));
  const list = `${values.slice(0, -1).join(", ")} and ${values.at(-1)}`;
  return addStep({ text: `find the ${head} of ${list}`, names: head, reading });
}

/** An operation after the value that it applies to. */
export interface OperationBehind {
  /** The text before it. */
  whole: string;
  /** The other value, as written; absent if the operation implies it. */
  other?: string;
  /** The operation as a step of its own. */
  inWords: (value: string, other: string) => string;
}

const SIGNS: Record<string, (value: string, other: string) => string> = {
  plus: (value, other) => `add ${other} to ${value}`,
  minus: (value, other) => `subtract ${other} from ${value}`,
  times: (value, other) => `multiply ${value} by ${other}`,
  "multiplied by": (value, other) => `multiply ${value} by ${other}`,
  "divided by": (value, other) => `divide ${value} by ${other}`,
};

const CHANGES: Record<string, (value: string) => string> = {
  doubled: (value) => `multiply ${value} by 2`,
  tripled: (value) => `multiply ${value} by 3`,
  halved: (value) => `divide ${value} by 2`,
  squared: (value) => `raise ${value} to the power of 2`,
  cubed: (value) => `raise ${value} to the power of 3`,
};

const SIGN = new RegExp(
  String.raw`(?<comma>\s*,\s*(?:and\s+)?(?:then\s+)?|\s+)(?<sign>${Object.keys(SIGNS).join("|")})\s+`,
  "gi",
);

/** A number that is not a percentage, or a description of a value. */
const VALUE = /^(?:[-$€£]?\.?\d(?!.*(?:%|\bpercent\b))|(?:the|its|their|this|that|it)\b)/i;

const CHANGE = new RegExp(
  String.raw`^(?<whole>.+)\s*,\s*(?:and\s+)?(?:then\s+)?(?<change>${Object.keys(CHANGES).join("|")})$`,
  "i",
);

/**
 * The last operation of "the area of a circle of radius 3, plus 10" or "…, doubled"; undefined if there is none, or if
 * it is unclear what it applies to.
 */
export function operationBehind(text: string): OperationBehind | undefined {
  const said = text.trim().replace(/\s*[.?!]+$/, "");
  if (/["“”]/.test(said)) return undefined;
  const change = CHANGE.exec(said)?.groups;
  const inWords = CHANGES[change?.["change"]?.toLowerCase() ?? ""];
  if (change && inWords) return { whole: change["whole"] ?? "", inWords };
  return signBehind(said);
}

/** Operations apply in their written order, so the last one applies to everything before it. */
function signBehind(said: string): OperationBehind | undefined {
  for (const match of [...said.matchAll(SIGN)].toReversed()) {
    const { comma = "", sign = "" } = match.groups ?? {};
    const whole = said.slice(0, match.index);
    const other = said.slice(match.index + match[0].length);
    const inWords = SIGNS[sign.toLowerCase()];
    // Without a comma, the operation may belong to the last of several values.
    const isPlain = comma.includes(",") || (!COMBINED.test(whole) && !/\d$/.test(whole));
    if (inWords && whole && isPlain && VALUE.test(other)) return { whole, other, inWords };
  }
  return undefined;
}
