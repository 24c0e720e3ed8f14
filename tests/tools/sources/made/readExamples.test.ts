import { assert, constantFrom, jsonValue, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { readExampleText } from "../../../../tools/sources/made/exampleText.js";
import { NotALiteral, readLiteral } from "../../../../tools/sources/made/readLiteral.js";

const four = (text: string) => readExampleText({ name: "example", text, line: 10 }, "f");

describe("An example", () => {
  it.each([
    "f(16) => 4",
    "f(16) -> 4",
    "f(16) // returns 4",
    "f(16) == 4",
    "f(16) returns 4",
    "f(16) => 4 // the root of 16",
    "f(16) =>\n  4",
    "- f(16) => 4",
    "`f(16)` => `4`".replaceAll("`4`", "4"),
    "`f(16) => 4`",
    "const root = f(16); // 4",
    "\n```ts\nf(16) // => 4\n```",
    "The root of a square.\nf(16) => 4",
    "// f is fast\nf(16) => 4",
    "f(1_6) => +4.0",
  ])("may be written as %j.", (text) => {
    expect(four(text)).toMatchObject([
      {
        values: [16],
        expects: { kind: "value", value: 4 },
        text: expect.stringMatching(/^f\(.*\) => /) as string,
      },
    ]);
  });

  it.each([
    "f(-1) => throws",
    "f(-1) // throws RangeError: negative",
    "f(-1) => throws an error (the value is negative)",
    'f(-1) => Error("negative")',
  ])("states an error as %j.", (text) => {
    expect(four(text)).toMatchObject([
      { values: [-1], expects: { kind: "throws" }, text: "f(-1) => throws" },
    ]);
  });

  it.each([
    ["undefined", undefined],
    ["NaN", "NaN"],
    ["-Infinity", "-Infinity"],
    ["[1, NaN, undefined]", [1, "NaN", null]],
    ['"throws"', "throws"],
    ["'it''s'".replace("''", String.raw`\'`), "it's"],
    ["`a b`", "a b"],
    [
      '{ a: [1, { "b-c": -2.5e3 }], d: undefined, 5: true, true: [], }',
      { a: [1, { "b-c": -2500 }], 5: true, true: [] },
    ],
    ['[\n  "a",\n  "b => c",\n]', ["a", "b => c"]],
    ['"hi @bob } */"', "hi @bob } */"],
  ])("may expect %s.", (written, value) => {
    expect(four(`f() => ${written}`)).toMatchObject([
      { values: [], expects: { kind: "value", value } },
    ]);
  });

  it("may be one of several in a block, each with its own line.", () => {
    const text = "\n```ts\nf(1) // 1\nf([\n  2,\n]) // => [2]\n\nf(x) // 3\nf(4)\nf(5) runs\n```";
    expect(four(text).map(({ line }) => line)).toEqual([12, 13, 17, 18, 19]);
    expect(four(text)).toMatchObject([
      { values: [1] },
      { values: [[2]], text: "f([ 2, ]) => [2]" },
      { problem: expect.stringContaining("not x) // 3") as string },
      { problem: expect.stringContaining("states no result") as string },
      { expects: { kind: "runs" } },
    ]);
  });
});

describe("A literal", () => {
  it("is read like JSON, no matter what follows.", () => {
    assert(
      property(jsonValue(), constantFrom("", " ", ")", ", 5", "\n// x"), (value, after) => {
        const text = JSON.stringify(value);
        expect(readLiteral(`=> ${text}${after}`, 3)).toEqual({
          value: JSON.parse(text) as unknown,
          end: 3 + text.length,
        });
      }),
      { numRuns: 300 },
    );
  });

  it("keeps a key that would change a prototype a plain key.", () => {
    const { value } = readLiteral('{ "__proto__": { "polluted": true } }', 0);
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("polluted");
  });

  it.each([
    "1n",
    "[1 2]",
    "[1, , 2]",
    "{ a }",
    "{ [a]: 1 }",
    "{ a() {} }",
    "new Date()",
    "`a${1}`",
    '"abc',
    "",
    "constructor",
  ])("is not %j.", (text) => {
    expect(() => readLiteral(text, 0)).toThrow(NotALiteral);
  });
});
