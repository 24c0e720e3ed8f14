import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { hallucinationRate } from "../../../eval/scorers/hallucinations.js";
import type { ToolShape } from "../../../eval/scorers/scorer.js";
import { solutionOf } from "../../../eval/scorers/solution.js";
import type { Plan } from "../../../plans/steps/plan.js";
import { readPlan } from "../../../plans/steps/readPlan.js";
import { callOf, runOf, scoreOf, taskOf } from "./support.js";

/** Steps as a model writes them, read. */
function stepsOf(...steps: { tool: string; args?: Record<string, unknown> }[]): Plan["steps"] {
  return readPlan({ steps }, []).plan.steps;
}

/** The plan in a run's record. */
function planOf(steps: Plan["steps"]): RunRecord["plan"] {
  return { steps, answer: "", issues: [] };
}

function goldPlan(steps: Plan["steps"]): Plan {
  return { steps, answer: "" };
}

const STEPS = stepsOf(
  { tool: "find_user", args: { name: "Dave" } },
  { tool: "works_list", args: { owned_by: ["$$PREV[0].id"] } },
);

/** The same as calls with earlier results filled in. */
const CALLS = [
  { tool: "find_user", args: { name: "Dave" } },
  { tool: "works_list", args: { owned_by: ["DEVU-7"] } },
];

describe("the solution of a run", () => {
  it("consists of its executed calls, however they were planned", () => {
    const calls = [callOf("find_user", { name: "Dave" }), callOf("works_list", {}, "failed")];
    const run = runOf({ calls, plan: planOf(STEPS) });
    expect(solutionOf(run)).toEqual({ calls: [calls[0]], isPlanned: false });
  });

  it("is its plan if nothing was called, with references as texts", () => {
    expect(solutionOf(runOf({ plan: planOf(STEPS) }))).toEqual({
      calls: [
        { tool: "find_user", args: { name: "Dave" } },
        { tool: "works_list", args: { owned_by: ["$$PREV[0].id"] } },
      ],
      isPlanned: true,
    });
  });

  it("is not an unfinished plan", () => {
    const nothing = { calls: [], isPlanned: false };
    for (const status of ["limit", "budget", "waiting", "error"] as const) {
      expect(solutionOf(runOf({ status, plan: planOf(STEPS) }))).toEqual(nothing);
    }
  });

  it("is empty for a run without calls and without a plan", () => {
    expect(solutionOf(runOf())).toEqual({ calls: [], isPlanned: false });
  });
});

describe("a mere plan", () => {
  const task = { query: "Dave's work", tools: CALLS.map(({ tool }) => tool), calls: CALLS };

  /** Scores of a run with this plan. */
  function scoresOf(ids: string[], plan: Plan["steps"], gold: { plan?: Plan } = {}) {
    return ids.map((id) =>
      scoreOf(id, { task: { ...task, ...gold }, run: { plan: planOf(plan) } }),
    );
  }

  const TOOLS = ["irrelevantRate", "missingRate", "sequenceMatch", "toolRecall", "toolMatch"];
  const ARGUMENTS = ["bleu", "rougeL", "argumentMatch", "callMatch"];

  it("is judged by its tools, whatever the gold calls' values come from", () => {
    expect(scoresOf(TOOLS, STEPS)).toEqual([0, 0, 1, 1, 1]);
    expect(scoresOf(TOOLS, STEPS.slice(1))).toEqual([0, 1 / 2, 0, 1 / 2, 0]);
  });

  it("is judged by its arguments, including references, if there is a gold plan", () => {
    const gold = { plan: goldPlan(STEPS) };
    for (const score of scoresOf(ARGUMENTS, STEPS, gold)) expect(score).toBeCloseTo(1, 12);
    const wrong = stepsOf(CALLS[0] ?? { tool: "" }, {
      tool: "works_list",
      args: { owned_by: "$$PREV[0].name" },
    });
    const [bleu = 1, rougeL = 1, ...matches] = scoresOf(ARGUMENTS, wrong, gold);
    expect(Math.max(bleu, rougeL)).toBeLessThan(1);
    expect(matches).toEqual([1 / 2, 0]);
  });

  it("is not judged by its arguments if gold calls have only values", () => {
    expect(scoresOf(ARGUMENTS, STEPS)).toEqual([undefined, undefined, undefined, undefined]);
    const made = CALLS.map(({ tool, args }) => callOf(tool, args));
    expect(scoreOf("callMatch", { task, run: { calls: made, plan: planOf(STEPS) } })).toBe(1);
  });

  it("is judged if there is at most one gold call, which cannot refer to an earlier one", () => {
    const [first] = CALLS;
    const one = { ...task, calls: first ? [first] : [] };
    const run = { plan: planOf(STEPS.slice(0, 1)) };
    expect(scoreOf("rougeL", { task: one, run })).toBe(1);
    expect(scoreOf("argumentMatch", { task: one, run })).toBe(1);
    const none = { ...task, tools: [], calls: [] };
    expect(scoreOf("rougeL", { task: none, run: { plan: planOf([]) } })).toBe(1);
    expect(scoreOf("rougeL", { task: none, run })).toBe(0);
  });

  it("is as wrong as no call at all if it has no steps", () => {
    expect(scoresOf(ARGUMENTS, [])).toEqual([0, 0, 0, 0]);
    expect(scoresOf(ARGUMENTS, [], { plan: goldPlan(STEPS) })).toEqual([0, 0, 0, 0]);
  });

  it("is needless for a task that no tool fits", () => {
    const none = { ...task, tools: [], calls: [] };
    const world = { name: "work" };
    expect(scoreOf("irrelevance", { task: none, run: { plan: planOf(STEPS) } })).toBe(0);
    expect(scoreOf("irrelevance", { task: none, run: { plan: planOf([]) } })).toBe(1);
    const planned = { plan: planOf(STEPS), stateDiff: {} };
    expect(scoreOf("irrelevance", { task: none, run: planned, world })).toBeUndefined();
    const empty = { plan: planOf([]), stateDiff: {} };
    expect(scoreOf("irrelevance", { task: none, run: empty, world })).toBe(1);
  });
});

describe("the hallucinations of a mere plan", () => {
  const TOOL: ToolShape = {
    id: "works_list",
    name: "works_list",
    description: "Lists work items.",
    parameters: { type: "object", properties: { owned_by: { type: "array" } } },
  };

  it("are looked for in its steps", () => {
    const steps = stepsOf(
      { tool: "works_list", args: { owned_by: ["Dave"] } },
      { tool: "works_list", args: { owned_by: ["$$PREV[0].id"] } },
      { tool: "works_list", args: { owned_by: ["DEVU-7"] } },
      { tool: "works_list", args: { owner: "Dave" } },
      { tool: "works_list", args: { owned_by: "$$PREV[4]" } },
      { tool: "no_such_tool" },
    );
    const scored = {
      task: taskOf({ query: "Dave's work" }),
      run: runOf({ plan: planOf(steps) }),
      benchmark: { argumentRule: "equal" },
      tools: [TOOL],
    } as const;
    expect(hallucinationRate(scored)).toBe(4 / 6);
  });
});
