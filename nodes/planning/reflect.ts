import { z } from "zod";
import { oneLine } from "../../common/errors.js";
import { jsonObject } from "../../models/chat/reply.js";
import { toolLines } from "../../models/chat/toolLines.js";
import { planText } from "../../plans/steps/references.js";
import { runWorkspace } from "../../home/workspace.js";
import { readSettings } from "../../state/settings.js";
import type { PlanState } from "../../state/state.js";
import { earlierTurnsText, listed } from "../kit/promptTexts.js";
import { needed, type Line, type StageChange, askingStage } from "../kit/stage.js";
import { askFor, formQuestion } from "../kit/question.js";
import { type Reading, replyForm } from "../kit/replyForm.js";
import { truth } from "../../common/schemas/truth.js";
import { toolView, nameIn } from "../policy/modelView.js";
import { runBasics } from "../kit/runBasics.js";
import type { OfferedTool, RunBasics } from "../kit/stageInputs.js";
import { reflectOnAnswer } from "../policy/reflectOnAnswer.js";
import { offeredTools } from "../policy/offeredTools.js";

export interface ReflectInput extends RunBasics {
  tools: OfferedTool[];
  plan: string;
  problems: string[];
}

const verdict = replyForm(
  z.object({
    accepted: z.boolean().describe("Whether the plan can stay as it is"),
    cue: z.string().trim().describe("What to change; empty for an accepted plan"),
  }),
  {
    // Some models write booleans as texts and leave out an empty cue.
    mended: (text) => {
      const { accepted, cue = "" } = jsonObject(text) ?? {};
      return { accepted: truth.safeParse(accepted).data, cue };
    },
  },
);

const reflectQuestion = formQuestion({
  stage: "reflect",
  form: verdict,
  instructions: ({ tools }: ReflectInput) => [
    "Review a plan of tool calls that has not run yet. Calls are numbered from 0; $$PREV[0].name is a field of the output of call 0.",
    "Accept it if it does as much of the request as the tools can, even if that is nothing: no call is missing or superfluous, arguments come from the request or earlier calls, and references point to the right values.",
    "Otherwise give a cue of at most three sentences: what to drop, add or change, and how. Do not write the plan.",
    `Tools:\n${toolLines(tools)}`,
  ],
  task: ({ request, earlierTurns, plan, problems }) => [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    `Plan: ${plan}`,
    problems.length > 0 && listed("A check found faults, so do not accept it:", problems),
  ],
  byRules: async ({ problems }) => {
    const verdict = { accepted: problems.length === 0, cue: problems.join(" ") };
    return { text: JSON.stringify(verdict) };
  },
});

/**
 * Asks a model whether something stands, once it is there to be judged. A plan gets a cue for `compose`, unless it is
 * accepted and passed its check (Reflexion, as used in "AI Agent 007"); with `remember`, the cue that led to an accepted
 * plan is kept as an insight for later plans (ExpeL). An answer is checked against the receipt of its
 * run, and mended (`nodes/policy/reflectOnAnswer.ts`).
 */
export function reflect({ on }: { on: "plan" | "answer" }) {
  return on === "plan" ? reflectOnPlan() : reflectOnAnswer();
}

function reflectOnPlan() {
  return askingStage({ lines }, async (state, config) => {
    const plan = needed(state.plan, { stage: "reflect", what: "a plan" });
    const settings = readSettings(config);
    const { offered } = await offeredTools(state, settings);
    const problems = plan.issues.map(({ problem }) => problem);
    const input: ReflectInput = {
      ...runBasics(state, settings),
      tools: [...offered].map(toolView),
      plan: planText(plan, nameIn(offered)),
      problems,
    };
    const accepted = { ...plan, accepted: true };
    // The check's issues serve as a cue; without any, the plan may be followed.
    const instead = { plan: problems.length > 0 ? withCue(plan, "") : accepted };
    const question = { ...reflectQuestion, read: readVerdict };
    const answer = await askFor(question, { state, settings, config, input, instead });
    if ("end" in answer) return answer.end;
    const { cue } = answer.value;
    const taught = cue === undefined ? plan.cues.at(-1) : undefined;
    if (taught && settings.remember) {
      const { library } = settings;
      const experience = await runWorkspace().experience();
      await experience.addInsight({ library, text: taught, at: Date.now() });
    }
    return { plan: cue === undefined ? accepted : withCue(plan, cue), ...answer.asked };
  });
}

/** A cue, or none for an accepted plan; a plan that failed its check cannot be accepted. */
function readVerdict(
  { text }: { text: string },
  { problems }: ReflectInput,
): Reading<{ cue?: string }> {
  const read = verdict.read(text);
  if ("problem" in read) return read;
  const { accepted, cue } = read.value;
  if (accepted && problems.length === 0) return { value: {} };
  if (cue || problems.length > 0) return { value: { cue } };
  return {
    problem: "Your last reply rejected the plan without a cue. Give one, or accept the plan.",
  };
}

function withCue(plan: PlanState, cue: string): PlanState {
  return { ...plan, cues: [...plan.cues, cue] };
}

function lines({ change: { plan }, before }: StageChange): Line[] {
  if (!plan) return [];
  if (plan.cues.length === (before.plan?.cues.length ?? 0)) return ["accepts the plan"];
  const cue = oneLine(plan.cues.at(-1) ?? "");
  return [cue ? `what to change: ${cue}` : "asks for another plan"];
}
