import type { ToolRecord } from "../tools/tool.js";

/** Whether a person has to agree before a command calls a tool: nobody has asked for a write, as a request does. */
export function needsConsent({ effects, approval }: Pick<ToolRecord, "effects" | "approval">) {
  return effects === "write" || approval === true;
}
