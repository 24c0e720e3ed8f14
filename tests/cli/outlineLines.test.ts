import { describe, expect, it } from "vitest";
import { stageLines } from "../../cli/stageLines.js";
import type { PlanStep } from "../../plans/plan.js";
import { freshPlan } from "../../state/plan.js";

describe("the lines of an outline", () => {
  it("tell the tasks with their tools", () => {
    const outline = [
      { thought: "", tool: "list_users", task: "List all\nusers" },
      { thought: "", tool: "who_am_i", task: "Find out who asks" },
    ];
    expect(stageLines({ node: "writeOutline", change: { outline }, before: {} })).toEqual([
      "0. List all users → list_users",
      "1. Find out who asks → who_am_i",
    ]);
    expect(stageLines({ node: "writeOutline", change: { outline: [] }, before: {} })).toEqual([
      "plans no task",
    ]);
  });

  it("tell the calls that were written for the tasks", () => {
    const steps: PlanStep[] = [
      { tool: "who_am_i", args: {} },
      { tool: "find_user", args: { name: { $prev: 0, path: ["name"] } } },
    ];
    const lines = stageLines({
      node: "composeSteps",
      change: { plan: planOf(steps) },
      before: { plan: planOf([]) },
    });
    expect(lines).toEqual(["0. who_am_i()", "1. find_user(name=$$PREV[0].name)"]);
  });
});

function planOf(steps: PlanStep[]) {
  return freshPlan({ plan: { steps, answer: "", lacking: [] }, repairs: [] });
}
