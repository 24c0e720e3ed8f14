import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areaCircle } from "../../../../tools/catalogs/math/circles.js";
import { areaOfHexagon, areaSquare } from "../../../../tools/catalogs/math/polygons.js";
import * as spread from "../../../../tools/catalogs/math/spread.js";

const EIGHT = [2, 4, 4, 4, 5, 5, 7, 9];
const number = fc.double({ min: -1e3, max: 1e3, noNaN: true });
const numbers = fc.array(number, { minLength: 2, maxLength: 40 });

describe("variance and standard deviation", () => {
  it("are those of a population unless a sample is asked for", () => {
    expect(spread.variance(EIGHT)).toBe(4);
    expect(spread.standardDeviation(EIGHT)).toBe(2);
    expect(spread.sampleVariance(EIGHT)).toBeCloseTo(32 / 7, 14);
    expect(spread.sampleStandardDeviation(EIGHT)).toBeCloseTo(2.13809, 5);
    expect(spread.variance([5])).toBe(0);
  });

  it("give about 12 for the areas of a circle, a square and a hexagon", () => {
    const areas = [areaCircle(5), areaSquare(8), areaOfHexagon(6)];
    expect(spread.standardDeviation(areas)).toBeCloseTo(12.06, 2);
  });

  it("survive a large common offset", () => {
    expect(spread.variance([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])).toBe(22.5);
  });

  it("are never negative, ignore shifts and follow scales", () => {
    fc.assert(
      fc.property(numbers, number, (list, shift) => {
        const plain = spread.variance(list);
        expect(plain).toBeGreaterThanOrEqual(0);
        expect(spread.variance(list.map((value) => value + shift))).toBeCloseTo(plain, 6);
        expect(spread.variance(list.map((value) => 2 * value))).toBeCloseTo(4 * plain, 6);
        expect(spread.sampleVariance(list)).toBeCloseTo(
          (plain * list.length) / (list.length - 1),
          6,
        );
      }),
    );
  });

  it("need two numbers for a sample", () => {
    expect(() => spread.sampleVariance([1])).toThrow(
      "numbers must hold 2 to 100000 numbers; got 1",
    );
    expect(() => spread.sampleStandardDeviation([1])).toThrow("numbers must hold 2 to 100000");
  });
});

describe("coefficient_of_variation", () => {
  it("relates the standard deviation to the size of the mean", () => {
    expect(spread.coefficientOfVariation(EIGHT)).toBe(0.4);
    expect(spread.coefficientOfVariation(EIGHT.map((value) => -value))).toBe(0.4);
  });

  it("refuses numbers whose mean is zero", () => {
    expect(() => spread.coefficientOfVariation([-1, 1])).toThrow(
      "numbers must not have the mean 0",
    );
  });
});

describe("mean_absolute_deviation", () => {
  it("is the average distance from the mean", () => {
    expect(spread.meanAbsoluteDeviation(EIGHT)).toBe(1.5);
    expect(spread.meanAbsoluteDeviation([5])).toBe(0);
  });

  it("is never above the standard deviation", () => {
    fc.assert(
      fc.property(numbers, (list) => {
        expect(spread.meanAbsoluteDeviation(list)).toBeLessThanOrEqual(
          spread.standardDeviation(list) + 1e-9,
        );
      }),
    );
  });
});

describe("interquartile_range", () => {
  it("interpolates between the sorted numbers", () => {
    expect(spread.interquartileRange([1, 2, 3, 4, 5])).toBe(2);
    expect(spread.interquartileRange([4, 1, 3, 2])).toBe(1.5);
    expect(spread.interquartileRange([10, 9, 1, 2])).toBe(7.5);
    expect(spread.interquartileRange([5])).toBe(0);
  });

  it("lies between zero and the range and does not depend on the order", () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const width = spread.interquartileRange(list);
        expect(width).toBeGreaterThanOrEqual(0);
        expect(width).toBeLessThanOrEqual(Math.max(...list) - Math.min(...list));
        expect(spread.interquartileRange(list.toReversed())).toBe(width);
      }),
    );
  });
});

it.each(Object.entries(spread))("the measure %s refuses an empty list", (_, measure) => {
  expect(() => measure([])).toThrow(/^numbers must hold [12] to 100000 numbers; got 0$/u);
});
