import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { PlanReference } from "../../plans/steps/plan.js";
import { isReference, isText, partsOf } from "../../plans/steps/references.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import { wordsOf } from "../../tools/library/vectors/embedding.js";
import { termsOf } from "../../tools/library/words/words.js";
import type { RunRecord } from "../runs/runRecord.js";
import { numberOf, numbersIn } from "./numbersInText.js";
import type { Score, Scored, ToolShape } from "./scorer.js";
import { solutionOf } from "./solution.js";

/** The contents of texts, to decide whether a value can come from them; computed on demand. */
type Evidence = ReturnType<typeof evidenceOf>;

/** A date, with or without a time. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/;

const NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split(" ");

const MONTHS =
  "january february march april may june july august september october november december".split(
    " ",
  );

/**
 * What a run made up. All calls that the model wanted are judged, since a call of an unknown tool is never carried out;
 * for a mere plan, all its steps. Undefined if the tools are unknown.
 */
export const hallucinationRate: Score = ({ task, run, tools }) => {
  if (!tools) return undefined;
  const { background = "" } = run.settings;
  const texts = [task.query, String(background)];
  const lacking = valueOrigins({ texts, calls: wantedCalls(run), tools });
  return lacking.filter(Boolean).length / Math.max(1, lacking.length);
};

/** The steps of a mere plan, otherwise the calls. */
function wantedCalls(run: Scored["run"]): WantedCall[] {
  const { calls, isPlanned } = solutionOf(run);
  if (isPlanned) return [...calls];
  return run.calls
    .filter(({ tool }) => !CONTROL_NAMES.includes(tool))
    .map((call) => ({ ...call, isMade: !call.refused }));
}

type Hallucination = "tool" | "argument" | "reference" | "value";

interface WantedCall extends Pick<
  RunRecord["calls"][number],
  "tool" | "args" | "result" | "error"
> {
  /** It was carried out, so its tool exists: it was listed, or made during the run. */
  isMade?: boolean;
}

/**
 * For each argument value of a run's calls, in order: what it lacks, or undefined if it has a source. The first that
 * applies counts: the tool is unknown, it has no such argument, a reference points to the call itself or a later one, a
 * literal cannot come from the request, the tool's schema or the results of earlier calls. A call of an unknown tool
 * without arguments counts as one value.
 *
 * @param request.texts the request, and what else the model was told
 * @param request.calls those that the model wanted, including refused and failed ones
 * @param request.tools those known in advance
 */
export function valueOrigins(request: {
  texts: readonly string[];
  calls: readonly WantedCall[];
  tools: readonly ToolShape[];
}): (Hallucination | undefined)[] {
  const { calls, tools } = request;
  const known = [evidenceOf(request.texts)];
  return calls.flatMap((call, position) => {
    const origins = originsOfCall({ call, position, tool: toolOf(call, tools), known });
    // The result of a call is known only to later calls.
    known.push(evidenceOf([textOf(call.result ?? call.error)]));
    return origins;
  });
}

function toolOf(call: WantedCall, tools: readonly ToolShape[]): ToolShape | undefined {
  const listed = tools.find(({ id, name }) => id === call.tool || name === call.tool);
  return listed ?? (call.isMade ? { ...UNLISTED, id: call.tool, name: call.tool } : undefined);
}

/** Its arguments are unknown: any may be right. */
const UNLISTED: Pick<ToolShape, "description" | "parameters"> = {
  description: "",
  parameters: { type: "object", properties: {}, additionalProperties: true },
};

function originsOfCall(request: {
  call: WantedCall;
  position: number;
  tool: ToolShape | undefined;
  known: readonly Evidence[];
}): (Hallucination | undefined)[] {
  const { call, position, tool, known } = request;
  const values = Object.entries(call.args);
  if (!tool) return values.length === 0 ? ["tool"] : values.map(() => "tool");
  return values.map(([name, value]) => {
    const schema = schemaOf(tool, name);
    if (!schema) return "argument";
    const { steps, literals } = readReferences(value);
    if (steps.some((step) => step >= position)) return "reference";
    const told = evidenceOf([tool.description, textOf(schema)]);
    return isDerivable(literals, [told, ...known]) ? undefined : "value";
  });
}

/** Undefined if the tool has no argument of that name; some tools accept any name. */
function schemaOf({ parameters }: ToolShape, name: string): JsonSchema | undefined {
  const { properties, additionalProperties: others = false } = parameters;
  if (Object.hasOwn(properties, name)) return properties[name];
  if (typeof others === "boolean") return others ? {} : undefined;
  return others as JsonSchema;
}

/** An argument with its references taken out. */
interface ReadReferences {
  /** Positions of the referenced steps, from 0. */
  steps: number[];
  /** The remaining literal values. */
  literals: unknown;
}

