import { oneLine } from "../../../common/errors.js";
import { codeNames } from "../../../common/codeNames.js";
import { codeText } from "../../../plans/steps/planText.js";
import { inlineRefs } from "../../../common/schemas/inlineRefs.js";
import { fieldsOf, typeText } from "../../../common/schemas/typeText.js";
import type { OfferedTool } from "../../shared/stageInputs.js";
import type { PlanForm } from "../planForm.js";

const FORM = "one ts block and nothing else, one call a line";

/** A plan as code ("AI Agent 007": metaprogramming), of which only calls and values are read. */
export const CODE: PlanForm = {
  form: `${FORM}: const r0 = name({ argument: value });`,
  instructions: [
    "Plan which functions to call to fulfil a request, as TypeScript that is read and not run.",
    [
      `Reply with ${FORM}:`,
      "```ts",
      "// which function, and why",
      'const r0 = find_station({ town: "Ulm" });',
      "// which function, and why",
      "const r1 = departures({ station: r0.id, limit: 3 });",
      "```",
    ].join("\n"),
    [
      "- Copy values from the request, or use earlier results: r0, r0.field, r0[0], r0.at(-1), `Due on ${r1.date}`.",
      "- No loops, conditions, functions, imports or methods; operators on values of the request only. Compute, filter or count results with a function below, or not at all.",
      "- Make the fewest calls; give a function that takes a list the whole list once. Invent no values; omit optional arguments that are not needed.",
      "- If the functions can do only part of the request, plan that, without look-ups that lead to nothing asked for; if none of it, write a comment alone.",
    ].join("\n"),
  ].join("\n\n"),
  toolsText: (tools) => `Functions:\n${functionLines(tools)}`,
  written: codeText,
  // The code parser is large, so it is loaded only when code is read.
  read: async (text, tools) =>
    (await import("../../../plans/steps/readCode.js")).readCode(text, tools),
};

/** Tools as declared functions, with what they and their arguments are for. */
export function functionLines(tools: readonly OfferedTool[]): string {
  const names = codeNames(tools.map(({ name }) => name));
  return tools.map((tool) => functionText(tool, names.get(tool.name) ?? tool.name)).join("\n");
}

function functionText({ description, parameters, returns }: OfferedTool, name: string): string {
  const fields = fieldsOf(inlineRefs(parameters));
  // A comment ends with its line.
  const texts = fields.flatMap((field) =>
    field.text.trim() ? [`// - ${field.name}: ${oneLine(field.text)}`] : [],
  );
  const args = fields.length > 0 ? `args: ${typeText({ ...parameters, type: "object" })}` : "";
  const result = returns ? typeText(returns) : "unknown";
  return [`// ${oneLine(description)}`, ...texts, `function ${name}(${args}): ${result};`].join(
    "\n",
  );
}
