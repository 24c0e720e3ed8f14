import { z } from "zod";
import { formQuestion } from "../../nodes/shared/question.js";
import { replyForm } from "../../nodes/shared/replyForm.js";
import type { RunBasics } from "../../nodes/shared/stageInputs.js";

/** What the question for another wording depends on. */
export interface RewriteInput extends RunBasics {
  /** Existing wordings. */
  taken: string[];
}

declare module "../../nodes/shared/stageInputs.js" {
  interface StageInputs {
    rewrite: RewriteInput;
  }
}

/**
 * Asks for another wording of a request, for fine-tuning sets (TPTU-v2, arXiv:2311.11315: instructions are rewritten
 * so that a model learns the meaning and not the wording).
 */
export const rewriteQuestion = formQuestion({
  stage: "rewrite",
  form: replyForm(
    z.object({ request: z.string().trim().min(1).describe("The same request in other words") }),
  ),
  instructions: () => [
    "Reword a request to an assistant as another person would who wants exactly the same.",
    "Keep numbers, dates, units, names, ids, quoted text and days such as tomorrow as written. Add and omit nothing. Vary construction, order, tone and verbs: short or chatty, command or question, unlike the wordings that exist. Do not answer the request or mention tools.",
  ],
  task: ({ request, taken }: RewriteInput) => {
    const others = taken.filter((wording) => wording !== request);
    return [
      `Request: ${request}`,
      others.length > 0 && ["Wordings that exist:", ...others.map((one) => `- ${one}`)].join("\n"),
    ];
  },
  byRules: async () => ({
    text: "The offline planner cannot say a request in other words; use a language model with --model.",
    refusal: true,
  }),
});
