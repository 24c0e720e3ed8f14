import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compAtK, ndcgAtK, recallAtK } from "../../../eval/scorers/retrieval.js";

const ids = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f", "g"), { maxLength: 12 });
const ranking = fc.record({
  ranked: ids,
  relevant: ids.filter((each) => each.length > 0),
  k: fc.integer({ min: 1, max: 10 }),
});

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

  it("never falls as k grows", () => {
    fc.assert(
      fc.property(ranking, (each) => {
        expect(recallAtK({ ...each, k: each.k + 1 })).toBeGreaterThanOrEqual(recallAtK(each));
      }),
    );
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

  it("lies between 0 and 1, and is 1 only when the first ranks are relevant", () => {
    fc.assert(
      fc.property(ranking, (each) => {
        const value = ndcgAtK(each);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1 + 1e-12);
        const needed = new Set(each.relevant);
        const first = [...new Set(each.ranked)].slice(0, Math.min(each.k, needed.size));
        const best = first.length === Math.min(each.k, needed.size);
        const perfect = best && first.every((id) => needed.has(id));
        expect(Math.abs(value - 1) < 1e-12).toBe(perfect);
      }),
    );
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

  it("is 1 exactly when recall is 1", () => {
    fc.assert(
      fc.property(ranking, (each) => {
        expect(compAtK(each) === 1).toBe(recallAtK(each) === 1);
      }),
    );
  });

  it("is NaN if nothing is relevant", () => {
    expect(compAtK({ ranked: [], relevant: [], k: 1 })).toBeNaN();
  });
});
