import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cosine, sine, tangent } from "../../../../tools/catalogs/math/trigonometry.js";

const angle = fc.double({ min: -10, max: 10, noNaN: true });

describe("sine, cosine and tangent", () => {
  it.each([
    { angle: 0, sin: 0, cos: 1, tan: 0 },
    { angle: Math.PI / 6, sin: 0.5, cos: Math.sqrt(3) / 2, tan: 1 / Math.sqrt(3) },
    { angle: Math.PI / 4, sin: Math.SQRT1_2, cos: Math.SQRT1_2, tan: 1 },
    { angle: Math.PI, sin: 0, cos: -1, tan: 0 },
  ])("know the angle of $angle radians", ({ angle, sin, cos, tan }) => {
    expect(sine(angle)).toBeCloseTo(sin, 14);
    expect(cosine(angle)).toBeCloseTo(cos, 14);
    expect(tangent(angle)).toBeCloseTo(tan, 14);
  });

  it("lie on the unit circle", () => {
    fc.assert(
      fc.property(angle, (value) => {
        expect(sine(value) ** 2 + cosine(value) ** 2).toBeCloseTo(1, 12);
      }),
    );
  });

  it("make the tangent the ratio of sine to cosine", () => {
    const awayFromPoles = angle.filter((value) => Math.abs(Math.cos(value)) > 0.01);
    fc.assert(
      fc.property(awayFromPoles, (value) => {
        expect(tangent(value)).toBeCloseTo(sine(value) / cosine(value), 10);
      }),
    );
  });

  it("refuse an angle that is not a finite number", () => {
    expect(() => sine(Infinity)).toThrow("angle must be a finite number; got Infinity");
    expect(() => cosine(NaN)).toThrow("angle must be a finite number; got NaN");
    expect(() => tangent(-Infinity)).toThrow("angle must be a finite number; got -Infinity");
  });
});
