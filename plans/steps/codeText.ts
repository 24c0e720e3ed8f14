import { codeNames } from "../../common/codeNames.js";
import type { Plan, PlanReference, PlanText, PlanValue } from "./plan.js";
import { isPlainObject, isReference, isText, partsOf, referencesIn } from "./references.js";

const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * The calls of a plan as code that `readCode` reads, one per line: `const r1 = add({ a: r0.total, b: 2 });`.
 *
 * @param options.nameOf what the model calls a tool, if not by its id
 */
export function codeText(
  { steps }: Pick<Plan, "steps">,
  { nameOf = (tool) => tool }: { nameOf?: (tool: string) => string } = {},
): string {
  return callsOf(steps, nameOf)
    .map((call, at) => `const r${at} = ${call};`)
    .join("\n");
}

/**
 * A plan as an equivalent program, one call per line. Unused results get no name. Without a planned answer it
 * has no `return`, and the results speak for themselves.
 */
export function programText(
  { steps, answer }: Plan,
  options: { nameOf?: (tool: string) => string; lacking?: readonly string[] } = {},
): string {
  const { nameOf = (tool) => tool, lacking = [] } = options;
  const parts = partsOf(answer);
  const references = [
    ...steps.flatMap(({ args }) => Object.values(args).flatMap(referencesIn)),
    ...parts.filter((part) => typeof part !== "string"),
  ];
  const used = new Set(references.map(({ $prev }) => $prev));
  const calls = callsOf(steps, nameOf).map((call, at) =>
    used.has(at) ? `const r${at} = await ${call};` : `await ${call};`,
  );
  const needs = lacking.map((phrase) => `need(${JSON.stringify(phrase)});`);
  const end = answer === "" ? [] : [`return ${templateText({ $text: parts })};`];
  return [...calls, ...needs, ...end].join("\n");
}

function callsOf(steps: Plan["steps"], nameOf: (tool: string) => string): string[] {
  const names = codeNames(steps.map(({ tool }) => nameOf(tool)));
  return steps.map(({ tool, args }) => {
    const given = Object.keys(args).length === 0 ? "" : objectText(args);
    return `${names.get(nameOf(tool))}(${given})`;
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
