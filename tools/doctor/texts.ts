import { oneLine } from "../../common/errors.js";
import { termsOf } from "../library/words/words.js";
import type { ToolDefinition } from "../tool.js";
import { type Finding, listed } from "./finding.js";
import { parametersOf, type ToolParameter } from "./toolTexts.js";

/** Finds descriptions and texts of parameters that are missing or say nothing beyond the name. */
export function textFindings(tools: readonly ToolDefinition[]): Finding[] {
  return tools.flatMap((tool) => [...descriptionFinding(tool), ...parameterFindings(tool)]);
}

function descriptionFinding({ id, name, description }: ToolDefinition): Finding[] {
  const said = oneLine(description);
  const finding = { check: "descriptions", tools: [id] } as const;
  if (said === "") {
    const problem = "has no description, so that only its name can be searched for";
    const change = "Write one sentence: what it does, to what, and what it gives back";
    return [{ ...finding, severity: "error", problem, change }];
  }
  const change = "Say what it does, to what, and how it differs from similar tools";
  if (!said.includes(" ") && isSpaced(said)) {
    const problem = `its description is the one word "${said}"`;
    return [{ ...finding, severity: "warning", problem, change }];
  }
  if (saysMore(said, name)) return [];
  const problem = `its description "${said}" says no more than its name`;
  return [{ ...finding, severity: "note", problem, change }];
}

/** Whether a text is in a script that separates words by spaces. */
function isSpaced(text: string): boolean {
  return !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    text,
  );
}

function parameterFindings({ id, parameters }: ToolDefinition): Finding[] {
  const all = parametersOf(parameters);
  const silent = all.filter((parameter) => textOf(parameter) === "" && !tellsItself(parameter));
  const needed = silent.filter(({ required }) => required);
  const empty = all.filter((parameter) => {
    const text = textOf(parameter);
    return text !== "" && !saysMore(text, parameter.name);
  });
  const finding = { check: "parameters", tools: [id] } as const;
  const findings: Finding[] = [];
  if (silent.length > 0) {
    findings.push({
      ...finding,
      severity: needed.length > 0 ? "warning" : "note",
      problem: `${silent.length} of ${all.length} parameters have no text: ${pathsOf(silent)}`,
      change: "Say of each what it stands for, in which unit or form, with an example value",
    });
  }
  if (empty.length > 0) {
    findings.push({
      ...finding,
      severity: "note",
      problem: `${empty.length} of ${all.length} parameters have a text that only repeats the name: ${pathsOf(empty)}`,
      change: "Say what is not in the name: unit, form, an example value",
    });
  }
  return findings;
}

function textOf({ schema: { description } }: ToolParameter): string {
  return typeof description === "string" ? oneLine(description) : "";
}

/** Booleans and choices among listed values are clear from the name. */
function tellsItself({ schema }: ToolParameter): boolean {
  return schema.type === "boolean" || Array.isArray(schema.enum) || "const" in schema;
}

function saysMore(text: string, than: string): boolean {
  const known = new Set(termsOf(than));
  const words = termsOf(text);
  return words.some((word) => !known.has(word));
}

function pathsOf(parameters: readonly ToolParameter[]): string {
  return listed(
    parameters.map(({ path }) => path),
    5,
  );
}
