import { describe, expect, it } from "vitest";
import { stageLines } from "../../cli/stageLines.js";
import { readPlan } from "../../plans/readPlan.js";
import { freshPlan } from "../../state/plan.js";
import type { GraphState, PlanState, StateUpdate } from "../../state/state.js";

const WRITTEN = {
  steps: [
    { tool: "works_list", args: { created_by: ["Dave"], limit: 3 } },
    { tool: "summarize_objects", args: { objects: "$$PREV[0]" }, look_at_result: true },
    {
      tool: "create_note",
      args: { text: "See $$PREV[1]", links: [{ id: "$$PREV[0][0].id" }, null] },
    },
  ],
  answer: "Noted\nas $$PREV[2].id.",
  lacking: ["send a fax"],
};

/** The plan as it stands behind `compose`, with changes. */
function planOf(changes: Partial<PlanState> = {}): PlanState {
  return { ...freshPlan(readPlan(WRITTEN, [])), ...changes };
}

/** What is told of a stage that has made this of a plan. */
function linesOf(node: string, plan: PlanState | undefined, before?: PlanState): string[] {
  const change: StateUpdate = plan ? { plan } : {};
  const state: Partial<GraphState> = before ? { plan: before } : {};
  return stageLines({ node, change, before: state });
}

describe("a plan, in the terminal", () => {
  it("has a line for each step, with references bare and texts in quotes", () => {
    expect(linesOf("compose", planOf())).toEqual([
      '0. works_list(created_by=["Dave"], limit=3)',
      "1. summarize_objects(objects=$$PREV[0]), then looks at the result",
      '2. create_note(links=[{"id":$$PREV[0][0].id},null], text="See $$PREV[1]")',
      "answer: Noted as $$PREV[2].id.",
      "lacks a tool for: send a fax",
    ]);
  });

  it("says so where it has no step, no answer, or could not be read", () => {
    expect(linesOf("compose", planOf({ steps: [], answer: "", lacking: [] }))).toEqual([
      "plans no call",
    ]);
    expect(linesOf("compose", planOf({ steps: [], left: "no plan could be read" }))).toEqual([
      "goes on without a plan: no plan could be read",
    ]);
  });

  it("is cut where a step would fill the screen", () => {
    const steps = [{ tool: "create_note", args: { text: "x".repeat(5000) } }];
    const [line = ""] = linesOf("compose", planOf({ steps }));
    expect(line).toMatch(/^0\. create_note\(text="x+…\)$/);
    expect(line.length).toBeLessThan(250);
  });
});

describe("the check of a plan", () => {
  it("tells what it has mended itself, and what is left", () => {
    const before = planOf({ repairs: ["known before"] });
    const repairs = [...before.repairs, "step 1: objects is a list by now"];
    const issues = [{ kind: "type" as const, step: 0, problem: "step 0: limit: no\nnumber" }];
    expect(linesOf("checkPlan", planOf({ repairs, issues }), before)).toEqual([
      "mended: step 1: objects is a list by now",
      "to be mended: step 0: limit: no number",
    ]);
  });

  it("tells nothing where there is nothing wrong", () => {
    expect(linesOf("checkPlan", planOf(), planOf())).toEqual([]);
  });
});

describe("the reflection on a plan", () => {
  it("tells the cue, or that the plan is accepted", () => {
    const before = planOf({ cues: ["first"] });
    const cued = planOf({ cues: ["first", "begin with\nwho_am_i"] });
    expect(linesOf("reflect", cued, before)).toEqual(["what to do otherwise: begin with who_am_i"]);
    expect(linesOf("reflect", planOf({ cues: ["first", ""] }), before)).toEqual([
      "asks for another plan",
    ]);
    expect(linesOf("reflect", planOf({ ...before, accepted: true }), before)).toEqual([
      "accepts the plan",
    ]);
  });
});

describe("the decision of a person about a plan", () => {
  it("is told, with the steps where they are the person's own", () => {
    const { steps } = planOf();
    expect(linesOf("approvePlan", planOf({ approved: true }), planOf())).toEqual(["approved"]);
    const own = planOf({ approved: true, steps: steps.slice(0, 1), answer: "" });
    expect(linesOf("approvePlan", own, planOf())).toEqual([
      "approved with other steps:",
      '0. works_list(created_by=["Dave"], limit=3)',
    ]);
    expect(linesOf("approvePlan", planOf({ cues: ["not\ntoday"] }), planOf())).toEqual([
      "rejected: not today",
    ]);
  });

  it("is not told where nobody was asked", () => {
    expect(linesOf("approvePlan", undefined, planOf())).toEqual([]);
  });
});

describe("a plan that is followed", () => {
  it("is told of by its calls alone, until it is left", () => {
    const called = planOf({ callIds: ["a", "", ""] });
    expect(linesOf("dispatchSteps", called, planOf())).toEqual([]);
    const left = planOf({ left: "step 0, works_list, has failed" });
    for (const node of ["dispatchSteps", "answerFromPlan"]) {
      expect(linesOf(node, left, called)).toEqual([
        "leaves the plan: step 0, works_list, has failed",
      ]);
    }
  });

  it("answers in the end", () => {
    const change: StateUpdate = { status: "solved", answer: "Noted." };
    expect(stageLines({ node: "answerFromPlan", change, before: {} })).toEqual(["answers"]);
  });
});

describe("stages of plans that do what others do", () => {
  it("are told of as those are", () => {
    const hits = [{ tool: "add", distance: 0.5 }];
    const searches = [{ phrase: "add numbers", depth: 0, hits }];
    const change: StateUpdate = { searches, toolIds: ["add"] };
    for (const node of ["search", "searchRequest"]) {
      expect(stageLines({ node, change, before: {} })).toEqual(["“add numbers” → add 0.50"]);
    }
    const line = { tool: "add", value: 1, bound: 1, price: 1, quota: 2 };
    const ledger = {
      unit: "units" as const,
      amount: 5,
      spent: 0,
      enforced: true,
      plan: [line],
      quotas: { add: 2 },
      planned: null,
      refused: [],
    };
    const [planned, anew] = ["planBudget", "planBudgetAnew"].map((node) =>
      stageLines({ node, change: { ledger }, before: {} }),
    );
    expect(planned?.[0]).toBe("plans 2 calls for 2 of 5 units");
    expect(anew).toEqual(planned);
  });
});
