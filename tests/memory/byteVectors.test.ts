import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VECTOR_STEP, quantise, scalarProducts, squareOf } from "../../memory/byteVectors.js";

const byte = fc.integer({ min: -128, max: 127 });

describe("scalarProducts", () => {
  it("gives what adding up the products of components gives", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }).chain((steps) => {
          const vector = fc.array(byte, {
            minLength: steps * VECTOR_STEP,
            maxLength: steps * VECTOR_STEP,
          });
          return fc.tuple(vector, fc.array(vector, { minLength: 1, maxLength: 5 }));
        }),
        ([vector, vectors]) => {
          const productsOf = scalarProducts({ length: vector.length, count: vectors.length });
          const products = productsOf(Int8Array.from(vector), Int8Array.from(vectors.flat()));
          expect([...products]).toEqual(
            vectors.map((other) => other.reduce((sum, b, at) => sum + b * (vector[at] ?? 0), 0)),
          );
        },
      ),
    );
  });

  it("holds the largest products of long vectors", () => {
    const [length, count] = [4096, 256];
    const productsOf = scalarProducts({ length, count });
    const lowest = new Int8Array(length).fill(-128);
    const products = productsOf(lowest, new Int8Array(length * count).fill(-128));
    expect(new Set(products)).toEqual(new Set([128 * 128 * length]));
  });
});

describe("quantise", () => {
  it("fills up to whole steps, and is off by half a unit at most", () => {
    const unit = [0.6, -0.8, 0, 0, 0, 0, 0, 0, 0];
    const quantised = quantise(unit);
    expect([...quantised]).toEqual([76, -102, ...Array.from({ length: 14 }, () => 0)]);
    expect(squareOf(quantised)).toBe(76 ** 2 + 102 ** 2);
  });
});
