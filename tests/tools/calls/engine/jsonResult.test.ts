import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonResult, sameValue } from "../../../../tools/calls/engine/jsonResult.js";

describe("a result as JSON", () => {
  test.each<[string, unknown, string | undefined]>([
    ["undefined", undefined, undefined],
    ["null", null, "null"],
    ["undefined in an object and a list", { a: undefined, b: [undefined] }, '{"b":[null]}'],
    ["numbers that JSON lacks", [NaN, Infinity, -Infinity, -0], '["NaN","Infinity","-Infinity",0]'],
    ["a large bigint", 2n ** 64n, '"18446744073709551616"'],
    ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["a map with text keys", new Map([["a", new Map([[1, 2n]])]]), '{"a":[[1,2]]}'],
    ["a set", new Set([1, "a"]), '[1,"a"]'],
    ["bytes", { a: Buffer.from([1, 2]), b: new Uint8Array([3]).buffer }, '{"a":[1,2],"b":[3]}'],
    ["an error", new RangeError("far"), '{"name":"RangeError","message":"far"}'],
    ["a pattern and an address", [/a+/g, new URL("http://a.b/")], '["/a+/g","http://a.b/"]'],
    ["a date that is no date", [new Date("x")], "[null]"],
    ["what a generator gives", [1, 2].values(), "[1,2]"],
    ["headers", { h: new Headers({ a: "1" }) }, '{"h":{"a":"1"}}'],
    ["an address's parameters", new URLSearchParams("a=1"), '{"a":"1"}'],
    ["an object without a prototype", Object.create(null), "{}"],
    ["a boxed number", [Object(1)], "[1]"],
  ])("has a form for %s", (_what, value, json) => {
    expect(jsonResult(value)).toBe(json);
  });

  test("names the place of a value without a JSON form", () => {
    const circle: { list: unknown[] } = { list: [1] };
    circle.list.push({ back: circle });
    expect(() => jsonResult({ a: [() => 1] })).toThrow("result.a[0] is a function");
    expect(() => jsonResult({ a: Symbol("s") })).toThrow("result.a is a symbol");
    expect(() => jsonResult(circle)).toThrow("result.list[1].back refers back");
    class Hidden {
      #value = 1;
      read() {
        return this.#value;
      }
    }
    expect(() => jsonResult({ a: new WeakMap() })).toThrow("result.a is a WeakMap without fields");
    expect(() => jsonResult({ a: new Hidden() })).toThrow("result.a is a Hidden without fields");
    const endless = (function* () {
      while (true) yield 1;
    })();
    expect(() => jsonResult(endless)).toThrow("more than 100000 values");
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level++) deep = [deep];
    expect(() => jsonResult(deep)).toThrow("nested more than 200 levels deep");
  });

  test("is the same as that of JSON.stringify for all JSON values", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonResult(value)).toBe(JSON.stringify(value));
      }),
    );
  });
});

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
