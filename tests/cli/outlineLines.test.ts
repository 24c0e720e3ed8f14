import { describe, expect, it } from "vitest";
import { stageLines } from "../../cli/stageLines.js";
import type { PlanStep } from "../../plans/plan.js";
import { freshPlan } from "../../state/plan.js";

describe("the lines of an outline", () => {
  it("tell the tasks with their tools", () => {
    const outline = [
      { thought: "", tool: "", task: "Think\nhard" },
      { thought: "", tool: "who_am_i", task: "Find out who asks" },
    ];
    expect(stageLines({ node: "writeOutline", change: { outline }, before: {} })).toEqual([
      "0. Think hard → no tool",
      "1. Find out who asks → who_am_i",
    ]);
    expect(stageLines({ node: "writeOutline", change: { outline: [] }, before: {} })).toEqual([
      "plans no task",
    ]);
  });

  it("tell the call that was written for a task, and not those without a tool", () => {
    const steps: PlanStep[] = [
      { tool: "no_tool", args: {} },
      { tool: "find_user", args: { name: { $prev: 1, path: ["name"] } } },
      { tool: "no_tool", args: {} },
    ];
    const planOf = (count: number) =>
      freshPlan({ plan: { steps: steps.slice(0, count), answer: "", lacking: [] }, repairs: [] });
    const lines = stageLines({
      node: "composeStep",
      change: { plan: planOf(3) },
      before: { plan: planOf(1) },
    });
    expect(lines).toEqual(["1. find_user(name=$$PREV[1].name)"]);
  });
});
