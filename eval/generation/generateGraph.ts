import { END } from "@langchain/langgraph";
import { z } from "zod";
import { compileGraph } from "../../graphs/compile.js";
import { accepted, reflecting } from "../../graphs/conditions.js";
import { wire } from "../../graphs/wire.js";
import { toolLines } from "../../models/chat/toolLines.js";
import { search } from "../../nodes/finding/search.js";
import { askFor, formQuestion } from "../../nodes/kit/question.js";
import { replyForm } from "../../nodes/kit/replyForm.js";
import { runBasics } from "../../nodes/kit/runBasics.js";
import { askingStage } from "../../nodes/kit/stage.js";
import type { OfferedTool, RunBasics } from "../../nodes/kit/stageInputs.js";
import { answerFromPlan } from "../../nodes/planning/answerFromPlan.js";
import { checkPlan } from "../../nodes/planning/checkPlan.js";
import { compose } from "../../nodes/planning/compose.js";
import { reflect } from "../../nodes/planning/reflect.js";
import { toolView } from "../../nodes/policy/modelView.js";
import { offeredTools } from "../../nodes/policy/offeredTools.js";
import { intake } from "../../nodes/request/intake.js";
import { respond } from "../../nodes/request/respond.js";
import { readSettings } from "../../state/settings.js";

interface WriteRequestInput extends RunBasics {
  tools: OfferedTool[];
}

declare module "../../nodes/kit/stageInputs.js" {
  interface StageInputs {
    writeRequest: WriteRequestInput;
  }
}

const form = z.object({ request: z.string().trim().min(10).describe("What the person writes") });

/** Asks for a request that the tools of a flow fulfil together ("AI Agent 007", flow-based generation). */
const requestQuestion = formQuestion({
  stage: "writeRequest",
  form: replyForm(form),
  instructions: ({ tools }: WriteRequestInput) => [
    "Write what a person asks an assistant for, so that it takes a call of each tool below, in this order, and no other.",
    "Write as the person would: everyday words, one to three sentences, no name of a tool or an argument. Give every value that the calls need and no result knows. Values are plausible and never placeholders.",
    `Tools:\n${toolLines(tools)}`,
  ],
  task: ({ request }) => [`Who asks: ${request}`],
});

function writeRequest() {
  return askingStage(
    { lines: ({ change }) => (change.run ? [change.run.request] : []) },
    async (state, config) => {
      const settings = readSettings(config);
      const { offered } = await offeredTools(state, settings);
      const input = { ...runBasics(state, settings), tools: [...offered].map(toolView) };
      const answer = await askFor(requestQuestion, { state, settings, config, input });
      if ("end" in answer) return answer.end;
      return { run: { ...state.run, request: answer.value.request }, ...answer.asked };
    },
  );
}

/**
 * Makes a task of a flow: the request names who asks; then come the request in that person's words, the gold plan, its
 * check against the types of the tools, and a critic who has it written again ("AI Agent 007", multi-agent with critic).
 */
export const generate = compileGraph(
  wire("intake", {
    intake: { run: intake(), next: "search" },
    search: { run: search({ by: "everything" }), next: "writeRequest" },
    writeRequest: { run: writeRequest(), next: "compose" },
    compose: { run: compose({ style: "typed" }), next: "checkPlan" },
    checkPlan: {
      run: checkPlan({ mergeReads: false }),
      next: [[reflecting, "reflect"], "answerFromPlan"],
    },
    reflect: { run: reflect({ on: "plan" }), next: [[accepted, "answerFromPlan"], "compose"] },
    answerFromPlan: { run: answerFromPlan(), next: "respond" },
    respond: { run: respond(), next: END },
  }),
  { name: "generate" },
);
