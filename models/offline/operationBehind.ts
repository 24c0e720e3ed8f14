/** An operation that a text says behind the value which it is done to. */
export interface OperationBehind {
  /** The text before it. */
  whole: string;
  operation: {
    /** The other value, as written; absent where the operation says it itself. */
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

/** A number that is no share of another one, or a value that is described. */
const VALUE = /^(?:[-$€£]?\.?\d(?!.*(?:%|\bpercent\b))|(?:the|its|their|this|that|it)\b)/i;

const CHANGE = new RegExp(
  String.raw`^(?<whole>.+)\s*,\s*(?:and\s+)?(?:then\s+)?(?<change>${Object.keys(CHANGES).join("|")})$`,
  "i",
);

/** Words of a value that is made of several, so that without a comma the operation may belong to the last. */
const COMBINED = /\b(?:sum|total|difference|product|ratio|quotient|between|both)\b/i;

/**
 * The last operation of "the area of a circle of radius 3, plus 10" or "…, doubled"; undefined where there is
 * none, or where it is not plain what it is done to.
 */
export function operationBehind(text: string): OperationBehind | undefined {
  const said = text.trim().replace(/\s*[.?!]+$/, "");
  if (/["“”]/.test(said)) return undefined;
  const change = CHANGE.exec(said)?.groups;
  const inWords = CHANGES[change?.["change"]?.toLowerCase() ?? ""];
  if (change && inWords) return { whole: change["whole"] ?? "", operation: { inWords } };
  return signBehind(said);
}

/** Operations are done in the order in which they are said, so that the last one is done to all before it. */
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
