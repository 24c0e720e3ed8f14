import { calculationFor } from "./amounts.js";
import { type OperationBehind, operationBehind } from "./combinations.js";
import { findExpression } from "./expressions.js";
import { newGoals, valueOf } from "./goals.js";
import { type Reading, addStep, earlierValue, resultOf } from "./reading.js";
import { factsAbout, isFact, readGiven, withGiven } from "./given.js";
import { readMentions } from "./quantities.js";
import { type Clause, readClauses, withoutItemNumbers } from "./sentences.js";
import { conceptsOf } from "./text.js";
import { findSubject, findThings } from "./things.js";

/** The start of a command that asks for a value, which the rest describes. */
const ASK_START =
  /^(?:calculat\w*|comput\w*|find(?:s|ing)?(?:\s+out)?|determin\w*|evaluat\w*|obtain|get|show me|work(?:s|ing)? out|figur\w+ out|give me|tell me|(?:wants?|needs?|likes?) to know|what(?:'s|\s+is|\s+are|\s+will be|\s+would be)?|how (?:large|big|great|much) (?:is|are)(?=\s+the\b))\s+(?=(?:the|its|their|an?|this|that|if|whether|\d+(?:st|nd|rd|th)?|`|[\p{L}]+['’]s|[\p{L}\s]+ of)\b|`)/iu;

/** A noun counts as the result of a verb if they share this many first letters. */
const SAME_START = 5;

/** Splits a request into steps, in the order in which they have to be done. */
export async function splitRequest(asked: string): Promise<string[]> {
  const request = withoutItemNumbers(asked);
  if (!request.trim()) return [];
  const expression = findExpression(request);
  if (expression && !expression.rest) return expression.steps;
  const reading: Reading = { steps: [], results: [], things: [], facts: [] };
  for (const step of expression?.steps ?? []) addStep({ text: step, reading });
  await readInto(expression?.rest ?? request, reading);
  return reading.steps.length > 0 ? reading.steps : [request.trim()];
}

/**
 * The steps of a task that may refer to results of earlier tasks ("the sum", "its area"), which are called "the result
 * of step 1" and so on.
 */
export async function readAfter(options: {
  task: string;
  earlier: readonly string[];
}): Promise<string[]> {
  const { task, earlier } = options;
  const reading: Reading = { steps: [], results: [], things: [], facts: [] };
  for (const [at, text] of earlier.entries()) {
    await readInto(text, reading);
    const last = reading.results.findLast(({ step }) => step > at);
    const before = reading.results.filter(({ step }) => step <= at);
    // However many steps a task was read as, it has one result.
    const concepts = [...(last?.concepts ?? []), ...conceptsOf(readGiven(text).asked)];
    reading.results = [...before, { ...last, step: at + 1, concepts }];
    reading.steps = [...reading.steps.slice(0, at), text];
  }
  await readInto(task, reading);
  return reading.steps.slice(earlier.length);
}

/** Adds the steps, things and facts of a text. */
async function readInto(request: string, reading: Reading): Promise<void> {
  const clauses = await readClauses(request);
  reading.facts = factsOf(clauses);
  for (const { kind, text } of clauses) {
    const literal = /\b(?:number|integer|value)\s+(-?\d[\d,.]*\d|\d)/i.exec(text)?.[1];
    if (kind === "background") {
      if (literal) reading.literal = literal;
      const things = findThings(text);
      const subject = reading.things.length === 0 ? findSubject(text) : undefined;
      reading.things.push(...(things.length === 0 && subject ? [subject] : things));
    } else readCommand(text, reading);
  }
}

/** The facts of a request, wherever they are: a question may come before the facts that it needs. */
function factsOf(clauses: readonly Clause[]): string[] {
  return clauses
    .filter(({ kind, text }) => kind === "background" && isFact(text))
    .map(({ text }) => text.replace(/[\s.;,!]+$/, ""));
}

function readCommand(text: string, reading: Reading): void {
  const behind = operationBehind(text);
  if (behind) {
    readOperation(behind, reading);
    return;
  }
  const before = reading.steps.length;
  // Only for the first step: earlier results have no units.
  const calculation =
    before === 0 ? calculationFor({ question: text, facts: reading.facts }) : undefined;
  if (calculation) {
    addStep({ text: calculation, reading });
    return;
  }
  const asked = ASK_START.exec(text);
  if (asked) readQuestion(text.slice(asked[0].length), reading);
  else readOrder(text, reading);
  addFacts(reading, before);
}

/** Adds facts of the request to the new steps that do not state their values themselves. */
function addFacts(reading: Reading, from: number): void {
  reading.steps = reading.steps.map((step, at) =>
    at >= from && needsFacts(step)
      ? withGiven({ asked: step, facts: factsAbout(step, reading.facts) })
      : step,
  );
}

/** "The area of …, plus 10": what comes before the operation is the first step. */
function readOperation({ whole, other, inWords }: OperationBehind, reading: Reading): void {
  const before = reading.steps.length;
  readCommand(whole, reading);
  const after = reading.steps.length;
  const asked = whole.replace(ASK_START, "");
  const value = after > before ? resultOf(after) : valueOf(asked, reading);
  const named = other === undefined ? "" : valueOf(other, reading);
  addFacts(reading, after);
  addStep({ text: inWords(value, named), reading });
}

/** Whether a step does not state its values itself, as "with a radius of 5" or "of the result of step 1" do. */
function needsFacts(step: string): boolean {
  const mentions = readMentions(step).filter(({ kind }) => kind !== "name");
  const isDescribed = /\b(?:of|with|from|to|by)\b[^,]*\d/i.test(step);
  return mentions.length === 0 || (!isDescribed && mentions.every(({ kind }) => kind === "number"));
}

function readOrder(text: string, reading: Reading): void {
  const calculation = readCalculation(text, reading);
  if (calculation) addStep({ text: calculation, reading });
  else if (!isReplyFormat(text)) addStep({ text: withEarlierValues(text, reading), reading });
}

/** "The result" asks for nothing new; "if it is a prime number" asks for a check. */
function readQuestion(text: string, reading: Reading): void {
  if (/^the result of step \d+$/i.test(text)) return;
  const check = /^(?:if|whether)\s+(.+?)\s+(is|are|has|have)\s+(.+)$/i.exec(text);
  if (check) {
    const value = valueOf(check[1] ?? "", reading);
    addStep({ text: `check if ${value} ${check[2]} ${check[3]}`, names: check[3] ?? "", reading });
  } else if (!earlierValue(text, reading)) newGoals(text, reading);
}

/** "Add it to A", "subtract 10", "divide A by B"; if only one value is said, the other is the last result. */
function readCalculation(text: string, reading: Reading): string | undefined {
  const match = /^(add|subtract|multiply|divide)\s+(.+)$/i.exec(text);
  const [, verb = "", rest = ""] = match ?? [];
  const link = /^(.+?)\s+(?:to|from|by|with|and|into)\s+(.+)$/i.exec(rest);
  const last = reading.results.at(-1);
  const isNumeric = /^[\d\p{L}]+$/u.test(rest.trim()) && last !== undefined;
  if (!match || (!link && !isNumeric)) return undefined;
  const isValue = (part: string): boolean =>
    /^[-$]?\.?\d[\d.,]*[%$]?$|^(?:it|this|that|them)$|^(?:the|its)\s.+\sof\s|['’]s\s/i.test(
      part.trim(),
    ) || earlierValue(part, reading) !== undefined;
  if (link && (!isValue(link[1] ?? "") || !isValue(link[2] ?? ""))) return undefined;
  const one = link ? valueOf(link[1] ?? "", reading) : rest.trim();
  const other = link ? valueOf(link[2] ?? "", reading) : `the result of step ${last?.step}`;
  const words: Record<string, string> = {
    add: `add ${one} to ${other}`,
    subtract: `subtract ${one} from ${other}`,
    multiply: link
      ? `multiply ${one} by ${other}`
      : `multiply ${other} by ${one.replace(/^by /, "")}`,
    divide: link ? `divide ${one} by ${other}` : `divide ${other} by ${one.replace(/^by /, "")}`,
  };
  return words[verb.toLowerCase()];
}

/** Replaces "it", "the result", "the translation" by references to earlier steps. */
function withEarlierValues(text: string, reading: Reading): string {
  const last = reading.results.at(-1);
  if (!last) return text;
  return text
    .replace(/^(\p{L}+)\s+(?:it|them)\b/iu, `$1 the result of step ${last.step}`)
    .replaceAll(
      /\b(?:the|this|that)\s+(?:(?:final|last|previous)\s+)?\p{L}+\b(?!\s+of\b)/giu,
      (said) => {
        const result = earlierValue(said, reading) ?? nameOfAction(said, reading);
        return result ?? said;
      },
    );
}

/** "The translation" is the result of an earlier "translate …". */
function nameOfAction(said: string, { steps }: Reading): string | undefined {
  const noun = said.split(/\s+/).at(-1)?.toLowerCase() ?? "";
  if (!/(?:ion|ment|ing|al|y)$/.test(noun)) return undefined;
  const step = steps.findLastIndex((text) => {
    const verb = text.split(/\s+/)[0]?.toLowerCase() ?? "";
    return verb.length >= SAME_START && noun.slice(0, SAME_START) === verb.slice(0, SAME_START);
  });
  return step < 0 ? undefined : `the result of step ${step + 1}`;
}

function isReplyFormat(text: string): boolean {
  return /^(?:respond|answer|reply|return)\b.*\b(?:only|either|with)\b/i.test(text);
}
