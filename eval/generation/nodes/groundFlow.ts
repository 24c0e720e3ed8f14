import { stage } from "../../../nodes/shared/stage.js";
import { type Chance, chanceOf } from "../chance.js";
import type { FlowStep } from "../flows.js";
import { argumentsOf } from "../joins.js";
import { drawLiteral, type Fact } from "../drawLiteral.js";
import { verifyPlan } from "../../../plans/steps/verifyPlan.js";
import type { Plan, PlanStep } from "../../../plans/steps/plan.js";
import { type GenerationState, type GenerationUpdate, dropDraw } from "../generationState.js";
import { freshPlan } from "../../../state/plan.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { generationTools, TOO_SLOW, tryPlan } from "./generationTools.js";
import { worldFacts } from "./worldFacts.js";

/** Choices of values tried for one flow. */
const MOST_CHOICES = 6;

/** Chooses the values that a flow leaves open, until it is a plan that type-checks and runs. */
export function groundFlow() {
  return stage<GenerationState, GenerationUpdate>({ ends: true }, async (state, config) => {
    const { seed, draw, flow } = state;
    const opened = await generationTools(state, config);
    const facts = await worldFacts(opened, seed);
    const tools = [...opened.tools.values()];
    let reason = "";
    for (let choice = 0; choice < MOST_CHOICES; choice += 1) {
      const chance = chanceOf(seed, draw, "values", choice);
      const plan = groundedPlan({ flow, tools: opened.tools, facts, chance });
      const checked = verifyPlan({ plan, tools });
      const tried =
        checked.issues.length > 0
          ? { reason: "with types that do not fit" }
          : await tryPlan(checked.plan, opened);
      if (!("reason" in tried)) return { plan: freshPlan(checked) };
      reason = tried.reason;
      if (reason === TOO_SLOW) break;
    }
    return dropDraw(state, reason);
  });
}

function groundedPlan(options: {
  flow: readonly FlowStep[];
  tools: ReadonlyMap<string, ToolRecord>;
  facts: readonly Fact[];
  chance: Chance;
}): Plan {
  const { flow, tools, facts, chance } = options;
  const steps = flow.map(({ tool, references, literals }): PlanStep => {
    const record = tools.get(tool);
    const types = record ? argumentsOf(record) : undefined;
    const drawn = literals.flatMap((name) => {
      const type = types?.get(name);
      return type ? [[name, drawLiteral({ name, type, facts, chance })] as const] : [];
    });
    return { tool, args: { ...references, ...Object.fromEntries(drawn) } };
  });
  return { steps, answer: answerOf(steps, tools) };
}

/** The result of the last step, if its tool returns anything. */
function answerOf(steps: readonly PlanStep[], tools: ReadonlyMap<string, ToolRecord>): string {
  const last = steps.at(-1);
  const gives = last !== undefined && tools.get(last.tool)?.returns !== undefined;
  return gives ? `The result is $$PREV[${steps.length - 1}].` : "It is done.";
}
