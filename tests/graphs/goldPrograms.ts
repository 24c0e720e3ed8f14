import { partsOf, isReference, isText } from "../../plans/steps/references.js";
import type { Plan, PlanReference, PlanValue } from "../../plans/steps/plan.js";
import { program } from "./tulipRuns.js";

/** A gold plan as the program that a model would write for it. */
export function goldProgram({ steps, answer }: Plan) {
  const calls = steps.map(
    ({ tool, args }, at) => `const s${at} = await ${tool}(${codeOf(args as PlanValue)});`,
  );
  const told = answer ? partsOf(answer) : [`Done. `, { $prev: steps.length - 1, path: [] }];
  return program(...calls, `return ${template(told)};`);
}

function codeOf(value: PlanValue): string {
  if (isReference(value)) return pathOf(value);
  if (isText(value)) return template(value.$text);
  if (Array.isArray(value)) return `[${value.map(codeOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value as Record<string, PlanValue>);
  return `{ ${fields.map(([name, inner]) => `${JSON.stringify(name)}: ${codeOf(inner)}`).join(", ")} }`;
}

function template(parts: readonly (string | PlanReference)[]): string {
  const written = parts.map((part) =>
    typeof part === "string" ? part.replace(/[\\`$]/g, "\\$&") : `\${${pathOf(part)}}`,
  );
  return `\`${written.join("")}\``;
}

function pathOf({ $prev, path }: PlanReference): string {
  const parts = path.map((part) =>
    typeof part === "number" ? `.at(${part})` : `[${JSON.stringify(part)}]`,
  );
  return `s${$prev}${parts.join("")}`;
}
