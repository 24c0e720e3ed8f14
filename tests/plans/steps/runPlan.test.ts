import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerText } from "../../../plans/steps/answerText.js";
import { fillArguments } from "../../../plans/steps/fillArguments.js";
import type { PlanValue } from "../../../plans/steps/plan.js";
import { referencesIn } from "../../../plans/steps/references.js";
import { anyValue, output } from "./planTools.js";

it("an output that is not an object stands for its `result` if its type is unknown", () => {
  const args = { a: output(0, "result"), b: output(1, "value", 0), c: output(2, "result") };
  const outputs = [7, ["x"], { result: "own" }];
  expect(fillArguments({ step: 3, args, outputs })).toEqual({ args: { a: 7, b: "x", c: "own" } });
  expect(answerText({ plan: { answer: "It is $$PREV[0].output." }, outputs })).toEqual({
    text: "It is 7.",
  });
});

describe("the arguments of a step that runs", () => {
  it("are filled from outputs and their parts, in lists, objects and texts", () => {
    const outputs = [{ items: [{ name: "Ada" }, { name: "Bo" }], total: 2.5 }, "Cy", null];
    const args = {
      whole: output(2),
      name: output(0, "items", -1, "name"),
      inside: [{ total: output(0, "total") }, "x"],
      text: { $text: ["for ", output(1), ": ", output(0, "items", 0), ", ", output(0, "total")] },
    } as Record<string, PlanValue>;
    expect(fillArguments({ step: 3, args, outputs })).toEqual({
      args: {
        whole: null,
        name: "Bo",
        inside: [{ total: 2.5 }, "x"],
        text: 'for Cy: {"name":"Ada"}, 2.5',
      },
    });
  });

  it.each<[PlanValue, unknown, string, string]>([
    [
      output(0, "boss", "name"),
      { id: 1, email: 2 },
      "missing field",
      "$$PREV[0] is an object with id, email",
    ],
    [output(0, "list", 3), { list: [1] }, "missing field", "$$PREV[0].list is a list of 1"],
    [output(0, "name"), null, "missing field", "$$PREV[0] is nothing"],
    [output(0, "length"), "abc", "missing field", "$$PREV[0] is a string"],
    [output(0, "constructor"), {}, "missing field", "an object with no fields"],
    [output(0), undefined, "missing step", "gave no result"],
    [output(1), "x", "forward reference", "not there yet"],
  ])("%j on %j is an issue that says what is there", (value, given, kind, problem) => {
    const filled = fillArguments({ step: 1, args: { it: [value] }, outputs: [given, "later"] });
    expect(filled).toMatchObject({ issue: { step: 1, argument: "it", kind } });
    expect("issue" in filled && filled.issue.problem).toContain(problem);
  });

  it("never come from the step itself or from later ones", () => {
    const outputs = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [at, { id: [at] }]));
    fc.assert(
      fc.property(fc.nat(8), anyValue, (step, value) => {
        const filled = fillArguments({ step, args: { value }, outputs });
        const isForward = referencesIn(value).some(({ $prev }) => $prev >= step);
        expect(isForward && "args" in filled).toBe(false);
      }),
    );
  });

  it("that hold data which looks like a reference are passed on as they are", () => {
    const data = { $prev: 0, path: ["secret"] };
    const filled = fillArguments({ step: 1, args: { it: output(0) }, outputs: [data] });
    expect(filled).toEqual({ args: { it: data } });
  });
});

describe("the text of an answer", () => {
  it.each<[string, unknown, string]>([
    ["It is $$PREV[0].", "here", "It is here."],
    ["$$PREV[0].total in all", { total: 0.5 }, "0.5 in all"],
    ["Items: $$PREV[0]", ["a", 2, true], "Items: a, 2 and yes"],
    ["Items: $$PREV[0]", [], "Items: none"],
    ["$$PREV[0]", [{ a: 1, b_c: [1, 2] }, { a: 2 }], "a 1, b c (1 and 2); a 2"],
    ["It costs $$$PREV[0].", 21.07844479350024, "It costs $21.08."],
    ["It costs $$PREV[0] €.", 5, "It costs 5 €."],
    ["$$PREV[0] m", 21.07844479350024, "21.0784 m"],
    ["$$PREV[0] m", 1234567.891234, "1234567.89 m"],
    ["$$PREV[0]", 0.1 + 0.2, "0.3"],
    ["$$PREV[0]", 0.00001234567891, "0.0000123457"],
    ["$$PREV[0]", 1e21, "1e+21"],
    ["Is it even: $$PREV[0].", true, "Is it even: yes."],
    ["$$PREV[0][0].id is next", [{ id: "A1", title: "Mend it" }], "Mend it (A1) is next"],
    ["$$PREV[0].id: $$PREV[0].name", { id: "A1", name: "Ada" }, "A1: Ada"],
    ["$$PREV[0]", { id: "A1", name: "Ada", age: 3, boss: null }, "Ada (A1): age 3"],
    ["12 + $$PREV[0] = $$PREV[0]", 3, "12 + 3 = 3"],
    ["$$PREV[0]", null, "nothing"],
    ["No reference", "x", "No reference"],
    ["", "x", ""],
  ])("%j over %j reads well", (answer, given, text) => {
    expect(answerText({ plan: { answer }, outputs: [given] })).toEqual({ text });
  });

  it("cuts long data", () => {
    const filled = answerText({ plan: { answer: "$$PREV[0]" }, outputs: [Array(9999).fill(1)] });
    expect("text" in filled && filled.text.length).toBeLessThan(2100);
  });

  it.each([
    ["$$PREV[1]"],
    ["$$PREV[0].b"],
    ["$$PREV[x]"],
    ["It is $$PREV[0].a - 865."],
    ["2 * $$PREV[0].a"],
    ["$$PREV[0].a + $$PREV[0].a"],
    ["round($$PREV[0].a, 2)"],
  ])("%s is an issue", (answer) => {
    const filled = answerText({ plan: { answer }, outputs: [{ a: 1 }] });
    expect(filled).toMatchObject({ issue: { kind: "answer" } });
  });
});
