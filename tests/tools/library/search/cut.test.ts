import { describe, expect, it } from "vitest";
import { asManyAsNeeded } from "../../../../tools/library/search/rank.js";

const apart = (count: number, by: number) => Array.from({ length: count }, (_, at) => -by * at);

describe("as many tools as needed", () => {
  it("are few behind a clear winner and many if scores are close", () => {
    const clear = asManyAsNeeded(apart(50, 2), 0.01);
    const close = asManyAsNeeded(apart(50, 0.05), 0.01);
    expect(clear).toBeLessThan(close);
    expect(close).toBeGreaterThan(20);
  });

  it("are at least the first eight, if there are that many", () => {
    expect(asManyAsNeeded(apart(50, 20), 0.5)).toBe(8);
    expect(asManyAsNeeded(apart(3, 20), 0.5)).toBe(3);
    expect(asManyAsNeeded([], 0.5)).toBe(0);
  });

  it("are all without a floor", () => {
    expect(asManyAsNeeded(apart(50, 2), 0)).toBe(50);
  });

  it("do not depend on the level of the scores", () => {
    const scores = apart(50, 0.5);
    const higher = scores.map((score) => score + 1000);
    expect(asManyAsNeeded(higher, 0.01)).toBe(asManyAsNeeded(scores, 0.01));
  });
});
