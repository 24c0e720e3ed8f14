import { clipped } from "../../common/bounds.js";
import type { Call } from "../../state/state.js";
import type { LinePart } from "./stage.js";

/** Most characters of a value shown on a line. */
const LONGEST_VALUE = 100;

/** A call as a person would write it, for a stage's line. */
export function callParts({ tool, args }: Pick<Call, "tool" | "args">): LinePart[] {
  const given = Object.entries(args).map(([name, value]) => `${name}=${jsonText(value)}`);
  return [{ strong: tool }, `(${given.join(", ")})`];
}

/** A value as JSON, cut if long. */
export function jsonText(value: unknown): string {
  return clipped(JSON.stringify(value) ?? "nothing", LONGEST_VALUE);
}
