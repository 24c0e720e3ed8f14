import { NUMBER_WORDS, type ReadText, readText } from "./texts.js";

/** One step of a request: whatever one call does, or an operation on numbers. */
export interface Step extends ReadText {
  /** In words that can be read again; "the result of step 1" stands for the first one's result. */
  text: string;
  sum?: SumStep;
}

/** Outside of quoted texts, in which "then" and "it" are words like any other. */
const OUTSIDE = String.raw`(?=(?:[^"“”\x60]*["“\x60][^"“”\x60]*["”\x60])*[^"“”\x60]*$)`;

const THEN = new RegExp(String.raw`(?:\s*[.;,!?]\s*|\s+)(?:and\s+)?then\b,?\s*${OUTSIDE}`, "i");

const LAST_RESULT = new RegExp(
  String.raw`\b(?:it|this|that|the (?:(?:final|last|previous) )?(?:result|answer))\b(?! of step)${OUTSIDE}`,
  "i",
);

/** Reads a request as clauses joined by "then". @throws Refusal if it cannot be read */
export function readRequest(request: string): Step[] {
  const steps: Step[] = [];
  const [first = "", ...others] = request.trim().split(THEN);
  const start = others.length > 0 ? first.replace(/^first,?\s+/i, "") : first;
  for (const clause of [start, ...others]) {
    const done = steps.length;
    const sum = readSum(clause, done).map(stepText);
    const result = `the result of step ${done}`;
    const call = done > 0 ? clause.replace(LAST_RESULT, result) : clause;
    steps.push(...(sum.length > 0 ? sum : [call]).map(readStep));
  }
  return steps;
}

/** Reads one step alone; results in it are written "the result of step 1". @throws Refusal if it cannot be read */
export function readStep(text: string): Step {
  const [sum, ...others] = readSum(text, 0);
  if (!sum || others.length > 0) return { ...readText(text), text };
  // The values are in the order of the operation, whatever that of the words is.
  const literals = sum.operands
    .flatMap((operand) => readText(operand).literals)
    .map((literal) => ({ ...literal, isListed: true, near: [] }));
  return { text, sum, phrase: sum.operation.phrase, literals, words: [], said: [] };
}

/** An operation on numbers: how it is searched for, what tools call it, and how it is written as a step. */
export interface Operation {
  phrase: string;
  /** Words, any group of which names a tool that does it. */
  names: string[];
  /** With A and B for its numbers. */
  step: string;
}

/** One operation of a sum, on numbers and results of earlier steps as written. */
interface SumStep {
  operation: Operation;
  operands: string[];
}

const ADD = operation("add two numbers", "add|sum|plus|addition", "add A and B");
const SUBTRACT = operation(
  "subtract two numbers",
  "subtract|minus|difference",
  "subtract B from A",
);
const MULTIPLY = operation("multiply two numbers", "multiply|times|product", "multiply A by B");
const DIVIDE = operation("divide two numbers", "divide|quotient|ratio|division", "divide A by B");
const POWER = operation(
  "raise a number to a power",
  "power|raise power|pow",
  "raise A to the power of B",
);
const ROOT = operation("square root of a number", "square root|sqrt|root", "square root of A");

function operation(phrase: string, names: string, step: string): Operation {
  return { phrase, names: names.split("|"), step };
}

/** A step in words that can be read again. */
function stepText({ operation: { step }, operands: [a = "", b = ""] }: SumStep): string {
  return step.replaceAll(/\b[AB]\b/g, (letter) => (letter === "A" ? a : b));
}

