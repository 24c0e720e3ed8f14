import type { PlanReference, PlanText, PlanValue, Plan } from "./plan.js";
import { codeNames } from "../../common/codeNames.js";

/** Six digits are more than any plan has steps or items. */
const POSITION = String.raw`\d{1,6}`;

const PATH_PART = String.raw`\.[A-Za-z_]\w*|\[-?${POSITION}\]|\["(?:[^"\\]|\\.)*"\]|\['[^']*'\]`;

const PLACE = String.raw`\[(${POSITION})\]((?:${PATH_PART})*)`;

/** In braces, as in templates; bare; or enclosed in dollars. */
const REFERENCE = [
  String.raw`\$\{\$*(?:PREV|STEPS?|steps?)${PLACE}\}`,
  String.raw`\{\{\s*\$*(?:PREV|STEPS?|steps?)${PLACE}\s*\}\}`,
  String.raw`\$?\$(?:PREV|STEPS?)${PLACE}(?:\$\$(?![$A-Z{]))?`,
].join("|");

/** An unreadable attempt at a reference, such as `$$PREV[x]` or `[result of step 1]`. */
const BROKEN_REFERENCE =
  /(?<!\$)\$+(?:\{\$*)?(?:PREV|STEPS?)\b|\{\{\s*(?:\$*(?:PREV|STEPS?|steps?)\[|steps?_?\d)|[<[{]{1,2}\s*(?:the\s+)?(?:result|output|value)s?\s+(?:of|from)\s+step/;

/** The highest step or list position that can be written. */
const LAST_POSITION = 999_999;

/**
 * Reads a text of a model: a plain text, a single reference, or a template. Both `$$PREV[0].name` (the form of
 * "AI Agent 007") and `${PREV[0].name}`, which can stand right before a letter or a dot, are read, and so are
 * the forms of other templates, such as `{{steps[0].name}}` and `$$STEP[0]`.
 */
export function readText(text: string): string | PlanReference | PlanText {
  return textOf(partsOf(text));
}

/** The texts and references of a template, in order. */
export function partsOf(text: string): (string | PlanReference)[] {
  const parts: (string | PlanReference)[] = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(REFERENCE, "g"))) {
    const [whole, ...captured] = match;
    const [step, path = ""] = captured.filter((part) => part !== undefined);
    parts.push(text.slice(end, match.index), { $prev: Number(step), path: readPath(path) });
    end = match.index + whole.length;
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== "");
}

/** Parts as the simplest equivalent value: a lone reference keeps the type of its output. */
export function textOf(parts: (string | PlanReference)[]): string | PlanReference | PlanText {
  const references = parts.filter((part) => typeof part !== "string");
  if (references.length === 0) return writeParts(parts);
  const isAlone = parts.every((part) => typeof part !== "string" || part.trim() === "");
  const [only] = references;
  return references.length === 1 && only && isAlone ? only : { $text: parts };
}

/** `$$PREV[0].items[2]["first name"]`: what {@link readText} reads. */
export function writeReference({ $prev, path }: PlanReference): string {
  return `$$PREV[${$prev}]${writePath(path)}`;
}

/** A template as one text; inverse of {@link partsOf}. */
export function writeParts(parts: (string | PlanReference)[]): string {
  const written = parts.map((part, at) => {
    if (typeof part === "string") return part;
    const [before, after] = [parts[at - 1], parts[at + 1]].map((text) =>
      typeof text === "string" ? text : "",
    );
    // The text after it would be read as part of the reference.
    const runsOn =
      /^(\w|\.[A-Za-z_]|\[|\$\$)/.test(after ?? "") || /(\$\{|\{\{\s*)\$*$/.test(before ?? "");
    return runsOn ? `\${PREV[${part.$prev}]${writePath(part.path)}}` : writeReference(part);
  });
  return written.join("");
}

export function isReference(value: unknown): value is PlanReference {
  if (!isPlainObject(value) || Object.keys(value).length !== 2) return false;
  const { $prev, path } = value as Partial<PlanReference>;
  return (
    isPosition($prev) &&
    $prev >= 0 &&
    Array.isArray(path) &&
    path.every((part) => typeof part === "string" || isPosition(part))
  );
}

export function isText(value: unknown): value is PlanText {
  if (!isPlainObject(value) || Object.keys(value).length !== 1) return false;
  const { $text } = value as Partial<PlanText>;
  return (
    Array.isArray($text) && $text.every((part) => typeof part === "string" || isReference(part))
  );
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a text tries to refer to an output in a way that cannot be read. */
export function hasBrokenReference(text: string): boolean {
  return BROKEN_REFERENCE.test(text);
}

export function referencesIn(value: PlanValue): PlanReference[] {
  if (isReference(value)) return [value];
  if (isText(value)) return value.$text.filter((part) => typeof part !== "string");
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (isPlainObject(value)) return Object.values(value).flatMap(referencesIn);
  return [];
}

/** The same arguments with each reference to step `n` made one to step `numberOf(n)`. */
export function renumbered(
  args: Record<string, PlanValue>,
  numberOf: (step: number) => number,
): Record<string, PlanValue> {
  const entries = Object.entries(args);
  return Object.fromEntries(entries.map(([name, value]) => [name, renumber(value, numberOf)]));
}

function renumber(value: PlanValue, numberOf: (step: number) => number): PlanValue {
  const again = (reference: PlanReference) => ({ ...reference, $prev: numberOf(reference.$prev) });
  if (isReference(value)) return again(value);
  if (isText(value))
    return { $text: value.$text.map((part) => (typeof part === "string" ? part : again(part))) };
  if (Array.isArray(value)) return value.map((item) => renumber(item, numberOf));
  return isPlainObject(value) ? renumbered(value, numberOf) : value;
}

function readPath(path: string): (string | number)[] {
  return [...path.matchAll(new RegExp(PATH_PART, "g"))].map(([part]) => {
    if (part.startsWith(".")) return part.slice(1);
    const inside = part.slice(1, -1);
    if (inside.startsWith('"')) return unquoted(inside);
    // Adding 0 turns -0 into 0.
    return inside.startsWith("'") ? inside.slice(1, -1) : Number(inside) + 0;
  });
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    // Quoted, but not valid JSON: taken literally.
    return text.slice(1, -1);
  }
}

function writePath(path: (string | number)[]): string {
  const parts = path.map((part) => {
    if (typeof part === "number") return `[${part}]`;
    return /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
  });
  return parts.join("");
}

function isPosition(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= LAST_POSITION;
}

/**
 * A plan in the form in which "AI Agent 007" states solutions: a JSON list of calls with their arguments, `[]`
 * for no call at all. Names are sorted, so that equal plans have equal texts, which similarity scores compare.
 *
 * @param nameOf what the model calls a tool, if not by its id
 */
export function solutionText(plan: Pick<Plan, "steps">, nameOf = (tool: string) => tool): string {
  const calls = plan.steps.map(({ tool, args }) => ({
    tool_name: nameOf(tool),
    arguments: sortedEntries(args).map(([name, value]) => ({
      argument_name: name,
      argument_value: writtenValue(value),
    })),
  }));
  return JSON.stringify(calls);
}

/** A value as JSON data, with references as texts and the names of objects sorted. */
export function writtenValue(value: PlanValue): unknown {
  if (isReference(value)) return writeReference(value);
  if (isText(value)) return writeParts(value.$text);
  if (Array.isArray(value)) return value.map(writtenValue);
  if (!isPlainObject(value)) return value;
  const entries = sortedEntries(value).map(([key, inner]) => [key, writtenValue(inner)] as const);
  return Object.fromEntries(entries);
}

function sortedEntries(values: Record<string, PlanValue>): [string, PlanValue][] {
  return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** A plan as its model would write it: steps with references as texts, and the answer. */
export function planText({ steps, answer }: Plan, nameOf = (tool: string) => tool): string {
  return JSON.stringify({
    steps: steps.map(({ tool, args }) => ({ tool: nameOf(tool), args: writtenValue(args) })),
    answer,
  });
}

const NAME = /^[A-Za-z_$][\w$]*$/;

/** The calls of a plan as code that `readCode` reads, one per line: `const r1 = add({ a: r0.total, b: 2 });`. */
export function codeText({ steps }: Pick<Plan, "steps">): string {
  return callsOf(steps)
    .map((call, at) => `const r${at} = ${call};`)
    .join("\n");
}

/**
 * A plan as an equivalent program, one call per line. Unused results get no name. Without a planned answer it
 * has no `return`, and the results speak for themselves.
 */
export function programText({ steps, answer }: Plan): string {
  const parts = partsOf(answer);
  const references = [
    ...steps.flatMap(({ args }) => Object.values(args).flatMap(referencesIn)),
    ...parts.filter((part) => typeof part !== "string"),
  ];
  const used = new Set(references.map(({ $prev }) => $prev));
  const calls = callsOf(steps).map((call, at) =>
    used.has(at) ? `const r${at} = await ${call};` : `await ${call};`,
  );
  const end = answer === "" ? [] : [`return ${templateText({ $text: parts })};`];
  return [...calls, ...end].join("\n");
}

function callsOf(steps: Plan["steps"]): string[] {
  const names = codeNames(steps.map(({ tool }) => tool));
  return steps.map(({ tool, args }) => {
    const given = Object.keys(args).length === 0 ? "" : objectText(args);
    return `${names.get(tool)}(${given})`;
  });
}

function valueText(value: PlanValue): string {
  if (isReference(value)) return referenceText(value);
  if (isText(value)) return templateText(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  return isPlainObject(value) ? objectText(value) : JSON.stringify(value);
}

function objectText(value: Record<string, PlanValue>): string {
  const fields = Object.entries(value).map(
    ([key, inner]) => `${NAME.test(key) ? key : JSON.stringify(key)}: ${valueText(inner)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

function referenceText({ $prev, path }: PlanReference): string {
  const parts = path.map((part) => {
    if (typeof part === "number") return part < 0 ? `.at(${part})` : `[${part}]`;
    return NAME.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
  });
  return `r${$prev}${parts.join("")}`;
}

function templateText({ $text }: PlanText): string {
  const parts = $text.map((part) =>
    typeof part === "string" ? escaped(part) : `\${${referenceText(part)}}`,
  );
  return `\`${parts.join("")}\``;
}

/** In a template, a bare carriage return would be read as a line feed, and a line feed would end the line. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\\`$]/g, String.raw`\$&`)
    .replaceAll("\r", String.raw`\r`)
    .replaceAll("\n", String.raw`\n`);
}
