import { describe, expect, it } from "vitest";
import {
  type DecomposeInput,
  decomposeQuestion,
  subtasksForm,
} from "../../../nodes/finding/decompose.js";
import { promptOf } from "../../../nodes/kit/question.js";

const REQUEST = "Area of a 3 by 4 room in ${unit}, {braces} and all?";

function textsOf(more: Partial<DecomposeInput> = {}, problem?: string): string[] {
  const shared = { style: "plain", request: REQUEST, task: REQUEST, depth: 0 } as const;
  const input: DecomposeInput = { ...shared, earlierTurns: [], ...more };
  return promptOf(decomposeQuestion, { input, problem }).messages.map(({ text }) => text);
}

describe("the question for subtasks", () => {
  it("shows a worked example only in the one-shot style, with a reply that can be read", () => {
    const [shown = ""] = textsOf({ style: "oneShot" });
    expect(textsOf()[0]).not.toContain("Example");
    const reply = /^Reply: (\{.*\})$/m.exec(shown)?.[1] ?? "";
    const three = [expect.any(String), expect.any(String), expect.any(String)];
    expect(subtasksForm.read(reply)).toEqual({ value: three });
  });

  it("shows a tree's results of earlier tasks and failed plans, in order", () => {
    const [, human = ""] = textsOf({
      style: "tree",
      task: "Paint the {room}",
      depth: 2,
      earlierResults: [{ task: "Area", result: "12 m² $&" }],
      failedPlans: [
        { subtasks: ["Buy {paint}", "Use it"], reason: "no tool for “Buy {paint}”" },
        { subtasks: ["Ask"], reason: "nobody is there" },
      ],
    });
    const told = [
      REQUEST,
      "1. Area: 12 m² $&",
      "Task: Paint the {room}",
      "1. Buy {paint}\n2. Use it\nWhy it failed: no tool for “Buy {paint}”",
      "1. Ask\nWhy it failed: nobody is there",
    ];
    const places = told.map((text) => human.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(textsOf({ style: "tree" })[1]).toBe(`Task: ${REQUEST}`);
  });
});

describe("a reply of subtasks", () => {
  it("is not accepted if it contains no list, or too long a one", () => {
    const problem = expect.stringContaining("subtasks");
    expect(subtasksForm.read("I cannot.")).toEqual({ problem });
    const subtasks = Array.from({ length: 1000 }, String);
    expect(subtasksForm.read(JSON.stringify({ subtasks }))).toEqual({
      problem: expect.stringMatching(/1,000.*50/),
    });
  });
});
