import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerText, fillArguments } from "../../../plans/steps/fillArguments.js";
import type { PlanValue } from "../../../plans/steps/plan.js";
import { referencesIn } from "../../../plans/steps/references.js";
import { anyValue, output } from "./planTools.js";

describe("the arguments of a step that runs", () => {
  it("are filled from outputs and their parts, in lists, objects and texts", () => {
    const outputs = [{ items: [{ name: "Ada" }, { name: "Bo" }], total: 2.5 }, "Cy", null];
    const args = {
      whole: output(2),
      name: output(0, "items", -1, "name"),
      inside: [{ total: output(0, "total") }, "x"],
      text: { $text: ["for ", output(1), ": ", output(0, "items", 0), ", ", output(0, "total")] },
    } as Record<string, PlanValue>;
    expect(fillArguments(3, args, outputs)).toEqual({
      whole: null,
      name: "Bo",
      inside: [{ total: 2.5 }, "x"],
      text: 'for Cy: {"name":"Ada"}, 2.5',
    });
  });

  it.each<[PlanValue, unknown]>([
    [output(0, "boss", "name"), { id: 1, email: 2 }],
    [output(0, "list", 3), { list: [1] }],
    [output(0, "name"), null],
    [output(0, "length"), "abc"],
    [output(0, "constructor"), {}],
    [output(0), undefined],
    [output(1), "x"],
  ])("are not there if one leads to nothing: %j on %j", (value, given) => {
    expect(fillArguments(1, { it: [value] }, [given, "later"])).toBeUndefined();
  });

  it("never come from the step itself or from later ones", () => {
    const outputs = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [at, { id: [at] }]));
    fc.assert(
      fc.property(fc.nat(8), anyValue, (step, value) => {
        const isForward = referencesIn(value).some(({ $prev }) => $prev >= step);
        expect(isForward && fillArguments(step, { value }, outputs) !== undefined).toBe(false);
      }),
    );
  });

  it("that hold data which looks like a reference are passed on as they are", () => {
    const data = { $prev: 0, path: ["secret"] };
    expect(fillArguments(1, { it: output(0) }, [data])).toEqual({ it: data });
  });
});

describe("the text of an answer", () => {
  it.each<[string, unknown, string | undefined]>([
    ["It is $$PREV[0].", "here", "It is here."],
    ["$$PREV[0].total in all", { total: 0.5 }, "0.5 in all"],
    ["Items: $$PREV[0]", ["a", 2, true], "Items: a, 2 and yes"],
    ["$$PREV[0]", [{ a: 1, b_c: [1, 2] }, { a: 2 }], "a 1, b c (1 and 2); a 2"],
    ["$$PREV[0] m", 1234567.891234, "1234567.89 m"],
    ["$$PREV[0]", 0.00001234567891, "0.0000123457"],
    ["$$PREV[0]", { id: "A1", name: "Ada", age: 3, boss: null }, "Ada (A1): age 3"],
    ["No reference", "x", "No reference"],
    ["$$PREV[1]", {}, undefined],
    ["$$PREV[0].b", { a: 1 }, undefined],
    ["$$PREV[x]", {}, undefined],
  ])("%j over %j is %j", (answer, given, text) => {
    expect(answerText(answer, [given])).toBe(text);
  });

  it("cuts long data", () => {
    expect(answerText("$$PREV[0]", [Array(9999).fill(1)])?.length).toBeLessThan(2100);
  });
});
