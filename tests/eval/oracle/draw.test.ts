import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawOrder, drawSome } from "../../../eval/oracle/draw.js";

const items = fc.uniqueArray(fc.integer(), { maxLength: 30 });

describe("draws", () => {
  it("take some items in their original order, the same for the same seed", () => {
    fc.assert(
      fc.property(items, fc.nat(40), fc.nat(), (all, count, seed) => {
        const drawn = drawSome(all, { count, seed, purpose: "tasks" });
        expect(drawn).toHaveLength(Math.min(count, all.length));
        expect(all.filter((item) => drawn.includes(item))).toEqual(drawn);
        expect(drawSome(all, { count, seed, purpose: "tasks" })).toEqual(drawn);
      }),
    );
  });

  it("put all items in an order", () => {
    fc.assert(
      fc.property(items, fc.nat(), (all, seed) => {
        const order = drawOrder(all, { seed, purpose: "tools" });
        expect(order.toSorted((a, b) => a - b)).toEqual(all.toSorted((a, b) => a - b));
      }),
    );
  });

  it("differ from one purpose and seed to another", () => {
    const all = Array.from({ length: 50 }, (_, at) => at);
    const draw = (seed: number, purpose: string) => drawSome(all, { count: 10, seed, purpose });
    expect(draw(1, "a")).not.toEqual(draw(2, "a"));
    expect(draw(1, "a")).not.toEqual(draw(1, "b"));
  });
});
