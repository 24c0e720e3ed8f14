import { changingWord } from "../records/effects.js";
import type { ToolDefinition, ToolRecord } from "../../tool.js";
import type { Finding } from "./finding.js";

/** Finds tools of which their source says that they only read, and whose name or description speaks of changing something. */
export function effectFindings(
  tools: readonly (ToolDefinition & Partial<ToolRecord>)[],
): Finding[] {
  return tools.flatMap((tool): Finding[] => {
    const { id, source, effects, sourceEffects = effects, isLabelled } = tool;
    const isTold = source.kind === "mcp" || source.kind === "openapi";
    if (!isTold || isLabelled || sourceEffects !== "read") return [];
    const found = changingWord(tool);
    if (!found) return [];
    const says = source.kind === "mcp" ? "says that it only reads" : "is a GET, which only reads";
    const problem = `${says}, but its ${found.place} speaks of changing something ("${found.word}")`;
    const change =
      "It counts as a write until you have looked at it: tulipgraph tools label ID --reads, or --writes";
    return [{ check: "effects", severity: "warning", tools: [id], problem, change }];
  });
}
