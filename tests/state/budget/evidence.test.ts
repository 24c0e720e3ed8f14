import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PUBLISHED_TEMPERATURE, sharpened, valuesOf } from "../../../state/budget/toolValues.js";
import { evidenceOf } from "./arbitraryEvidence.js";

const PAPER = { rounding: "paper", threshold: 0 } as const;

describe("evidence at a temperature", () => {
  it("is left as it is at the published one", () => {
    fc.assert(
      fc.property(evidenceOf(), (evidence) => {
        expect(sharpened(evidence, PUBLISHED_TEMPERATURE)).toEqual(evidence);
      }),
    );
  });

  it("comes nearer to what the most similar request says at lower temperatures", () => {
    const evidence = [
      {
        tool: "weather",
        rows: [
          { query: 1, similarity: 0.9, calls: 1, helpful: 1 },
          { query: 2, similarity: 0.4, calls: 1, helpful: 0 },
        ],
      },
    ];
    const [flat, sharp] = [1, 0.25].map(
      (temperature) => valuesOf({ evidence: sharpened(evidence, temperature), ...PAPER })[0]?.value,
    );
    expect(flat).toBeCloseTo(1 / (1 + Math.exp(-0.5)), 12);
    expect(sharp).toBeCloseTo(1 / (1 + Math.exp(-0.5 / 0.25)), 12);
  });
});
