/** Relative difference up to which a number counts as the wanted one. */
const TOLERANCE = 0.005;

/**
 * Relative difference up to which a number that rounds to a whole key counts as the wanted one: a key of 39 accepts
 * 39.27, whereas 5.75 packets are not 6.
 */
const WHOLE_TOLERANCE = 0.02;

/** Differences up to this one are rounding errors, even for a key of 0. */
const ABSOLUTE_TOLERANCE = 1e-9;

const DIGITS = String.raw`(?:\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+(?!\d)|\d+)`;
const DECIMAL = String.raw`(?:${DIGITS}(?:\.\d+)?|\.\d+)`;
const EXPONENT = String.raw`(?:[eE][+-]?\d+|\s*(?:\\times|[×·*x])\s*10\s*\^\s*\{?\(?[+-]?\d+)`;

/**
 * A number as people and models write it. Digits inside a word and exponents of units (m^2) do not count, and a hyphen
 * after a word or a number is not a sign.
 */
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\d^]|\d\.|[\p{L}\d]_)(?<sign>(?<![\p{L}\d)\]])[+-])?\$?(?<digits>${DECIMAL})(?<exponent>${EXPONENT})?(?:\s*\/\s*(?<divisor>${DECIMAL}))?(?<percent>\s*(?:%|\\%|percent\b))?(?<ordinal>(?:st|nd|rd|th)\b)?`,
  "gu",
);

/**
 * The numbers in a text, with signs, thousands separators, exponents (1.2e6, 1.2 × 10^6), fractions (3/4, \frac{3}{4})
 * and percentages, which count both as written and as a share. Numbers in words and ordinals (the 7th) do not count.
 */
export function numbersIn(text: string): number[] {
  return [...plainNumerals(text).matchAll(NUMBER)].flatMap(({ groups = {} }) => {
    if (groups["ordinal"]) return [];
    const value = valueOf(groups);
    if (!Number.isFinite(value)) return [];
    return groups["percent"] ? [value, value / 100] : [value];
  });
}

/** The number if the whole text is one, such as "3,628,855"; otherwise undefined. */
export function numberOf(text: string): number | undefined {
  const trimmed = text.trim();
  const [value, ...others] = /^[-+$\d.,]+$/.test(trimmed) ? numbersIn(trimmed) : [];
  return others.length === 0 ? value : undefined;
}

/**
 * Whether a number matches a key: it differs by at most 0.5 %, or is equal once rounded to the decimals of the key (for
 * a key without decimals only within 2 %).
 */
export function isWanted({ number, key }: { number: number; key: number }): boolean {
  const distance = Math.abs(number - key);
  if (distance <= Math.max(ABSOLUTE_TOLERANCE, TOLERANCE * Math.abs(key))) return true;
  const decimals = decimalsOf(key);
  if (decimals === 0 && distance > WHOLE_TOLERANCE * Math.abs(key)) return false;
  return Math.abs(roundTo(number, decimals) - key) <= ABSOLUTE_TOLERANCE;
}

/** Unifies different ways to write numbers. */
function plainNumerals(text: string): string {
  return text
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+/g, (digits) => `^${digits.normalize("NFKC")}`)
    .replaceAll(/\\d?frac\{([^{}]+)\}\{([^{}]+)\}/g, "$1/$2")
    .replaceAll("{,}", ",")
    .replaceAll(/(\d)\\,(?=\d{3})/g, "$1,")
    .replaceAll(/[−‐‑]/g, "-");
}

function valueOf(groups: Record<string, string | undefined>): number {
  const { sign = "", digits = "", exponent = "", divisor } = groups;
  const power = /[+-]?\d+$/.exec(exponent)?.[0] ?? "0";
  const value = Number(`${sign}${withoutSeparators(digits)}e${power}`);
  return divisor === undefined ? value : value / Number(withoutSeparators(divisor));
}

function withoutSeparators(digits: string): string {
  return digits.replaceAll(/[,\u00a0\u2009\u202f]/g, "");
}

function decimalsOf(value: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  return Math.max(0, (mantissa.split(".")[1]?.length ?? 0) - Number(exponent));
}

/** Rounds the decimal representation, so that 1.005 becomes 1.01. */
function roundTo(value: number, decimals: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + decimals}`));
  return Number(`${shifted}e${-decimals}`);
}
