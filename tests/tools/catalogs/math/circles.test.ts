import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  areaCircle,
  areaOfEllipse,
  circumferenceCircle,
  perimeterOfEllipse,
} from "../../../../tools/catalogs/math/circles.js";

const size = fc.double({ min: 1e-3, max: 1e4, noNaN: true });

describe("circles", () => {
  it("know area and circumference", () => {
    expect(areaCircle(1)).toBe(Math.PI);
    expect(areaCircle(5)).toBeCloseTo(78.53981633974483, 12);
    expect(circumferenceCircle(7)).toBeCloseTo(43.982297150257104, 12);
    expect(areaCircle(0)).toBe(0);
  });

  it("refuse a negative radius and one whose area is too large", () => {
    expect(() => areaCircle(-1)).toThrow("radius must be 0 or more; got -1");
    expect(() => circumferenceCircle(-2)).toThrow("radius must be 0 or more; got -2");
    expect(() => areaCircle(1e200)).toThrow("the result is too large");
  });
});

describe("ellipses", () => {
  it("take semi-axes for the area and for the perimeter alike", () => {
    expect(areaOfEllipse(7, 4)).toBeCloseTo(87.96459430051421, 12);
    expect(areaOfEllipse(10, 5) * perimeterOfEllipse(10, 5)).toBeCloseTo(7609.3, 0);
  });

  it("have the perimeter that the elliptic integral gives", () => {
    expect(perimeterOfEllipse(10, 5)).toBeCloseTo(48.442241, 5);
    expect(perimeterOfEllipse(2, 1)).toBeCloseTo(ellipticPerimeter(2, 1), 5);
    expect(perimeterOfEllipse(1, 0) / 4).toBeCloseTo(1, 3);
    expect(perimeterOfEllipse(0, 0)).toBe(0);
  });

  it("are circles when both axes are equal", () => {
    fc.assert(
      fc.property(size, (radius) => {
        expect(areaOfEllipse(radius, radius) / areaCircle(radius)).toBeCloseTo(1, 12);
        expect(perimeterOfEllipse(radius, radius) / circumferenceCircle(radius)).toBeCloseTo(1, 12);
      }),
    );
  });

  it("do not care which axis comes first and stay within 0.05 % of the true perimeter", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 1, noNaN: true }), (b) => {
        expect(perimeterOfEllipse(b, 1)).toBe(perimeterOfEllipse(1, b));
        expect(Math.abs(perimeterOfEllipse(1, b) / ellipticPerimeter(1, b) - 1)).toBeLessThan(5e-4);
      }),
    );
  });

  it("refuse negative axes", () => {
    expect(() => areaOfEllipse(-1, 1)).toThrow("major_axis must be 0 or more; got -1");
    expect(() => perimeterOfEllipse(1, -1)).toThrow("minor_axis must be 0 or more; got -1");
  });
});

/** The perimeter by adding up the speed along the curve at many points. */
function ellipticPerimeter(a: number, b: number): number {
  const points = 20_000;
  let sum = 0;
  for (let point = 0; point < points; point += 1) {
    const angle = (2 * Math.PI * (point + 0.5)) / points;
    sum += Math.sqrt((a * Math.sin(angle)) ** 2 + (b * Math.cos(angle)) ** 2);
  }
  return (sum * 2 * Math.PI) / points;
}
