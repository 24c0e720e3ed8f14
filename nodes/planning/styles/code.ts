import { oneLine } from "../../../common/errors.js";
import { codeNames } from "../../../plans/codeNames.js";
import { inlineRefs } from "../../../common/schemas/inlineRefs.js";
import { fieldsOf, typeText } from "../../../common/schemas/typeText.js";
import type { OfferedTool } from "../../shared/stageInputs.js";

/** Asks for a plan as code ("AI Agent 007": metaprogramming), of which only calls and values are read. */
export const CODE = [
  "You plan which functions to call to fulfil a request, and write the plan as TypeScript. The code is read, and not run: each call in it is a step of the plan.",
  [
    "Reply with one block of code and nothing else:",
    "```ts",
    "// which function now, and why",
    'const r0 = find_station({ town: "Ulm" });',
    "// which function now, and why",
    "const r1 = departures({ station: r0.id, limit: 3 });",
    "```",
  ].join("\n"),
  [
    "- One call a line, assigned to r0, r1, … in this order. Arguments are given by name, in one object.",
    "- Values come from the request as they are, or from earlier results: r0, r0.field, r0[0], r0.at(-1). A text with results in it is a template: `Due on ${r1.date}`. Lists and objects are written out.",
    "- Nothing else is understood: no loops, conditions, functions, imports or methods. Operators take values of the request; whatever has to be computed, filtered or counted from results is a call of a function below, or is left out.",
    "- Take the fewest calls that do it; a function that takes a list is called once with the whole list. Invent no values, and leave optional arguments out unless the request needs them.",
    "- If the functions can do only a part of the request, plan that part; a look-up that leads to nothing that was asked for is no part. If they can do none of it, reply with a block that holds nothing but a comment.",
  ].join("\n"),
].join("\n\n");

/** Tools as declared functions, with what they and their arguments are for. */
export function functionLines(tools: readonly OfferedTool[]): string {
  const names = codeNames(tools.map(({ name }) => name));
  return tools.map((tool) => functionText(tool, names.get(tool.name) ?? tool.name)).join("\n");
}

function functionText({ description, parameters, returns }: OfferedTool, name: string): string {
  const fields = fieldsOf(inlineRefs(parameters));
  // What stands in a comment ends with its line.
  const texts = fields.flatMap((field) =>
    field.text.trim() ? [`// - ${field.name}: ${oneLine(field.text)}`] : [],
  );
  const args = fields.length > 0 ? `args: ${typeText({ ...parameters, type: "object" })}` : "";
  const result = returns ? typeText(returns) : "unknown";
  return [`// ${oneLine(description)}`, ...texts, `function ${name}(${args}): ${result};`].join(
    "\n",
  );
}
