import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fuseRankings } from "../../../tools/library/fusion.js";

const ranking = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"), {
  maxLength: 8,
});

describe("fuseRankings", () => {
  it("orders ids by the sums of 1 / (60 + rank)", () => {
    // b 1/62 + 1/61 = 0.03252 · a 1/61 = 0.01639 · d 1/62 = 0.01613 · c 1/63 = 0.01587
    expect(
      fuseRankings([
        ["a", "b", "c"],
        ["b", "d"],
      ]),
    ).toEqual(["b", "a", "d", "c"]);
  });

  it("puts what both have low before what one alone has first", () => {
    const tail = Array.from({ length: 20 }, (_, at) => `x${at}`);
    // 2 / 81 is more than 1 / 61.
    const fused = fuseRankings([
      ["a", ...tail.slice(1), "shared"],
      ["b", ...tail.slice(1).map((id) => `${id}'`), "shared"],
    ]);
    expect(fused[0]).toBe("shared");
  });

  it("lets the first ranks weigh the more, the smaller its constant is", () => {
    const tail = Array.from({ length: 20 }, (_, at) => `x${at}`);
    // 1/3 is more than 2/23.
    const rankings = [
      ["a", ...tail.slice(1), "shared"],
      ["b", ...tail.slice(1).map((id) => `${id}'`), "shared"],
    ];
    expect(fuseRankings(rankings, 2).slice(0, 2)).toEqual(["a", "b"]);
  });

  it("keeps equal sums in the order in which they were first seen", () => {
    expect(fuseRankings([["a"], ["b"]])).toEqual(["a", "b"]);
  });

  it("leaves a ranking alone that stands alone or agrees with the others", () => {
    fc.assert(
      fc.property(ranking, (ids) => {
        expect(fuseRankings([ids])).toEqual(ids);
        expect(fuseRankings([ids, ids])).toEqual(ids);
        expect(fuseRankings([ids, []])).toEqual(ids);
      }),
    );
  });

  it("gives each id of the rankings exactly once", () => {
    fc.assert(
      fc.property(fc.array(ranking), (rankings) => {
        expect(fuseRankings(rankings).toSorted()).toEqual([...new Set(rankings.flat())].toSorted());
      }),
    );
  });
});
