import { describe, expect, it } from "vitest";
import { lineText } from "../../../cli/printing/terminal.js";
import { compose } from "../../../nodes/planning/compose.js";
import { planBudget } from "../../../nodes/planning/planBudget.js";
import { reflect } from "../../../nodes/planning/reflect.js";
import { writeOutline } from "../../../nodes/planning/writeOutline.js";
import type { StageFacts } from "../../../nodes/shared/stage.js";
import { readPlan } from "../../../plans/steps/readPlan.js";
import { freshPlan } from "../../../state/plan.js";
import type { GraphState, Ledger, PlanState, StateUpdate } from "../../../state/state.js";

const WRITTEN = {
  steps: [
    { tool: "works_list", args: { created_by: ["Dave"], limit: 3 } },
    { tool: "summarize_objects", args: { objects: "$$PREV[0]" } },
    {
      tool: "create_note",
      args: { text: "See $$PREV[1]", links: [{ id: "$$PREV[0][0].id" }, null] },
    },
  ],
  answer: "Noted\nas $$PREV[2].id.",
};

/** The plan as it stands behind `compose`, with changes. */
function planOf(changes: Partial<PlanState> = {}): PlanState {
  return { ...freshPlan(readPlan(WRITTEN, [])), ...changes };
}

/** What a stage tells of what it has changed. */
function told({ lines }: StageFacts, change: StateUpdate, before: Partial<GraphState> = {}) {
  return lines?.({ change, before }).map(lineText);
}

/** What a stage tells that has made this of a plan. */
function linesOf(stage: StageFacts, plan: PlanState | undefined, before?: PlanState): string[] {
  return told(stage, plan ? { plan } : {}, before ? { plan: before } : {}) ?? [];
}

describe("a plan in the terminal", () => {
  it("has a line for each step, with references bare and texts in quotes", () => {
    expect(linesOf(compose({ style: "typed" }), planOf())).toEqual([
      '0. works_list(created_by=["Dave"], limit=3)',
      "1. summarize_objects(objects=$$PREV[0])",
      '2. create_note(links=[{"id":$$PREV[0][0].id},null], text="See $$PREV[1]")',
    ]);
  });
});

describe("the reflection on a plan", () => {
  it("tells the cue, or that the plan is accepted", () => {
    const before = planOf({ cues: ["first"] });
    const cued = planOf({ cues: ["first", "begin with\nwho_am_i"] });
    expect(linesOf(reflect(), cued, before)).toEqual(["what to do otherwise: begin with who_am_i"]);
    expect(linesOf(reflect(), planOf({ cues: ["first", ""] }), before)).toEqual([
      "asks for another plan",
    ]);
    expect(linesOf(reflect(), planOf({ ...before, accepted: true }), before)).toEqual([
      "accepts the plan",
    ]);
  });
});

describe("the lines of an outline", () => {
  it("tell the tasks with their tools", () => {
    const outline = [
      { thought: "", tool: "list_users", task: "List all\nusers" },
      { thought: "", tool: "who_am_i", task: "Find out who asks" },
    ];
    expect(told(writeOutline(), { outline })).toEqual([
      "0. List all users → list_users",
      "1. Find out who asks → who_am_i",
    ]);
    expect(told(writeOutline(), { outline: [] })).toEqual(["plans no task"]);
  });
});

const LEDGER: Ledger = {
  unit: "units",
  amount: 20,
  spent: 0,
  enforced: true,
  plan: [],
  quotas: null,
  planned: null,
  refused: [],
};

const PLANNED: Ledger = {
  ...LEDGER,
  plan: [
    { tool: "near", value: 0.625, bound: 3, price: 4, quota: 2 },
    { tool: "far_away", value: 0.1, bound: 1, price: 2.5, quota: 0 },
  ],
  quotas: { near: 2, far_away: 0 },
};

describe("the plan of a budget", () => {
  it("is shown as a table with its totals when it is made", () => {
    expect(told(planBudget(), { ledger: PLANNED }, { ledger: LEDGER })).toEqual([
      "grants 2 calls for 8 of 20 units",
      "tool      value  bound  price  quota",
      "near      0.625  3      4      2",
      "far_away  0.100  1      2.5    0",
      "total     1.25          8      2",
    ]);
  });

  it("is told in one line if it is made again and differs", () => {
    const again: Ledger = {
      ...PLANNED,
      plan: PLANNED.plan.map((line) => ({ ...line, quota: 1 })),
      quotas: { near: 1, far_away: 1 },
    };
    const change = { ledger: again };
    expect(told(planBudget(), change, { ledger: PLANNED })).toEqual([
      "now grants near ×1, far_away ×1",
    ]);
    expect(told(planBudget(), change, { ledger: again })).toEqual([]);
  });
});
