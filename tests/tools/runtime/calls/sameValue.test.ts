import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sameValue } from "../../../../tools/runtime/calls/jsonResult.js";

describe("two values are the same", () => {
  test.each<[string, unknown, unknown]>([
    ["up to what rounding does to a number", 0.1 + 0.2, 0.3],
    ["up to a relative difference of 1e-9", 1e12 + 1e2, 1e12],
    ["near zero up to 1e-12", Math.sin(Math.PI), 0],
    ["in whatever order their fields are", { a: 1, b: [2] }, { b: [2], a: 1 }],
    ["when both are nothing", undefined, undefined],
    ["inside of lists and objects", [{ a: 1 / 3 }], [{ a: 0.333333333333 }]],
  ])("%s", (_why, got, expected) => {
    expect(sameValue(got, expected)).toBe(true);
  });

  test("if they are identical, whatever their JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(sameValue(value, structuredClone(value))).toBe(true);
      }),
    );
  });

  test("exactly if they are the same in reverse order", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(sameValue(a, b)).toBe(sameValue(b, a));
      }),
    );
  });

  test("if they are numbers with a relative difference below 1e-9", () => {
    const number = fc.double({ min: 1e-3, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(number, fc.double({ min: -1e-8, max: 1e-8, noNaN: true }), (value, part) => {
        fc.pre(Math.abs(Math.abs(part) - 1e-9) > 1e-11);
        expect(sameValue(value * (1 + part), value)).toBe(Math.abs(part) < 1e-9);
      }),
    );
  });
});

describe("two values differ", () => {
  test.each<[string, unknown, unknown]>([
    ["for numbers that are told apart", 1.000_001, 1],
    ["for a small number and none", 1e-9, 0],
    ["for a number and its text", 1, "1"],
    ["for nothing and null", undefined, null],
    ["for lists in another order", [1, 2], [2, 1]],
    ["for a list that is longer", [1, 2], [1]],
    ["for a field more", { a: 1, b: 2 }, { a: 1 }],
    ["for a field less", { a: 1 }, { a: 1, b: 2 }],
    ["for a field by another name", { a: 1 }, { b: 1 }],
    ["for a field that only a prototype has", { toString: 1 }, { a: 1 }],
    ["for a list and an object", [], {}],
    ["for an object and null", {}, null],
    ["for texts that differ in case", "A", "a"],
  ])("%s", (_why, got, expected) => {
    expect(sameValue(got, expected)).toBe(false);
  });
});
