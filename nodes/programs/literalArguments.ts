import { expressionsIn } from "../../plans/language/expressionsIn.js";
import type { Expression, Program, ProgramIssue } from "../../plans/language/program.js";
import { fitCall } from "../../plans/steps/fitStep.js";
import { validateArguments } from "../../tools/calls/engine/validateArguments.js";
import type { ToolRecord } from "../../tools/tool.js";

/** What arguments that stand in a program break of the schemas of its tools: a format, a pattern, a bound. */
export function literalIssues(program: Program, tools: ReadonlyMap<string, ToolRecord>) {
  return expressionsIn(program).flatMap((part): ProgramIssue[] => {
    const record = part.kind === "tool" ? tools.get(part.name) : undefined;
    if (part.kind !== "tool" || !record) return [];
    const { args: given, alone, name, line } = part;
    const [fields] = given?.kind === "record" ? fieldsIn(given.fields) : [];
    const value = fields ?? (given && valueOf(given));
    const known = fields ?? (alone && value !== undefined ? { [alone]: value } : {});
    if (Object.keys(known).length === 0) return [];
    const { step } = fitCall(record, known);
    const check = validateArguments({ record, args: step.args, isPart: true });
    return check.ok ? [] : [{ line, kind: "type", problem: `${name}: ${check.problem}` }];
  });
}

/** The value that an expression states; undefined for any other. */
function valueOf(part: Expression): unknown {
  if (part.kind === "literal") return part.value;
  if (part.kind === "unary" && part.operator === "-") {
    const value = valueOf(part.value);
    return typeof value === "number" ? -value : undefined;
  }
  if (part.kind === "record") {
    const [fields, isWhole] = fieldsIn(part.fields);
    return isWhole ? fields : undefined;
  }
  if (part.kind !== "list") return undefined;
  const items = part.items.map((item) => ("spread" in item ? undefined : valueOf(item)));
  return items.includes(undefined) ? undefined : items;
}

/** The fields whose values stand there, unless a spread may replace them, and whether these are all. */
function fieldsIn(fields: Extract<Expression, { kind: "record" }>["fields"]) {
  const last = fields.findLastIndex((field) => "spread" in field);
  const known = fields.slice(last + 1).flatMap((field): [string, unknown][] => {
    if ("spread" in field || typeof field.key !== "string") return [];
    const value = valueOf(field.value);
    return value === undefined ? [] : [[field.key, value]];
  });
  return [Object.fromEntries(known), known.length === fields.length] as const;
}
