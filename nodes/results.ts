import type { GraphState } from "../state/state.js";

/** What the calls of a run have given, for an answer that had to be cut short; empty for nothing. */
export function resultsInWords({ calls }: Pick<GraphState, "calls">): string {
  const results = calls.filter(({ error }) => error === undefined);
  if (results.length === 0) return "";
  const lines = results.map(
    ({ tool, args, result }) => `${tool}(${JSON.stringify(args)}) = ${JSON.stringify(result)}`,
  );
  return `Results so far: ${lines.join("; ")}`;
}
