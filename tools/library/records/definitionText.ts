import type { ToolDefinition } from "../../tool.js";

/** What matters about a tool, field by field, for a person who compares two definitions of it. */
export function definitionText(tool: ToolDefinition): string {
  const { description, parameters, returns, effects, source, category, flow, approval } = tool;
  const { provider, providerDescription, name } = tool;
  const call = source.kind === "openapi" ? source.operation : undefined;
  const fields: [string, unknown][] = [
    ["name", name],
    ["description", description],
    ["effects", effects],
    ["flow", flow?.join(" ")],
    ["approval", approval],
    ["parameters", parameters],
    ["returns", returns],
    ["provider", provider],
    ["about the provider", providerDescription],
    ["category", category],
    ["call", call],
  ];
  return fields
    .flatMap(([label, value]) => {
      if (value === undefined) return [];
      return `${label}: ${typeof value === "string" ? value : JSON.stringify(value, null, 1)}`;
    })
    .join("\n");
}
