import { interrupt } from "@langchain/langgraph";
import { z } from "zod";

/**
 * Pauses the run with LangGraph's `interrupt` until a person decides by resuming it with `new Command({ resume:
 * { decisions } })`. Asks again if the answer contains no valid decisions.
 *
 * @param options.request what the person is shown; `problem` says what was wrong with the previous answer
 * @param options.decisions how many decisions are needed, and their form
 * @param options.wanted the same in words, for a person who answered something else
 */
export function askDecisions<Decisions>(options: {
  request: { problem: string };
  decisions: z.ZodType<Decisions>;
  wanted: string;
}): Decisions {
  const { request, decisions, wanted } = options;
  const schema = z.object({ decisions });
  let { problem } = request;
  while (true) {
    const answer = schema.safeParse(interrupt({ ...request, problem }));
    if (answer.success) return answer.data.decisions;
    problem = `it is no decision: resume with { "decisions": [{ "type": "approve" | "edit" | "reject", … }] }, ${wanted}`;
  }
}
