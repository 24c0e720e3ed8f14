import { describe, expect, it } from "vitest";
import { compAtK, ndcgAtK, recallAtK } from "../../../eval/scorers/retrieval.js";

describe("recall at k", () => {
  it("is the share of relevant ids among the first k", () => {
    expect(recallAtK({ ranked: ["a", "x", "b"], relevant: ["a", "b", "c"], k: 2 })).toBe(1 / 3);
    expect(recallAtK({ ranked: ["a", "x", "b"], relevant: ["a", "b", "c"], k: 3 })).toBe(2 / 3);
  });

  it("counts a relevant id once, however often it is named or returned", () => {
    expect(recallAtK({ ranked: ["a", "a", "b"], relevant: ["a", "a", "b", "c"], k: 2 })).toBe(
      2 / 3,
    );
  });

  it("is NaN if nothing is relevant", () => {
    expect(recallAtK({ ranked: ["a"], relevant: [], k: 5 })).toBeNaN();
  });
});

describe("NDCG at k", () => {
  it("weighs a hit at rank r by 1 / log2(r + 1), over the best order", () => {
    // Hits at ranks 1 and 3: 1 + 1/2; the best: 1 + 1/log2(3) = 1.6309.
    const given = { ranked: ["a", "x", "b"], relevant: ["a", "b"], k: 10 };
    expect(ndcgAtK(given)).toBeCloseTo(1.5 / (1 + 1 / Math.log2(3)), 12);
    expect(ndcgAtK(given)).toBeCloseTo(0.91972, 5);
  });

  it("measures against k hits where more than k are relevant", () => {
    expect(ndcgAtK({ ranked: ["a", "b"], relevant: ["a", "b", "c"], k: 2 })).toBe(1);
  });

  it("is NaN if nothing is relevant", () => {
    expect(ndcgAtK({ ranked: ["a"], relevant: [], k: 5 })).toBeNaN();
  });
});

describe("COMP at k", () => {
  it("is 1 only when every relevant id is among the first k", () => {
    expect(compAtK({ ranked: ["a", "x", "b"], relevant: ["a", "b"], k: 3 })).toBe(1);
    expect(compAtK({ ranked: ["a", "x", "b"], relevant: ["a", "b"], k: 2 })).toBe(0);
  });

  it("is NaN if nothing is relevant", () => {
    expect(compAtK({ ranked: [], relevant: [], k: 1 })).toBeNaN();
  });
});
