import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pythagoreanTriples } from "../../../../tools/catalogs/math/sequences.js";
import {
  areaTriangle,
  distanceBetweenPoints,
  hypotenuse,
  perimeterTriangle,
} from "../../../../tools/catalogs/math/triangles.js";

describe("hypotenuse", () => {
  it("follows Pythagoras", () => {
    expect(hypotenuse(9, 12)).toBe(15);
    expect(hypotenuse(1, 1)).toBe(Math.SQRT2);
    expect(hypotenuse(0, 4)).toBe(4);
  });

  it("is whole for every Pythagorean triple", () => {
    for (const [a, b, c] of pythagoreanTriples(2000)) expect(hypotenuse(a, b)).toBe(c);
  });

  it("neither overflows nor vanishes for extreme legs", () => {
    expect(hypotenuse(3e200, 4e200) / 5e200).toBeCloseTo(1, 14);
    expect(hypotenuse(3e-200, 4e-200) / 5e-200).toBeCloseTo(1, 14);
  });

  it("refuses negative legs", () => {
    expect(() => hypotenuse(-1, 2)).toThrow("a must be 0 or more; got -1");
  });
});

describe("area_triangle", () => {
  it("is half of base times height", () => {
    expect(areaTriangle(12, 9)).toBe(54);
    expect(() => areaTriangle(12, -9)).toThrow("height must be 0 or more; got -9");
  });
});

describe("perimeter_triangle", () => {
  it("adds up the three sides", () => {
    expect(perimeterTriangle([2, 3, 4])).toBe(9);
  });

  it("refuses sides that make no triangle", () => {
    expect(() => perimeterTriangle([1, 2, 10])).toThrow(
      "sides must close to a triangle; got 1, 2, 10",
    );
    expect(() => perimeterTriangle([1, 2, 3])).toThrow("sides must close to a triangle");
    expect(() => perimeterTriangle([3, 4])).toThrow("sides must hold the 3 sides of a triangle");
    expect(() => perimeterTriangle([3, 0, 3])).toThrow("sides[1] must be greater than 0; got 0");
  });
});

describe("distance_between_points", () => {
  it("is the length of the straight line", () => {
    expect(distanceBetweenPoints(1, 2, 4, 6)).toBe(5);
    expect(distanceBetweenPoints(-3, 0, 3, 0)).toBe(6);
  });

  it("is symmetric and no longer than a detour", () => {
    const coordinate = fc.integer({ min: -1000, max: 1000 });
    const point = fc.record({ x: coordinate, y: coordinate });
    fc.assert(
      fc.property(point, point, point, (p, q, via) => {
        const direct = distanceBetweenPoints(p.x, p.y, q.x, q.y);
        const detour =
          distanceBetweenPoints(p.x, p.y, via.x, via.y) +
          distanceBetweenPoints(via.x, via.y, q.x, q.y);
        expect(distanceBetweenPoints(q.x, q.y, p.x, p.y)).toBe(direct);
        expect(direct).toBeLessThanOrEqual(detour + 1e-9);
      }),
    );
  });
});
