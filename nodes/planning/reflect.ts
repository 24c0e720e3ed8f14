import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { jsonObject } from "../../models/reply.js";
import { planText } from "../../plans/planText.js";
import { reflectPrompt } from "./reflectPrompt.js";
import { readContext } from "../../state/context.js";
import type { GraphState, PlanState, StateUpdate } from "../../state/state.js";
import { askModel } from "../shared/askModel.js";
import { nameIn } from "./planTools.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import { shownTool } from "../shared/shown.js";
import { situation } from "../shared/situation.js";
import { toolsAtHand } from "../shared/toolsAtHand.js";

/** Some models write the truth values of JSON as texts. */
const verdictReply = z.object({
  accepted: z.union([z.boolean(), z.stringbool()]),
  cue: z.string().trim().default(""),
});

const UNUSABLE =
  'Your last reply was no JSON object with the keys "accepted" (true or false) and "cue" (a text, not empty unless the plan is accepted). Reply with that alone.';

/**
 * Asks a model what to do otherwise in a plan (Reflexion, as used in "AI Agent 007"): a cue that `compose`
 * is given with the plan. A plan that is accepted, and with which the check has found nothing wrong, gets
 * none.
 *
 * @param options.on `every`: the model looks through whatever the check has said · `unclear`: what the check
 * says as a compiler would goes back to `compose` as it is; the model is asked where the check cannot say what
 * to do
 */
export function reflect({ on = "every" }: { on?: "every" | "unclear" } = {}) {
  return async function reflect(
    state: GraphState,
    config: LangGraphRunnableConfig,
  ): Promise<StateUpdate> {
    const { plan } = state;
    if (!plan) return {};
    if (on === "unclear" && plan.issues.every(saysWhatToDo)) return { plan: withCue(plan, "") };
    return await askForVerdict({ plan, state, config });
  };
}

/** What to leave out of a plan that costs too much is a matter of judgement. */
function saysWhatToDo({ kind }: PlanState["issues"][number]): boolean {
  return kind !== "budget";
}

function withCue(plan: PlanState, cue: string): PlanState {
  return { ...plan, cues: [...plan.cues, cue] };
}

async function askForVerdict(options: {
  plan: PlanState;
  state: GraphState;
  config: LangGraphRunnableConfig;
}): Promise<StateUpdate> {
  const { plan, state, config } = options;
  const context = readContext(config);
  const { offered } = await toolsAtHand({ state, context });
  const problems = plan.issues.map(({ problem }) => problem);
  const prompt = reflectPrompt(
    {
      ...situation({ state, context }),
      tools: [...offered].map(shownTool),
      plan: planText(plan, { nameOf: nameIn(offered) }),
      problems,
    },
    problemAt(state, "reflect"),
  );
  const asked = await askModel(state, { prompt, context, config });
  if ("end" in asked) return asked.end;
  const { reply, usage } = asked;
  const verdict = verdictReply.safeParse(jsonObject(reply.text)).data;
  const isAccepted = verdict?.accepted && problems.length === 0;
  if (!verdict || (!isAccepted && !verdict.cue && problems.length === 0)) {
    // What the check has found is a cue, too; where it has found nothing, the plan may be followed.
    const instead =
      problems.length > 0 ? { plan: withCue(plan, "") } : { plan: { ...plan, accepted: true } };
    return repairOrEnd({ state, stage: "reflect", problem: UNUSABLE, reply, usage, instead });
  }
  if (isAccepted) return { plan: { ...plan, accepted: true }, repair: null, usage };
  return { plan: withCue(plan, verdict.cue), repair: null, usage };
}
