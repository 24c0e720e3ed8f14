import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { jsonObject } from "../models/reply.js";
import { planText } from "../plans/planText.js";
import { reflectPrompt } from "../prompts/reflect.js";
import { readContext } from "../state/context.js";
import type { GraphState, StateUpdate } from "../state/state.js";
import { askModel } from "./askModel.js";
import { nameIn } from "./planTools.js";
import { problemAt, repairOrEnd } from "./repair.js";
import { shownTool } from "./shown.js";
import { situation } from "./situation.js";
import { toolsAtHand } from "./toolsAtHand.js";

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
 */
export async function reflect(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const { plan } = state;
  if (!plan) return {};
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
      problems.length > 0
        ? { plan: { ...plan, cues: [...plan.cues, ""] } }
        : { plan: { ...plan, accepted: true } };
    return repairOrEnd({ state, stage: "reflect", problem: UNUSABLE, reply, usage, instead });
  }
  if (isAccepted) return { plan: { ...plan, accepted: true }, repair: null, usage };
  return { plan: { ...plan, cues: [...plan.cues, verdict.cue] }, repair: null, usage };
}
