import { describe, expect, it } from "vitest";
import {
  type DecomposeInput,
  decompose,
  decomposeQuestion,
  subtasksForm,
} from "../../../nodes/finding/decompose.js";
import { promptOf } from "../../../nodes/shared/question.js";
import { openSubtask } from "../../../state/state.js";

const REQUEST = "Area of a 3 by 4 room in ${unit}, {braces} and all?";

function textsOf(more: Partial<DecomposeInput> = {}, problem?: string): string[] {
  const shared = { style: "plain", request: REQUEST, task: REQUEST, depth: 0 } as const;
  const input: DecomposeInput = { ...shared, earlierTurns: [], ...more };
  return promptOf(decomposeQuestion, { input, problem }).messages.map(({ text }) => text);
}

describe("the question for subtasks", () => {
  it("has the task word for word, after the conversation", () => {
    expect(textsOf()[1]).toBe(`Task: ${REQUEST}`);
    const text = "What is 2 + 2?";
    const [, human] = textsOf({ earlierTurns: [{ role: "user", text }] });
    expect(human).toMatch(/User: What is 2 \+ 2\?\n\nTask: /);
  });

  it("describes the library only in the informed style", () => {
    const libraryDescription = "Tools for $5 {geometry}";
    expect(textsOf({ style: "informed", libraryDescription })[0]).toContain(libraryDescription);
    expect(textsOf({ libraryDescription })).toEqual(textsOf());
  });

  it("names tools only in the primed style and in trees, and none if none were found", () => {
    const toolNames = ["multiply", "ellipse_area"];
    for (const style of ["primed", "tree"] as const) {
      expect(textsOf({ style, toolNames })[0]).toContain("multiply, ellipse_area");
    }
    expect(textsOf({ toolNames })).toEqual(textsOf());
    expect(textsOf({ style: "primed", toolNames: [] })).toEqual(textsOf());
  });

  it("shows a worked example only in the one-shot style, with a reply that can be read", () => {
    const [shown = ""] = textsOf({ style: "oneShot" });
    expect(textsOf()[0]).not.toContain("Example");
    const reply = /^Reply: (\{.*\})$/m.exec(shown)?.[1] ?? "";
    const three = [expect.any(String), expect.any(String), expect.any(String)];
    expect(subtasksForm.read(reply)).toEqual({ value: three });
  });

  it("says that a missed subtask was missed, with the request as a whole", () => {
    const [system, human] = textsOf({ task: "Paint the {room}", depth: 1 });
    expect(system).toContain("No tool was found");
    expect(system).not.toBe(textsOf()[0]);
    expect(human).toContain(REQUEST);
    expect(human).toContain("Task: Paint the {room}");
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

  it("ends with the problem of the last reply, if there was one", () => {
    expect(textsOf({}, "That was no JSON: {$1}")[2]).toBe("That was no JSON: {$1}");
  });
});

describe("a reply of subtasks", () => {
  it.each([
    ["as asked", '{"subtasks": ["a", " b ", ""]}'],
    ["as a bare list behind words", 'Sure: ["a", "b"]'],
    ["as a list of objects", '{"steps": [{"step": 1, "task": "a"}, {"step": 2, "task": "b"}]}'],
    ["line by line", "1. a\n2. **b**"],
  ])("is read %s", (_, reply) => {
    expect(subtasksForm.read(reply)).toEqual({ value: ["a", "b"] });
  });

  it("is not accepted if it contains no list, or too long a one", () => {
    const problem = expect.stringContaining("subtasks");
    expect(subtasksForm.read("I cannot.")).toEqual({ problem });
    const subtasks = Array.from({ length: 1000 }, String);
    expect(subtasksForm.read(JSON.stringify({ subtasks }))).toEqual({
      problem: expect.stringMatching(/1,000.*50/),
    });
  });
});

it("tells each subtask in the terminal, with its outcome", () => {
  const open = openSubtask({ id: "1", text: "add\nup", depth: 0 });
  const unserved = { ...open, id: "2", status: "unserved" as const, reason: "it is whole" };
  const { lines } = decompose({ style: "plain" });
  expect(lines?.({ change: { subtasks: [open, unserved] }, before: {} })).toEqual([
    "1. add up",
    "2. add up (it is whole)",
  ]);
});
