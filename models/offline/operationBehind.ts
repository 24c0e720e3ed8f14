/** An operation after the value that it applies to. */
export interface OperationBehind {
  /** The text before it. */
  whole: string;
  operation: {
    /** The other value, as written; absent if the operation implies it. */
    with?: string;
    /** The operation as a step of its own. */
    inWords: (value: string, other: string) => string;
  };
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

/** Words for a value made of several: without a comma, the operation may belong to the last of them. */
const COMBINED = /\b(?:sum|total|difference|product|ratio|quotient|between|both)\b/i;

/**
 * The last operation of "the area of a circle of radius 3, plus 10" or "…, doubled"; undefined if there is none, or if
 * it is unclear what it applies to.
 */
export function operationBehind(text: string): OperationBehind | undefined {
  const said = text.trim().replace(/\s*[.?!]+$/, "");
  if (/["“”]/.test(said)) return undefined;
  const change = CHANGE.exec(said)?.groups;
  const inWords = CHANGES[change?.["change"]?.toLowerCase() ?? ""];
  if (change && inWords) return { whole: change["whole"] ?? "", operation: { inWords } };
  return signBehind(said);
}

/** Operations apply in their written order, so the last one applies to everything before it. */
function signBehind(said: string): OperationBehind | undefined {
  for (const match of [...said.matchAll(SIGN)].toReversed()) {
    const { comma = "", sign = "" } = match.groups ?? {};
    const whole = said.slice(0, match.index);
    const value = said.slice(match.index + match[0].length);
    const inWords = SIGNS[sign.toLowerCase()];
    const isPlain = comma.includes(",") || (!COMBINED.test(whole) && !/\d$/.test(whole));
    if (inWords && whole && isPlain && VALUE.test(value)) {
      return { whole, operation: { with: value, inWords } };
    }
  }
  return undefined;
}
