import { stage } from "../../../nodes/shared/stage.js";
import { isSaid, literalsOf } from "../requestCheck.js";
import { isAlike, shapeOf } from "../flows.js";
import { verifyPlan } from "../../../plans/steps/verifyPlan.js";
import type { Plan } from "../../../plans/steps/plan.js";
import { type GenerationState, type GenerationUpdate, dropDraw } from "../generationState.js";
import { type GenerationTools, generationTools, tryPlan } from "./generationTools.js";

/**
 * Lets a request and its plan in as a pair: if the plan type-checks and runs (unless its tools cannot run),
 * invents no value, and differs from all other pairs.
 */
export function checkPair() {
  return stage<GenerationState, GenerationUpdate>({ ends: true }, async (state, config) => {
    const opened = await generationTools(state, config);
    const { plan: written } = state;
    if (!written || written.steps.length === 0) return dropDraw(state, "without a plan");
    const { plan, issues } = verifyPlan({ plan: written, tools: [...opened.tools.values()] });
    if (issues.length > 0) return dropDraw(state, "with types that do not fit");
    const fault = faultOf(plan, state, opened);
    if (fault !== undefined) return dropDraw(state, fault);
    const tried = await tryPlan(plan, opened);
    if ("reason" in tried) return dropDraw(state, tried.reason);
    const { request } = state.run;
    const { steps, answer } = plan;
    const gold = { steps: steps.map(({ tool, args }) => ({ tool, args })), answer };
    const pair = { request, plan: gold, ...tried, shape: shapeOf(steps) };
    return { pair, status: "solved", answer: request };
  });
}

function faultOf(plan: Plan, state: GenerationState, opened: GenerationTools): string | undefined {
  const { request } = state.run;
  const { steps } = plan;
  // A value from a fixed set is chosen by the meaning of the request, not by its words.
  const given = literalsOf({ steps, tools: opened.tools }).filter(({ isListed }) => !isListed);
  if (given.some((literal) => !isSaid(literal, request))) return "with an invented value";
  if (state.taken.shapes.includes(shapeOf(steps))) return "with a known plan";
  const isKnown = state.taken.requests.some((other) => isAlike(request, other));
  return isKnown ? "with a known request" : undefined;
}
