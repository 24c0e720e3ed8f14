import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  areaOfHexagon,
  areaOfRhombus,
  areaParallelogram,
  areaRectangle,
  areaSquare,
  areaTrapezoid,
  perimeterOfHexagon,
  perimeterRectangle,
  perimeterSquare,
} from "../../../../tools/catalogs/math/polygons.js";
import { areaTriangle } from "../../../../tools/catalogs/math/triangles.js";

const size = fc.double({ min: 1e-3, max: 1e4, noNaN: true });

describe("polygons", () => {
  it.each([
    { what: "the area of a rectangle of 8 by 5", got: areaRectangle(8, 5), expected: 40 },
    { what: "the perimeter of a rectangle of 8 by 5", got: perimeterRectangle(8, 5), expected: 26 },
    { what: "the area of a square of side 15", got: areaSquare(15), expected: 225 },
    { what: "the perimeter of a square of side 10", got: perimeterSquare(10), expected: 40 },
    { what: "the area of a parallelogram", got: areaParallelogram(10, 7), expected: 70 },
    { what: "the area of a trapezoid", got: areaTrapezoid(3, 5, 4), expected: 16 },
    { what: "the area of a rhombus", got: areaOfRhombus(10, 8), expected: 40 },
    { what: "the perimeter of a hexagon", got: perimeterOfHexagon(2.5), expected: 15 },
  ])("know $what exactly: $expected", ({ got, expected }) => {
    expect(got).toBe(expected);
  });

  it("make a hexagon of six equilateral triangles", () => {
    expect(areaOfHexagon(4)).toBeCloseTo(41.5692, 4);
    fc.assert(
      fc.property(size, (side) => {
        const triangle = areaTriangle(side, (side * Math.sqrt(3)) / 2);
        expect(Math.abs(areaOfHexagon(side) - 6 * triangle)).toBeLessThanOrEqual(
          1e-14 * triangle * 6,
        );
      }),
    );
  });

  it("make a square a rectangle, a rectangle a parallelogram and that a trapezoid", () => {
    fc.assert(
      fc.property(size, size, (a, b) => {
        expect(areaRectangle(a, a)).toBeCloseTo(areaSquare(a), 6);
        expect(areaParallelogram(a, b)).toBe(areaRectangle(a, b));
        expect(areaTrapezoid(a, a, b)).toBeCloseTo(areaParallelogram(a, b), 6);
        expect(perimeterRectangle(a, a)).toBe(perimeterSquare(a));
      }),
    );
  });

  it.each([
    { name: "length", run: () => areaRectangle(-1, 1) },
    { name: "width", run: () => perimeterRectangle(1, -1) },
    { name: "side_length", run: () => areaSquare(-1) },
    { name: "side_length", run: () => perimeterSquare(-1) },
    { name: "base", run: () => areaParallelogram(-1, 1) },
    { name: "base2", run: () => areaTrapezoid(1, -1, 1) },
    { name: "diagonal1", run: () => areaOfRhombus(-1, 1) },
    { name: "side", run: () => areaOfHexagon(-1) },
    { name: "side", run: () => perimeterOfHexagon(-1) },
  ])("refuse a negative $name", ({ name, run }) => {
    expect(run).toThrow(`${name} must be 0 or more; got -1`);
  });
});
