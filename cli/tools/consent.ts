import type { ToolRecord } from "../../tools/tool.js";

/** Whether a person must consent before a command calls a tool. In a run, the request itself asks for its writes. */
export function needsConsent({ effects, approval }: Pick<ToolRecord, "effects" | "approval">) {
  return effects === "write" || approval === true;
}
