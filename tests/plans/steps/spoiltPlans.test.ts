import { Ajv } from "ajv";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifyPlan } from "../../../plans/steps/verifyPlan.js";
import { answerText, fillArguments } from "./fillArguments.js";
import type { Plan, PlanTool } from "../../../plans/steps/plan.js";
import { readPlan } from "../../../plans/steps/readPlan.js";
import { referencesIn } from "../../../plans/steps/references.js";
import { anyValue, planTools, sampleOutputs, spoiltPlan, validPlan } from "./planTools.js";

const ajv = new Ajv({ strict: false });
const validators = new Map(planTools.map(({ id, parameters }) => [id, ajv.compile(parameters)]));

/** Runs a plan in its order over sample outputs: calls that their tools do not take, and an answer that cannot be filled. */
function problemsOf(plan: Plan): string[] {
  const problems: string[] = [];
  const outputs: Record<number, unknown> = {};
  for (const at of plan.steps.keys()) {
    const step = plan.steps[at];
    const filled = fillArguments(at, step?.args ?? {}, outputs);
    const validate = validators.get(step?.tool ?? "");
    // What the outputs of a tool that declares none are like, only the call itself can tell.
    const isTyped = referencesIn(step?.args ?? {}).every(({ $prev }) => hasReturns(plan, $prev));
    const takes = filled && validate?.(filled);
    if (isTyped && !takes) problems.push(JSON.stringify({ step, filled }));
    outputs[at] = sampleOutputs[step?.tool ?? ""];
  }
  return answerText(plan.answer, outputs) === undefined ? [...problems, plan.answer] : problems;
}

function hasReturns(plan: Plan, at: number): boolean {
  return planTools.some(({ id, returns }) => id === plan.steps[at]?.tool && returns !== undefined);
}

describe("a valid plan", () => {
  it("is left as it is, and runs", () => {
    fc.assert(
      fc.property(validPlan, (plan) => {
        expect(verifyPlan({ plan, tools: planTools, mergeReads: false })).toEqual({
          plan,
          repairs: [],
          issues: [],
        });
        expect(problemsOf(plan)).toEqual([]);
      }),
    );
  });

  it("has no issue once equal reads are merged, and runs", () => {
    fc.assert(
      fc.property(validPlan, (plan) => {
        const checked = verifyPlan({ plan, tools: planTools });
        expect(checked.issues).toEqual([]);
        expect(problemsOf(checked.plan)).toEqual([]);
      }),
    );
  });
});

describe("a spoilt plan", () => {
  it("is repaired so that it runs, or has an issue", () => {
    fc.assert(
      fc.property(spoiltPlan, (plan) => {
        const checked = verifyPlan({ plan, tools: planTools });
        const isPassed = checked.issues.length === 0;
        expect(isPassed ? problemsOf(checked.plan) : []).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it("is not changed by checking it again", () => {
    fc.assert(
      fc.property(spoiltPlan, (spoilt) => {
        const { plan, issues } = verifyPlan({ plan: spoilt, tools: planTools });
        expect(verifyPlan({ plan, tools: planTools })).toEqual({ plan, repairs: [], issues });
      }),
      { numRuns: 400 },
    );
  });
});

describe("any input", () => {
  it("is checked without an exception, and checking again changes nothing", () => {
    const tools: PlanTool[] = planTools;
    const step = fc.record({
      tool: fc.constantFrom(...tools.map(({ id }) => id)),
      args: fc.dictionary(fc.constantFrom("name", "items", "created_by", "to"), anyValue),
    });
    fc.assert(
      fc.property(fc.oneof(fc.array(step, { maxLength: 5 }), fc.jsonValue()), (written) => {
        const read = readPlan(written, tools);
        const { plan, issues } = verifyPlan({ plan: read.plan, tools });
        expect(verifyPlan({ plan, tools })).toEqual({ plan, repairs: [], issues });
      }),
      { numRuns: 300 },
    );
  });
});
