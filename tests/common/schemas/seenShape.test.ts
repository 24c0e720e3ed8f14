import { describe, expect, it } from "vitest";
import { mergedShape, shapeChanges, shapeOf } from "../../../common/schemas/seenShape.js";
import { typeText } from "../../../common/schemas/typeText.js";

const typeOf = (value: unknown, given?: unknown) => typeText(shapeOf(value, given));

describe("the shape of results", () => {
  it.each([
    ["a text", "string"],
    [[], "unknown[]"],
    [null, "null"],
    [[{ n: 1, t: null }, { n: 2 }], "{ n: number; t?: null }[]"],
    [{ list: [1, "a"] }, "{ list: (number | string)[] }"],
    [{ at: { "user-id": 1 } }, '{ at: { "user-id": number } }'],
  ])("of %j is %s", (value, type) => {
    expect(typeOf(value)).toBe(type);
  });

  it.each([
    ["addresses", { "ann@example.com": 1, "bob@example.com": 2 }],
    ["days", { "2026-11-28": 1 }],
    ["numbers", { 17: 1, 18: 2 }],
    ["ids", { "9f86d081884c7d659a2feaa0c55ad015": 1 }],
    ["paths", { "/home/ann": 1 }],
    ["sentences", { "Ann lives here": 1 }],
  ])("has no names of fields that are data: %s", (_, value) => {
    expect(typeOf(value)).toBe("Record<string, number>");
  });

  it("has no names that the call was given, or that stand before many alike", () => {
    expect(typeOf({ ann: 1 }, { users: ["ann"] })).toBe("Record<string, number>");
    const person = { age: 1 };
    expect(typeOf({ ann: person, bob: person, eve: person })).toBe(
      "Record<string, { age: number }>",
    );
    expect(typeOf({ start: person, end: person })).toContain("start: {");
  });

  it("never has a value, and stays short however large and deep a result is", () => {
    let deep: unknown = "secret value";
    for (let at = 0; at < 1000; at += 1) deep = { inner: [deep] };
    const wide = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`f${at}`, deep]));
    const shape = JSON.stringify(shapeOf([wide, deep, { text: "secret value" }]));
    expect(shape).not.toContain("secret value");
    expect(shape.length).toBeLessThan(6001);
  });

  it("of several results calls what some lack optional, and tells all kinds of values", () => {
    const both = mergedShape(shapeOf({ a: 1, b: "x" }), shapeOf({ a: null, c: [] }));
    expect(typeText(both)).toBe("{ a: number | null; b?: string; c?: unknown[] }");
  });
});

describe("changes of shapes", () => {
  const before = shapeOf({ items: [{ id: 1, name: "a", tag: null }], total: 1 });

  it.each([
    ["what is new or empty", { items: [], total: null, more: true }, []],
    ["another kind of value", { items: [], total: "1" }, ["total was number and is string"]],
    ["a missing part", { items: [{ id: 1, tag: "x" }], total: 1 }, ["items[].name is missing"]],
    ["a list for an object", [1], ["the result was object and is array"]],
  ])("%s", (_, now, changes) => {
    expect(shapeChanges(before, shapeOf(now))).toEqual(changes);
  });
});
