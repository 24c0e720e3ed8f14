import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { chanceOf } from "../../../eval/generation/chance.js";
import { drawFlow, type FlowStep, shapeOfFlow } from "../../../eval/generation/flows.js";
import { joinsBetween } from "../../../eval/generation/joins.js";
import { verifyPlan } from "../../../plans/steps/verifyPlan.js";
import { referencesIn } from "../../../plans/steps/references.js";
import type { PlanTool } from "../../../plans/steps/plan.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import { catalogTools } from "../../tools/catalogs/support.js";

let catalogs: Record<"math" | "work", ToolDefinition[]>;
beforeAll(async () => {
  catalogs = { math: await catalogTools("math"), work: await catalogTools("work") };
});

const anyDraw = fc.record({
  catalog: fc.constantFrom("math" as const, "work" as const),
  seed: fc.integer(),
});

function draw(tools: readonly PlanTool[], seed: number, taken: string[] = []) {
  return drawFlow({ tools, taken: new Set(taken), chance: chanceOf(seed) });
}

function toolsIn(flow: readonly FlowStep[]): string[] {
  return flow.map(({ tool }) => tool);
}

describe("a drawn flow", () => {
  it("has one to five steps with different tools, each using output of the previous one.", () => {
    const property = fc.property(anyDraw, ({ catalog, seed }) => {
      const flow = draw(catalogs[catalog], seed);
      // A draw may be given up, see below.
      fc.pre(flow !== undefined);
      expect(flow.length).toBeGreaterThanOrEqual(1);
      expect(flow.length).toBeLessThanOrEqual(5);
      expect(new Set(toolsIn(flow)).size).toBe(flow.length);
      for (const [at, { references }] of flow.entries()) {
        const used = Object.values(references).flatMap(referencesIn);
        expect(used.every(({ $prev }) => $prev < at)).toBe(true);
        expect(at === 0 || used.some(({ $prev }) => $prev === at - 1)).toBe(true);
      }
    });
    fc.assert(property, { numRuns: 60 });
  });

  it("joins only what type-checks.", () => {
    const property = fc.property(anyDraw, ({ catalog, seed }) => {
      const flow = draw(catalogs[catalog], seed) ?? [];
      const steps = flow.map(({ tool, references: args }) => ({ tool, args }));
      const plan = { steps, answer: "" };
      const { issues } = verifyPlan({ plan, tools: catalogs[catalog] });
      // Only the open arguments may be missing.
      expect(issues.filter(({ kind }) => kind !== "missing argument")).toEqual([]);
    });
    fc.assert(property, { numRuns: 60 });
  });

  it("has a shape that is not taken, until none is left.", () => {
    const tools = catalogs.work.filter(({ id }) => ["who_am_i", "list_labels"].includes(id));
    const taken: string[] = [];
    for (let seed = 0; seed < 40; seed += 1) {
      const flow = draw(tools, seed, taken);
      if (flow) taken.push(shapeOfFlow(flow));
    }
    expect(taken.toSorted()).toEqual(["list_labels()", "who_am_i()"]);
  });
});

function toolNamed(id: string): ToolDefinition {
  const tool = [...catalogs.work, ...catalogs.math].find((one) => one.id === id);
  if (!tool) throw new Error(`no tool ${id}`);
  return tool;
}

function joins(from: string, to: string) {
  return joinsBetween({ from: toolNamed(from), to: toolNamed(to) });
}

describe("joins between tools", () => {
  it("distinguish texts by their topics.", () => {
    expect(joins("who_am_i", "assign_work_items")).toEqual([
      { argument: "user_id", path: [], isItem: false },
    ]);
    expect(joins("who_am_i", "get_customer")).toEqual([]);
  });

  it("use a whole list if a list is wanted, and its first item if one thing is wanted.", () => {
    expect(joins("works_list", "get_work_items")).toEqual([
      { argument: "work_ids", path: [], isItem: false },
    ]);
    expect(joins("works_list", "get_work_item")).toEqual([
      { argument: "work_id", path: [0], isItem: false },
    ]);
  });

  it("make a list of one thing if a list is wanted.", () => {
    expect(joins("create_issue", "close_work_items")).toEqual([]);
    expect(joins("set_estimate", "close_work_items")).toEqual([
      { argument: "work_ids", path: [], isItem: true },
    ]);
  });

  it("leave a choice among listed values to the request, unless the output is one of them.", () => {
    expect(joins("get_customer", "list_customers")).toEqual([
      { argument: "tier", path: ["tier"], isItem: false },
    ]);
    expect(joins("get_work_item_titles", "set_priority")).toEqual([]);
  });

  it("take any number for any number, but make no list of a single one.", () => {
    expect(joins("add", "sqrt").map(({ argument }) => argument)).toEqual(["number"]);
    expect(joins("add", "variance")).toEqual([]);
  });
});