/** Finds references at any depth, as texts (`$$PREV[0].name`) or as objects of a plan. */
function readReferences(value: unknown): ReadReferences {
  if (typeof value === "string") return readParts(partsOf(value));
  if (isReference(value)) return readParts([value]);
  if (isText(value)) return readParts(value.$text);
  if (typeof value !== "object" || value === null) return { steps: [], literals: value };
  const inner = Object.values(value).map(readReferences);
  return {
    steps: inner.flatMap(({ steps }) => steps),
    literals: inner.map(({ literals }) => literals),
  };
}

function readParts(parts: readonly (string | PlanReference)[]): ReadReferences {
  return {
    steps: parts.flatMap((part) => (typeof part === "string" ? [] : part.$prev)),
    literals: parts.filter((part) => typeof part === "string"),
  };
}

export function evidenceOf(texts: readonly string[]) {
  const spelled = once(() => new Set(texts.flatMap(spelledWords)));
  const implied = once(() => [...numbersInWords(spelled()), ...texts.flatMap(ordinalsAndHours)]);
  return {
    texts,
    /** In lower case, as written and in the singular, including the numbers that words stand for. */
    words: once((): ReadonlySet<string> => {
      const telling = tellingWords([...spelled()].join(" "));
      return new Set([...spelled(), ...telling, ...implied().map(String)]);
    }),
    numbers: once(() => [...texts.flatMap(numbersIn), ...implied()]),
  };
}

function once<Value>(read: () => Value): () => Value {
  let kept: { value: Value } | undefined;
  return () => (kept ??= { value: read() }).value;
}

/**
 * Whether a value can come from one of several sources: a number that they contain, exactly or rounded, or a text whose
 * words they all contain. Articles, pronouns and the like need no source, nor do true, false and null. In lists and
 * objects each value needs a source. Computed values (a sum, "tomorrow" as a date) count as not derivable.
 */
export function isDerivable(value: unknown, sources: readonly Evidence[]): boolean {
  if (typeof value === "number") return isKnownNumber(value, sources);
  if (typeof value === "string") return isKnownText(value, sources);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((inner) => isDerivable(inner, sources));
}

/** All contents of a value as one text, including names of fields. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  if (typeof value === "object" && value !== null) return fieldsText(value);
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function fieldsText(value: object): string {
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${textOf(inner)}`)
    .join("\n");
}

function isKnownNumber(value: number, sources: readonly Evidence[]): boolean {
  return sources.some(({ numbers }) =>
    numbers().some((known) => known === value || isRounded(value, known)),
  );
}

function isRounded(value: number, known: number): boolean {
  const [, decimals = ""] = String(value).split(".");
  // Numbers with an exponent must be equal.
  return /^\d*$/.test(decimals) && Number(known.toFixed(decimals.length)) === value;
}

function isKnownText(value: string, sources: readonly Evidence[]): boolean {
  const number = numberOf(value);
  if (number !== undefined && isKnownNumber(number, sources)) return true;
  const words = neededWords(value);
  if (words.length === 0) {
    return sources.some(({ texts }) => texts.some((text) => text.includes(value.trim())));
  }
  return words.every((word) => sources.some(({ words }) => words().has(word)));
}

/** The zeros and letters of a timestamp need no source. */
function neededWords(value: string): string[] {
  const telling = tellingWords(value);
  const words = telling.length > 0 ? telling : spelledWords(value);
  return ISO_DATE.test(value) ? words.filter((word) => !["0", "t", "z"].includes(word)) : words;
}

/** Words in the singular, without stop words. */
function tellingWords(text: string): string[] {
  return termsOf(digitsApart(text)).map(withoutZeros);
}

function spelledWords(text: string): string[] {
  return wordsOf(digitsApart(text)).split(" ").filter(Boolean).map(withoutZeros);
}

/** Splits "T15" and "7th" into two words. */
function digitsApart(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/(\d)(?=\p{L})/gu, "$1 ")
    .replaceAll(/(\p{L})(?=\d)/gu, "$1 ");
}

function withoutZeros(word: string): string {
  return word.replace(/^0+(?=\d+$)/, "");
}

/** Numbers for number words and months. */
function numbersInWords(words: ReadonlySet<string>): number[] {
  return [NUMBER_WORDS, MONTHS].flatMap((names) =>
    names.flatMap((name, index) => (words.has(name) ? index + 1 : [])),
  );
}

/** "7th" is 7, and "3 pm" is 15. */
function ordinalsAndHours(text: string): number[] {
  const ordinals = [...text.matchAll(/(\d+)(?:st|nd|rd|th)\b/gi)].map(([, digits]) =>
    Number(digits),
  );
  const hours = [...text.matchAll(/\b(\d{1,2})(?::\d{2})?\s*p\.?m\b/gi)].map(
    ([, hour]) => (Number(hour) % 12) + 12,
  );
  return [...ordinals, ...hours];
}
