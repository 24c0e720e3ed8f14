import type { ToolDefinition } from "../../tool.js";

/** What matters about a tool, field by field, for a person who compares two definitions of it. */
export function definitionText(tool: ToolDefinition): string {
  const { description, parameters, returns, effects, source, category, flow, approval } = tool;
  const { provider, providerDescription, name } = tool;
  const fields: Record<string, unknown> = {
    name,
    description,
    effects,
    flow: flow?.join(" "),
    approval,
    parameters,
    returns,
    provider,
    "about the provider": providerDescription,
    category,
    call: source.kind === "openapi" ? source.operation : undefined,
  };
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) =>
      typeof value === "string"
        ? `${label}: ${value}`
        : `${label}: ${JSON.stringify(value, null, 1)}`,
    )
    .join("\n");
}
