import { describe, expect, it } from "vitest";
import { demonstratedPlan } from "../../../nodes/planning/demonstratedPlan.js";
import { planDemonstrationsText, type ComposeStyle } from "../../../nodes/planning/planForms.js";
import type { ShownDemonstration } from "../../../nodes/kit/stageInputs.js";

const demonstration: ShownDemonstration = {
  task: "Who leads Ada's team, and how many of its 3 tickets are open?",
  calls: [
    {
      name: "find_user",
      args: { name: "Ada" },
      result: { id: "U-7", name: "Ada", team: { id: "T-1", lead: "U-9" } },
    },
    { name: "find_by_id", args: { id: "U-9" }, result: { name: "Grace" } },
    { name: "list_tickets", args: { team: ["T-1"], open: true }, result: ["A-1", "A-2"] },
    { name: "count", args: { items: ["A-1", "A-2"], of: 3 }, result: 2 },
  ],
  answer: "Grace leads it; 2 of 3 are open.",
};

describe("a demonstration as a plan", () => {
  const { steps, answer } = demonstratedPlan(demonstration);

  it("refers to the earlier results, and parts of them, that its arguments came from", () => {
    expect(steps[1]?.args).toEqual({ id: { $prev: 0, path: ["team", "lead"] } });
    expect(steps[2]?.args["team"]).toEqual([{ $prev: 0, path: ["team", "id"] }]);
    expect(steps[3]?.args["items"]).toEqual({ $prev: 2, path: [] });
  });

  it("keeps values from the task, and values that are equal by chance", () => {
    expect(steps[0]?.args).toEqual({ name: "Ada" });
    expect(steps[2]?.args["open"]).toBe(true);
    expect(steps[3]?.args["of"]).toBe(3);
    const again = demonstratedPlan({
      task: "Greet Ada",
      calls: [
        { name: "who", args: {}, result: { name: "Ada", isHere: true, notes: [], title: "" } },
        { name: "greet", args: { name: "Ada", loudly: true, notes: [], title: "" } },
      ],
    });
    expect(again.steps[1]?.args).toEqual({ name: "Ada", loudly: true, notes: [], title: "" });
  });

  it("has the results in its answer, and leaves an answer without any to be worded", () => {
    expect(answer).toBe("$$PREV[1].name leads it; $$PREV[3] of 3 are open.");
    expect(demonstratedPlan({ ...demonstration, answer: "Someone does." }).answer).toBe("");
    expect(demonstratedPlan({ ...demonstration, answer: undefined }).answer).toBe("");
  });

  it("does not mistake a part of a number or word for a result", () => {
    const plan = demonstratedPlan({
      task: "Count 12 of them",
      calls: [
        { name: "count", args: {}, result: 2 },
        { name: "add", args: { a: 2, b: 12 }, result: 14 },
      ],
      answer: "12.2 are 14, and x2",
    });
    expect(plan.steps[1]?.args).toEqual({ a: { $prev: 0, path: [] }, b: 12 });
    expect(plan.answer).toBe("12.2 are $$PREV[1], and x2");
  });

  it("searches long results quickly, and not endlessly deep", () => {
    const result = Array.from({ length: 200_000 }, (_, at) => ({ at: [{ in: { of: [at] } }] }));
    const call = { name: "use", args: { first: result[0], last: result.at(-1)?.at[0]?.in.of[0] } };
    const plan = demonstratedPlan({ task: "t", calls: [{ name: "all", args: {}, result }, call] });
    expect(plan.steps[1]?.args).toEqual({ first: { $prev: 0, path: [0] }, last: 199_999 });
  });
});

describe("the text of demonstrations of plans", () => {
  const calls = [
    { name: "count", args: {}, result: 8 },
    { name: "double", args: { value: 8 }, result: 16 },
  ];
  const shown = [{ task: "Twice as many", calls, answer: "They are 16." }];

  it.each<[ComposeStyle, string]>([
    [
      "typed",
      'Plan: {"steps":[{"tool":"count","args":{}},{"tool":"double","args":{"value":"$$PREV[0]"}}],"answer":"They are $$PREV[1]."}',
    ],
    [
      "stateAction",
      'Plan: [{"tool_name":"count","arguments":[]},{"tool_name":"double","arguments":[{"argument_name":"value","argument_value":"$$PREV[0]"}]}]',
    ],
    ["code", "Plan: \nconst r0 = count();\nconst r1 = double({ value: r0 });"],
    [
      "enforced",
      'Plan: {"steps":[{"tool_name":"count","arguments":[]},{"tool_name":"double","arguments":[{"argument_name":"value","argument_value":"$$PREV[0]"}]}]}',
    ],
  ])("writes the plan in the form that is asked for: %s", (style, plan) => {
    const [, example] = planDemonstrationsText(shown, { style }).split("\n\n");
    expect(example).toBe(`Example 1: Twice as many\n${plan}`);
  });
});
