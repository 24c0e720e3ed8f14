import * as fc from "fast-check";
import type { ToolEvidence } from "../../../state/budget/toolValues.js";

const QUERIES = 8;
const TOOLS = ["a", "b", "c", "d"];

/** Both ways of rounding, with any threshold. */
export const valuation = fc.record({
  rounding: fc.constantFrom("code" as const, "paper" as const),
  threshold: fc.double({ min: 0, max: 0.6, noNaN: true }),
});

/** Evidence of up to four tools over the same past requests, each with one similarity. */
export function evidenceOf(): fc.Arbitrary<ToolEvidence[]> {
  const similarities = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
    minLength: QUERIES,
    maxLength: QUERIES,
  });
  const outcome = fc.option(
    fc.record({
      calls: fc.integer({ min: 1, max: 4 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  );
  const outcomes = fc.array(fc.array(outcome, { minLength: QUERIES, maxLength: QUERIES }), {
    maxLength: TOOLS.length,
  });
  return fc.tuple(similarities, outcomes).map(([similarities, outcomes]) =>
    outcomes.map((past, at) => ({
      tool: TOOLS[at] ?? "",
      rows: past.flatMap((one, query) =>
        one
          ? [
              {
                query,
                similarity: similarities[query] ?? 0,
                calls: one.calls,
                helpful: Math.round(one.calls * one.share),
              },
            ]
          : [],
      ),
    })),
  );
}

/** Calls of a run, of tools with and without evidence. */
export const observedCalls = fc.array(
  fc.record({
    tool: fc.constantFrom(...TOOLS, "unknown"),
    helpful: fc.constantFrom(true, false, null),
  }),
  { maxLength: 8 },
);