const ASKING =
  /^(?:(?:please|can you|could you|what is|what's|how much is|calculate|compute|evaluate|work out|find|determine|give me|tell me|the (?:value|result) of(?! step))\s+)+/;

/** Words of operations as signs. */
const SIGNS: readonly [RegExp, string][] = [
  [/\braise\b|\braised\b/g, ""],
  [/\bto the power(?: of)?\b|\*\*/g, "^"],
  [/\bmultiplied by\b|\btimes\b|[×·]|(?<=\d ?)x(?= ?\d)/g, "*"],
  [/\bdivided by\b|÷/g, "/"],
  [/\bplus\b/g, "+"],
  [/\bminus\b|−/g, "-"],
  [/,? and |, | with /g, " , "],
  ...NUMBER_WORDS.map((word, number): [RegExp, string] => [
    new RegExp(`\\b${word}\\b`, "g"),
    `${number}`,
  ]),
];

const RESULT =
  /the results? of step \d+|\b(?:it|this|that|the (?:(?:final|last|previous) )?(?:result|answer|value))\b/g;

const DIGITS = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\p{L}\d]|[.,]\d)`;

/** What -2 ^ 2 means is not certain. */
const NUMBER = new RegExp(
  String.raw`(?<=^|[-+*/^(,] ?|\b(?:of|by|to|from|add|subtract|multiply|divide) )-${DIGITS}(?! ?\^)|(?<![\p{L}\d#.])${DIGITS}`,
  "gu",
);

/** A number or a part that was read, as # and its position. */
const V = String.raw`#\d+`;
const LIST = `${V}(?: , ${V})+`;

/** Commands as sums in signs; #0 is the last result. */
const COMMANDS: readonly [RegExp, string][] = [
  [new RegExp(`^add (${V}) to (${V})$`), "$1 + $2"],
  [new RegExp(`^add (${LIST})$`), "sum of $1"],
  [new RegExp(`^subtract (${V}) from (${V})$`), "$2 - $1"],
  [new RegExp(`^multiply (${V}) (?:by|,) (${V})$`), "$1 * $2"],
  [new RegExp(`^divide (${V}) by (${V})$`), "$1 / $2"],
  [new RegExp(`^add (${V})$`), "#0 + $1"],
  [new RegExp(`^subtract (${V})$`), "#0 - $1"],
  [new RegExp(`^multiply by (${V})$`), "#0 * $1"],
  [new RegExp(`^divide by (${V})$`), "#0 / $1"],
];

/** A sign after an operation in words may belong to its last number. */
const END = String.raw`(?! ?[-+*/^,\d])`;
const START = "(?<!(?:of|[-+*/^,]) ?)";
const MIDDLE = "(?<!(?:of|[*/^,]) ?)";

/**
 * What is done with the numbers of a form; what comes first here binds first. "The square root of 16 plus 9" and
 * "multiply 2 by 3 + 4" can mean two things, and fit no form.
 */
const FORMS: readonly [RegExp, Operation?][] = [
  [new RegExp(String.raw`\( ?${V} ?\)`)],
  [new RegExp(`(?:the )?(?:square root of|sqrt) ?${V}${END}`), ROOT],
  [new RegExp(`(?:the )?sum of ${LIST}${END}`), ADD],
  [new RegExp(`(?:the )?product of ${LIST}${END}`), MULTIPLY],
  [new RegExp(`(?:the )?quotient of ${V} , ${V}${END}`), DIVIDE],
  [new RegExp(String.raw`(?<!(?:of|,) ?)${V} ?\^ ?${V}(?! ?\^)`), POWER],
  [new RegExp(String.raw`${MIDDLE}${V} ?\* ?${V}(?! ?\^)`), MULTIPLY],
  [new RegExp(String.raw`${MIDDLE}${V} ?/ ?${V}(?! ?\^)`), DIVIDE],
  [new RegExp(String.raw`${START}${V} ?\+ ?${V}(?! ?[*/^])`), ADD],
  [new RegExp(`${START}${V} ?- ?${V}(?! ?[*/^])`), SUBTRACT],
];

/**
 * Reads arithmetic in signs and words.
 *
 * @param text a clause of a request
 * @param done the steps before it; "it" is the result of the last
 * @returns its operations in an order in which they can be done; none if the clause as a whole is not a sum
 */
function readSum(text: string, done: number): SumStep[] {
  const steps: SumStep[] = [];
  const last = done > 0 ? resultOf(done) : "";
  const parts = [last];
  const part = (value: string) => `#${parts.push(value) - 1}`;
  const asked = text
    .trim()
    .toLowerCase()
    .replace(/[?.=]+$/, "")
    .replace(ASKING, "");
  const signed = SIGNS.reduce((said, [words, sign]) => said.replaceAll(words, sign), asked);
  const parted = signed
    .replaceAll(RESULT, (said) => (/\d$/.test(said) ? part(said) : last ? "#0" : said))
    .replaceAll(NUMBER, (number) => part(number.replaceAll(",", "")))
    .replaceAll(/\s+/g, " ");
  let left = COMMANDS.reduce((said, [form, sum]) => said.replace(form, sum), parted.trim());
  if (!last && left.includes("#0")) return [];
  const apply = (operation: Operation, ...operands: string[]) =>
    resultOf(done + steps.push({ operation, operands }));
  for (;;) {
    const [form, does] = FORMS.find(([one]) => one.test(left)) ?? [];
    if (!form) return /^#\d+$/.test(left) ? steps : [];
    left = left.replace(form, (said) => {
      const values = [...said.matchAll(/#(\d+)/g)].map(([, at]) => parts[Number(at)] ?? "");
      const [first = "", ...others] = values;
      if (does === ROOT) return part(apply(ROOT, first));
      return part(others.reduce((sum, value) => (does ? apply(does, sum, value) : sum), first));
    });
  }
}

function resultOf(step: number): string {
  return `the result of step ${step}`;
}
