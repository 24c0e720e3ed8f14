import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CostPoint, paretoFrontier } from "../../../../eval/report/charts/pareto.js";

// Few values, so that ties are common.
const points = fc.array(
  fc.record({ cost: fc.integer({ min: 0, max: 6 }), score: fc.integer({ min: 0, max: 6 }) }),
  { maxLength: 25 },
);

describe("the efficient frontier", () => {
  it("leaves out what costs more for less", () => {
    const [cheap, good, poor] = [
      { cost: 1, score: 0.5 },
      { cost: 3, score: 0.9 },
      { cost: 2, score: 0.4 },
    ];
    expect(paretoFrontier([poor, good, cheap])).toEqual([cheap, good]);
  });

  it("keeps exactly the points that no other one dominates", () => {
    fc.assert(
      fc.property(points, (all) => {
        const frontier = paretoFrontier(all);
        for (const point of all)
          expect(frontier.includes(point)).toBe(!all.some((other) => dominates(other, point)));
      }),
    );
  });

  it("rises with cost and does not depend on the order of the points", () => {
    fc.assert(
      fc.property(points, (all) => {
        const frontier = paretoFrontier(all);
        for (const [index, next] of frontier.slice(1).entries()) {
          const before = frontier[index];
          const isEqual = before?.cost === next.cost && before.score === next.score;
          expect(isEqual || (before && before.cost < next.cost && before.score < next.score)).toBe(
            true,
          );
        }
        expect(paretoFrontier(all.toReversed())).toEqual(frontier);
      }),
    );
  });
});

function dominates(other: CostPoint, point: CostPoint): boolean {
  const isAsGood = other.cost <= point.cost && other.score >= point.score;
  return isAsGood && (other.cost < point.cost || other.score > point.score);
}
