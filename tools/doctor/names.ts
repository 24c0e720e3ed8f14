import { isWireName, LONGEST_WIRE_NAME, wireNames } from "../runtime/wireNames.js";
import type { ToolDefinition } from "../tool.js";
import type { Finding } from "./finding.js";

/** Tools that a model sees under another name than their own, for providers limit names. */
export function nameFindings(tools: readonly ToolDefinition[]): Finding[] {
  const { byId } = wireNames({ tools });
  return tools.flatMap(({ id, name }): Finding[] => {
    const shown = byId.get(id);
    if (shown === undefined || shown === name) return [];
    const finding = { check: "names", tools: [id] } as const;
    const seen = `so a model sees it as ${shown}`;
    if (name.length > LONGEST_WIRE_NAME) {
      const problem = `its name has ${name.length} characters, where providers take ${LONGEST_WIRE_NAME}, ${seen}`;
      return [
        {
          ...finding,
          severity: "warning",
          problem,
          change: `Give it a name of at most ${LONGEST_WIRE_NAME} characters`,
        },
      ];
    }
    if (isWireName(name)) {
      const problem = `another tool is named ${name} as well, ${seen} where both are at hand`;
      return [
        {
          ...finding,
          severity: "warning",
          problem,
          change: "Give each a name that tells them apart",
        },
      ];
    }
    const problem = `its name has characters that providers do not take, ${seen}`;
    return [
      {
        ...finding,
        severity: "note",
        problem,
        change: "Use letters, digits, _ and - alone in names",
      },
    ];
  });
}
