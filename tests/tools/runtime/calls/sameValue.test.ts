import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sameValue } from "../../../../tools/runtime/calls/jsonResult.js";

test.each<[string, unknown, unknown, boolean]>([
  ["numbers up to rounding", 0.1 + 0.2, 0.3, true],
  ["large numbers up to 1e-9 of them", 1e12 + 1e2, 1e12, true],
  ["numbers near zero up to 1e-12", Math.sin(Math.PI), 0, true],
  ["fields in another order", { a: 1, b: [2] }, { b: [2], a: 1 }, true],
  ["numbers inside of lists and objects", [{ a: 1 / 3 }], [{ a: 0.333333333333 }], true],
  ["numbers that are told apart", 1.000_001, 1, false],
  ["a small number and none", 1e-9, 0, false],
  ["a number and its text", 1, "1", false],
  ["nothing and null", undefined, null, false],
  ["lists in another order", [1, 2], [2, 1], false],
  ["a field more", { a: 1, b: 2 }, { a: 1 }, false],
  ["a field that only a prototype has", { toString: 1 }, { a: 1 }, false],
  ["a list and an object", [], {}, false],
])("compares %s", (_what, one, other, isSame) => {
  expect(sameValue(one, other)).toBe(isSame);
  expect(sameValue(other, one)).toBe(isSame);
});

test("any JSON is the same as its copy", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(sameValue(value, structuredClone(value))).toBe(true);
    }),
  );
});
