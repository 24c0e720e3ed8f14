import type { ToolDefinition } from "../tool.js";
import type { Finding } from "./finding.js";
import { hiddenFindings } from "./hiddenCharacters.js";
import { lookalikeFindings } from "./lookalikes.js";
import { orderFindings } from "./orders.js";

/**
 * What a person should look at before using tools of a connected source: hidden characters, orders to the model, and
 * names that pass for those of other tools.
 *
 * @param options.others the tools of other origins
 */
export function sourceFindings(options: {
  tools: readonly ToolDefinition[];
  others: readonly ToolDefinition[];
}): Finding[] {
  const { tools } = options;
  return [...hiddenFindings(tools), ...orderFindings(tools), ...lookalikeFindings(options)];
}
