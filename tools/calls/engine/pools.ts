import { type ToolRecord, isExport } from "../../tool.js";
import type { RuntimeParts } from "./callScope.js";
import type { Slots } from "./gate.js";

/** The pool that a tool runs in; undefined if it needs none. */
export function poolFor(
  { sandbox, workers }: Pick<RuntimeParts, "sandbox" | "workers">,
  { source }: Pick<ToolRecord, "source">,
): Slots | undefined {
  if (source.kind === "generated") return sandbox;
  const isCatalogs = source.kind === "function" && source.catalog !== undefined;
  return isExport(source) && !isCatalogs ? workers : undefined;
}
