import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quadraticFormula } from "../../../../tools/catalogs/math/algebra.js";

describe("quadratic_formula", () => {
  it("finds two real solutions, the smaller one first", () => {
    expect(quadraticFormula(1, 50, -15000)).toEqual({ real_roots: [-150, 100], complex_roots: [] });
    expect(quadraticFormula(-2, 0, 8)).toEqual({ real_roots: [-2, 2], complex_roots: [] });
  });

  it("names a double solution once", () => {
    expect(quadraticFormula(1, -2, 1)).toEqual({ real_roots: [1], complex_roots: [] });
    expect(quadraticFormula(3, 0, 0)).toEqual({ real_roots: [0], complex_roots: [] });
  });

  it("finds the complex pair when the discriminant is negative", () => {
    expect(quadraticFormula(1, 2, 5)).toEqual({
      real_roots: [],
      complex_roots: [
        { re: -1, im: -2 },
        { re: -1, im: 2 },
      ],
    });
  });

  it("keeps the small solution where the textbook formula loses it", () => {
    const { real_roots } = quadraticFormula(1, 1e8, 1);
    expect(real_roots[1]).toBeCloseTo(-1e-8, 22);
  });

  it("solves equations whose discriminant would overflow or vanish", () => {
    expect(quadraticFormula(1e200, -3e200, 2e200).real_roots[1]).toBeCloseTo(2, 12);
    expect(quadraticFormula(1e-200, -3e-200, 2e-200).real_roots[0]).toBeCloseTo(1, 12);
  });

  it("finds the numbers that an equation was made of", () => {
    const root = fc.integer({ min: -1000, max: 1000 });
    const factor = fc.integer({ min: 1, max: 50 });
    fc.assert(
      fc.property(root, root, factor, (p, q, a) => {
        const { real_roots } = quadraticFormula(a, -a * (p + q), a * p * q);
        const wanted = [...new Set([Math.min(p, q), Math.max(p, q)])];
        expect(real_roots).toHaveLength(wanted.length);
        for (const [index, value] of wanted.entries()) {
          expect(real_roots[index]).toBeCloseTo(value, 8);
        }
      }),
    );
  });

  it("refuses an equation that is not quadratic", () => {
    expect(() => quadraticFormula(0, 2, 1)).toThrow("a must not be 0");
  });
});
