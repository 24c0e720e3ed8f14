import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costAxis, shareAxis } from "../../../../eval/report/charts/axes.js";

describe("the axis of costs", () => {
  it("starts at zero if costs are similar", () => {
    const axis = costAxis({ costs: [400, 900], length: 100 });
    expect(axis.isLog).toBe(false);
    expect(axis.ticks).toEqual([0, 200, 400, 600, 800]);
    expect(axis.position(0)).toBe(0);
  });

  it("is logarithmic if they range widely", () => {
    const axis = costAxis({ costs: [0.001, 0.1], length: 100 });
    expect(axis.isLog).toBe(true);
    expect(axis.ticks).toEqual([0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1]);
    expect(axis.position(0.01)).toBeCloseTo(50, 6);
  });

  it("is linear as soon as something cost nothing", () => {
    expect(costAxis({ costs: [0, 500], length: 100 }).isLog).toBe(false);
    expect(costAxis({ costs: [0, 0], length: 100 }).domain).toEqual([0, 1]);
  });

  it("has all costs and at least two ticks between its ends", () => {
    const costs = fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(costs, (all) => {
        const axis = costAxis({ costs: all, length: 100 });
        expect(axis.ticks.length).toBeGreaterThanOrEqual(2);
        for (const value of [...all, ...axis.ticks]) {
          expect(axis.position(value)).toBeGreaterThanOrEqual(0);
          expect(axis.position(value)).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});

describe("the axis of shares", () => {
  it("shows what the shares take, with ticks at tenths", () => {
    const axis = shareAxis({ shares: [0.72, 0.98], length: 100 });
    expect(axis.domain[0]).toBeCloseTo(0.6, 9);
    expect(axis.ticks).toEqual([0.6, 0.7, 0.8, 0.9, 1]);
  });

  it("stays within 0 to 1, except for the room that points need", () => {
    const axis = shareAxis({ shares: [0, 1], length: 100 });
    expect(axis.ticks).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(axis.domain).toEqual([0, 1.03]);
  });
});
