import type { Plan, PlanValue, PlanReference, PlanText } from "./plan.js";
import {
  isPlainObject,
  isReference,
  isText,
  writeParts,
  writeReference,
  partsOf,
  referencesIn,
} from "./references.js";
import { codeNames } from "../../common/codeNames.js";

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
