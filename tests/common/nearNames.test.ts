import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestName } from "../../common/nearNames.js";

describe("the nearest name", () => {
  it.each([
    ["subtract_numbers", ["sort_numbers", "add_numbers"]],
    ["sum", ["lcm", "sub"]],
    ["ISS-99", ["ISS-9", "ISS-98"]],
    ["TASK-13", ["TASK-12", "task_1.3"]],
    ["include_labels", ["exclude_labels"]],
    ["min_price", ["max_price"]],
    ["maximum_price", ["minimum_price"]],
    ["-3", ["3"]],
    ["x", ["a", "y"]],
  ])("of %s is none of %j", (wanted, available) => {
    expect(nearestName(wanted, available)).toBeUndefined();
  });

  it.each([
    ["worksList", "works_list"],
    ["cot-tulip", "cot_tulip"],
    ["opnai", "openai"],
    ["tset", "test"],
    ["bas", "base"],
    ["convret_to_miles", "convert_to_miles"],
    ["create_custmoer", "create_customer"],
    ["task-12", "TASK-12"],
  ])("of %s is %s", (wanted, name) => {
    expect(nearestName(wanted, ["sort_numbers", name, "gcd"])).toBe(name);
  });

  it("has the same numbers as the wanted name", () => {
    const name = fc.stringMatching(/^[A-Z]{2,4}[-_ ]?\d{1,3}$/);
    fc.assert(
      fc.property(name, fc.array(name, { minLength: 1, maxLength: 20 }), (wanted, available) => {
        const near = nearestName(wanted, available);
        expect(near === undefined ? [] : near.match(/\d+/g)).toEqual(
          near === undefined ? [] : wanted.match(/\d+/g),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("is found for a long name with one or two wrong letters", () => {
    const word = fc.stringMatching(/^[a-z]{9,14}$/);
    fc.assert(
      fc.property(word, fc.nat(7), fc.constantFrom("", "#", "##"), (name, at, put) => {
        const spoilt = `${name.slice(0, at)}${put}${name.slice(at + Math.max(1, put.length))}`;
        expect(nearestName(spoilt, [name])).toBe(name);
      }),
    );
  });

  it("is looked for in no time even for an endless text", () => {
    const names = Array.from({ length: 1000 }, (_, at) => `tool_${"a".repeat(90)}_${at}`);
    expect(nearestName("a".repeat(1_000_000), names)).toBeUndefined();
  });
});
