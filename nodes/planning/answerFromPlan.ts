import { solutionText } from "../../plans/steps/references.js";
import { readSettings } from "../../state/settings.js";
import { nameIn } from "../policy/modelView.js";
import { needed, stage } from "../kit/stage.js";
import { offeredTools } from "../policy/offeredTools.js";

/** Gives the plan as the answer: nothing was called ("AI Agent 007"). An empty or faulty plan solves nothing. */
export function answerFromPlan() {
  return stage(
    { lines: ({ change }) => (change.answer ? ["answers"] : []) },
    async (state, config) => {
      const plan = needed(state.plan, { stage: "answerFromPlan", what: "a plan" });
      const { offered } = await offeredTools(state, readSettings(config));
      const isSolution = plan.steps.length > 0 && plan.issues.length === 0;
      const answer = solutionText(plan, nameIn(offered));
      return { status: isSolution ? ("planned" as const) : ("unsolved" as const), answer };
    },
  );
}
