import type { PlanReference, PlanStep, PlanValue } from "../../plans/steps/plan.js";
import { isPlainObject, isReference, isText } from "../../plans/steps/references.js";
import { wordsOf } from "../../tools/library/vectors/embedding.js";
import type { ToolDefinition } from "../../tools/tool.js";

/** The steps of a plan in plain words, one line each, for writing a request. */
export function stepLines(options: {
  steps: readonly PlanStep[];
  tools: ReadonlyMap<string, Pick<ToolDefinition, "description">>;
}): string[] {
  const { steps, tools } = options;
  return steps.map(({ tool, args }, at) => {
    const task = taskOf(tools.get(tool)?.description ?? wordsOf(tool));
    const given = Object.entries(args).map(
      ([name, value]) => `${wordsOf(name)}: ${valueInWords(value, at)}`,
    );
    return given.length > 0 ? `${task} (${given.join("; ")})` : task;
  });
}

/** The beginning of a description; later explanations and examples would be mistaken for the task. */
function taskOf(description: string): string {
  const [task = ""] = description.trim().split(/[.!?]?(?:\s*\n|(?<=[.!?])\s)|[:;]\s|,? such as /);
  return task.replaceAll(/\s*\([^)]*\)/g, "").replace(/[.!?]$/, "");
}

function valueInWords(value: PlanValue, step: number): string {
  if (isReference(value)) return outputInWords(value, step);
  if (isText(value)) {
    return value.$text
      .map((part) => (typeof part === "string" ? part : outputInWords(part, step)))
      .join("");
  }
  if (typeof value === "string") return `"${value}"`;
  if (Array.isArray(value)) return value.map((item) => valueInWords(item, step)).join(", ");
  if (!isPlainObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${wordsOf(name)} ${valueInWords(inner, step)}`)
    .join(", ");
}

function outputInWords({ $prev, path }: PlanReference, step: number): string {
  const from = $prev === step - 1 ? "the result before this" : `the result of step ${$prev + 1}`;
  const parts = path.map((part) => (typeof part === "number" ? "first item" : wordsOf(part)));
  return [...parts.toReversed().map((part) => `the ${part} of`), from].join(" ");
}
