import { expressionsIn } from "../../plans/language/expressionsIn.js";
import type { At, Expression, Program, ProgramIssue } from "../../plans/language/program.js";
import { fitCall } from "../../plans/steps/fitStep.js";
import { problemOfSome } from "../../tools/calls/engine/validateArguments.js";
import type { ToolRecord } from "../../tools/tool.js";

/** What arguments that a program states as they are break of the schemas of its tools: a format, a pattern, a bound. */
export function literalIssues(
  program: Program,
  tools: ReadonlyMap<string, ToolRecord>,
): ProgramIssue[] {
  return expressionsIn(program).flatMap((part): ProgramIssue[] => {
    const tool = part.kind === "tool" ? tools.get(part.name) : undefined;
    if (part.kind !== "tool" || !tool) return [];
    const args = literalsOf(part);
    const problem = problemOfSome({ record: tool, args: fitCall(tool, args).step.args });
    return problem ? [{ line: part.line, kind: "type", problem: `${part.name}: ${problem}` }] : [];
  });
}

/** The arguments whose values stand in the program. */
function literalsOf({ args, alone }: At<"tool">): Record<string, unknown> {
  if (args?.kind === "record") return recordOf(args).known;
  const value = args && literalIn(args);
  return alone && value ? { [alone]: value.is } : {};
}

function recordOf({ fields }: At<"record">) {
  const known: [string, unknown][] = [];
  for (const field of fields) {
    // A spread may have any of the names before it.
    if ("spread" in field) known.length = 0;
    else if (typeof field.key === "string") {
      const value = literalIn(field.value);
      if (value) known.push([field.key, value.is]);
    }
  }
  return { known: Object.fromEntries(known), isWhole: known.length === fields.length };
}

/** The value of an expression that is one; undefined for any other. */
function literalIn(part: Expression): { is: unknown } | undefined {
  if (part.kind === "literal") return part.value === undefined ? undefined : { is: part.value };
  if (part.kind === "unary" && part.operator === "-") {
    const value = literalIn(part.value);
    return typeof value?.is === "number" ? { is: -value.is } : undefined;
  }
  if (part.kind === "list") {
    const items = part.items.map((item) => ("spread" in item ? undefined : literalIn(item)));
    return items.includes(undefined) ? undefined : { is: items.map((item) => item?.is) };
  }
  if (part.kind !== "record") return undefined;
  const { known, isWhole } = recordOf(part);
  return isWhole ? { is: known } : undefined;
}
