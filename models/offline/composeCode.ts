import type { PlanReference, PlanStep, PlanValue } from "../../plans/plan.js";
import { isPlainObject, isReference, isText } from "../../plans/references.js";

const NAME = /^[A-Za-z_$][\w$]*$/;

/** Calls as code, one a line: `const r1 = add({ a: r0.total, b: 2 });`. */
export function codeText(calls: readonly PlanStep[]): string {
  return calls
    .map(({ tool, args }, at) => `const r${at} = ${tool}(${written(args)});`)
    .join("\n");
}

function written(value: PlanValue): string {
  if (isReference(value)) return referenceText(value);
  if (isText(value)) {
    const parts = value.$text.map((part) =>
      typeof part === "string"
        ? part.replaceAll(/[\\`$]/g, String.raw`\$&`)
        : `\${${referenceText(part)}}`,
    );
    return `\`${parts.join("")}\``;
  }
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (!isPlainObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value as Record<string, PlanValue>).map(
    ([key, inner]) => `${NAME.test(key) ? key : JSON.stringify(key)}: ${written(inner)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

function referenceText({ $prev, path }: PlanReference): string {
  const parts = path.map((part) =>
    typeof part === "string" && NAME.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`,
  );
  return `r${$prev}${parts.join("")}`;
}
