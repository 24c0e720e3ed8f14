import { describe, expect, it } from "vitest";
import { isSaid, literalsOf } from "../../../eval/generation/requestCheck.js";
import { isAlike, shapeOf } from "../../../eval/generation/flows.js";
import { stepLines } from "../../../eval/generation/nodes/writeQuery.js";
import type { PlanStep, PlanTool } from "../../../plans/steps/plan.js";

const STEPS: PlanStep[] = [
  { tool: "list", args: { owners: ["DEVU-1"], kind: "in_review", open: true } },
  { tool: "take", args: { ids: { $prev: 0, path: [] }, count: 3 } },
  { tool: "say", args: { text: { $text: ["First is ", { $prev: 1, path: [0, "title"] }] } } },
];

const LIST: PlanTool = {
  id: "list",
  effects: "read",
  parameters: {
    type: "object",
    properties: {
      owners: { type: "array", items: { type: "string" } },
      kind: { type: "string", enum: ["in_review", "done"] },
    },
  },
};

describe("the values of a plan", () => {
  it("are its texts and numbers, listed by the schema or not, without results of steps.", () => {
    expect(literalsOf({ steps: STEPS, tools: new Map([["list", LIST]]) })).toEqual([
      { value: "DEVU-1", isListed: false },
      { value: "in_review", isListed: true },
      { value: 3, isListed: false },
      { value: "First is", isListed: false },
    ]);
  });

  it.each([
    [3, "the 3 best", true],
    [3, "the 13 best", false],
    [3, "3.5 hours", false],
    [3, "it is 3.", true],
    [1200, "about 1,200 people", true],
    [-5, "down by 5", true],
    ["TKT-1", "close tkt-1 now", true],
    ["in_review", "those in review", true],
    ["TKT-1", "close TKT-12", false],
    ["Acme", "for the customer", false],
  ])("%j is said in %j: %s.", (value, request, said) => {
    expect(isSaid({ value, isListed: false }, request)).toBe(said);
  });
});

describe("the lines of steps", () => {
  it("say in words what to do, and where values come from.", () => {
    const tools = new Map([
      ["list", { description: "List things (of any kind): all of them. More on that." }],
      ["take", { description: "Take the first ones, such as the best three" }],
    ]);
    expect(stepLines(STEPS, tools)).toEqual([
      'List things (owners: "DEVU-1"; kind: "in_review"; open: true)',
      "Take the first ones (ids: the result before this; count: 3)",
      "say (text: First is the title of the first item of the result before this)",
    ]);
  });
});

describe("similar pairs", () => {
  it("have plans of one shape, whatever the values.", () => {
    const other = STEPS.map((step, at) =>
      at === 1 ? { ...step, args: { ...step.args, count: 4 } } : step,
    );
    expect(shapeOf(other)).toBe(shapeOf(STEPS));
    expect(shapeOf(STEPS)).toBe(
      "list(kind, open, owners); take(count, ids=$$PREV[0]); say(text=$$PREV[1][0].title)",
    );
  });

  it("have requests with nearly the same words.", () => {
    const request =
      "Please close all of the tickets of Acme that are older than 3 days, and tell me how many there were";
    expect(isAlike(request, request.replace("Please close", "Close"))).toBe(true);
    expect(isAlike(request, request.replace("3", "4").replace("Acme", "Bolt"))).toBe(false);
  });
});
