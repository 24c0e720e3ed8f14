import { oneLine } from "../common/errors.js";
import { inlineRefs } from "../common/schemas/inlineRefs.js";
import { isSchema } from "../common/schemas/referredSchema.js";
import type { JsonSchema } from "../tools/tool.js";
import { outputText, signatureText } from "./toolSignature.js";
import type { OfferedTool } from "../nodes/shared/stageInputs.js";

/** Tools as signatures with descriptions: about half the tokens of their schemas. */
export function toolLines(tools: readonly OfferedTool[]): string {
  return tools.map(toolLine).join("\n");
}

function toolLine({ returns, ...tool }: OfferedTool): string {
  const output = returns ? `: ${outputText(returns)}` : "";
  const parameters = parameterTexts(tool.parameters).map((text) => `\n    ${text}`);
  return `- ${signatureText(tool)}${output}\n  ${oneLine(tool.description)}${parameters.join("")}`;
}

function parameterTexts(parameters: JsonSchema): string[] {
  const { properties } = inlineRefs(parameters);
  if (!isSchema(properties)) return [];
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, schema]) => {
    const { description } = schema;
    const told = typeof description === "string" ? oneLine(description) : "";
    const text = [told, defaultText(schema, told)].filter(Boolean).join(" ");
    return text ? [`${name}: ${text}`] : [];
  });
}

/** The default, unless the description mentions it. */
function defaultText({ default: value }: JsonSchema, told: string): string {
  return value === undefined || /default/i.test(told) ? "" : `(default ${JSON.stringify(value)})`;
}
