import { isWireName, LONGEST_WIRE_NAME, wireNames } from "../wireNames.js";
import type { ToolDefinition } from "../../tool.js";
import type { Finding } from "./finding.js";

/** Finds tools that a model sees under another name than their own, because providers restrict names. */
export function nameFindings(tools: readonly ToolDefinition[]): Finding[] {
  const byId = wireNames({ tools });
  return tools.flatMap(({ id, name }): Finding[] => {
    const shown = byId.get(id);
    if (shown === undefined || shown === name) return [];
    return [{ check: "names", tools: [id], ...reasonOf(name, shown) }];
  });
}

function reasonOf(name: string, shown: string): Pick<Finding, "severity" | "problem" | "change"> {
  const seen = `so a model sees it as ${shown}`;
  if (name.length > LONGEST_WIRE_NAME) {
    return {
      severity: "warning",
      problem: `its name has ${name.length} characters and providers accept ${LONGEST_WIRE_NAME}, ${seen}`,
      change: `Give it a name of at most ${LONGEST_WIRE_NAME} characters`,
    };
  }
  if (isWireName(name)) {
    return {
      severity: "warning",
      problem: `another tool is also named ${name}, ${seen} if both are on offer`,
      change: "Give each a name that tells them apart",
    };
  }
  return {
    severity: "note",
    problem: `its name has characters that providers do not accept, ${seen}`,
    change: "Use only letters, digits, _ and - in names",
  };
}
