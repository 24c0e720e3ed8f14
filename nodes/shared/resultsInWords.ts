import { clipped } from "../../common/bounds.js";
import { valueText } from "../../plans/grounding/valueText.js";
import { wholeResult } from "./wholeResult.js";
import type { Call, GraphState } from "../../state/state.js";

/** Most characters of a result that are told; the calls keep it whole. */
const LONGEST_RESULT = 600;

/** The results of a run's calls, each once, for an answer cut short; empty if there are none. */
export function resultsInWords({ calls }: Pick<GraphState, "calls">): string {
  const results = calls.filter(({ error }) => error === undefined).map(resultInWords);
  if (results.length === 0) return "";
  return `Results so far: ${[...new Set(results)].join("; ")}.`;
}

/** `area_circle (radius: 3): 28.2743`. */
export function resultInWords(call: Call): string {
  return `${callInWords(call)}: ${clipped(valueText(wholeResult(call)), LONGEST_RESULT)}`;
}

/** `area_circle (radius: 3)`. */
export function callInWords({ tool, args }: Call): string {
  const given = Object.entries(args).map(([name, value]) => `${name}: ${valueText(value)}`);
  return given.length > 0 ? `${tool} (${given.join(", ")})` : tool;
}
